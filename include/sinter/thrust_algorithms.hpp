// SPDX-License-Identifier: Apache-2.0
// The algorithms of Thrust and CUB that the device's operations call: one file of a program includes this. sinter::thrust and sinter::cuda do it
// for theirs.
#pragma once
#include "backend/thrust/algorithms/scan.hpp"
#include "backend/thrust/algorithms/sort.hpp"
