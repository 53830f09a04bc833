// SPDX-License-Identifier: Apache-2.0
#include "zip.h"

int inner();
#ifdef INNER
int inner() { return 0; }
#else
int in_its_place() { return inner(); }
#endif
