/* SPDX-License-Identifier: Apache-2.0 */
/* The functions for C: what is said about the arrays, a run, and errors as text. */
#include <by_c.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                                                \
  do {                                                                                  \
    if (!(condition)) return printf("line %d: %s (%s)\n", __LINE__, #condition, by_c_error()), 1; \
  } while (0)

int main(int count, char** arguments) {
  float const x[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  float y[6] = {0}, one[2] = {0};
  void const* const in[1] = {x};
  void* const out[1] = {y};
  void* const out_one[1] = {one};
  int64_t sizes[1] = {3};
  by_c_model* net;
  CHECK(count == 2);

  CHECK(by_c_inputs() == 1 && by_c_outputs() == 1 && by_c_dimensions() == 1);
  CHECK(strcmp(by_c_input_name(0), "data") == 0 && strcmp(by_c_input_dtype(0), "float32") == 0);
  CHECK(by_c_input_rank(0) == 2 && by_c_input_extent(0, 0, sizes) == 3 && by_c_input_extent(0, 1, NULL) == 4);
  CHECK(by_c_output_rank(0) == 2 && by_c_output_extent(0, 0, sizes) == 3 && by_c_output_extent(0, 1, sizes) == 2);
  CHECK(strcmp(by_c_dimension_name(0), "batch") == 0);
  CHECK(by_c_input_name(1) == NULL && by_c_input_rank(-1) == -1 && by_c_input_extent(0, 2, sizes) == -1);
  CHECK(by_c_dimension_name(1) == NULL && by_c_output_extent(0, 0, NULL) == -1);

  CHECK(by_c_create("there/is/none") == NULL && strstr(by_c_error(), "there/is/none") != NULL);
  CHECK(by_c_create(NULL) == NULL && strstr(by_c_error(), "no parameters are embedded") != NULL);
  net = by_c_create(arguments[1]);
  CHECK(net != NULL);
  CHECK(by_c_run(net, sizes, in, out) == 0);
  sizes[0] = 1;
  CHECK(by_c_run(net, sizes, in, out_one) == 0);
  CHECK(fabsf(one[0] - y[0]) < 1e-6f && fabsf(one[1] - y[1]) < 1e-6f && (y[0] != 0 || y[1] != 0));
  CHECK(by_c_run(net, NULL, in, out) == -1 && strstr(by_c_error(), "sizes") != NULL);
  CHECK(by_c_run(net, sizes, NULL, out) == -1 && strstr(by_c_error(), "`data`") != NULL);
  CHECK(by_c_run(NULL, sizes, in, out) == -1);
  sizes[0] = -1;
  CHECK(by_c_run(net, sizes, in, out) == -1 && strstr(by_c_error(), "`batch`") != NULL);
  sizes[0] = INT64_MAX;
  CHECK(by_c_run(net, sizes, in, out) == -1 && strstr(by_c_error(), "counted") != NULL);
  by_c_destroy(net);
  by_c_destroy(NULL);
  return 0;
}
