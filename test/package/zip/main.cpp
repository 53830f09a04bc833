// SPDX-License-Identifier: Apache-2.0
#include <zip.h>

int main() { return in_its_place(); }
