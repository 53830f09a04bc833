// SPDX-License-Identifier: Apache-2.0
#pragma once
extern "C" int in_its_place();
