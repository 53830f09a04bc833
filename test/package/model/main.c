/* SPDX-License-Identifier: Apache-2.0 */
/* The functions for C: what is said about the arrays, a run, and errors as text. */
#include <c.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                                                \
  do {                                                                                  \
    if (!(condition)) return printf("line %d: %s (%s)\n", __LINE__, #condition, c_error()), 1; \
  } while (0)

int main(int count, char** arguments) {
  float const x[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  float y[6] = {0}, one[2] = {0};
  void const* const in[1] = {x};
  void* const out[1] = {y};
  void* const out_one[1] = {one};
  int64_t sizes[1] = {3};
  c_model* net;
  CHECK(count == 2);

  CHECK(c_inputs() == 1 && c_outputs() == 1 && c_dimensions() == 1);
  CHECK(strcmp(c_input_name(0), "data") == 0 && strcmp(c_input_dtype(0), "float32") == 0);
  CHECK(c_input_rank(0) == 2 && c_input_extent(0, 0, sizes) == 3 && c_input_extent(0, 1, NULL) == 4);
  CHECK(c_output_rank(0) == 2 && c_output_extent(0, 0, sizes) == 3 && c_output_extent(0, 1, sizes) == 2);
  CHECK(strcmp(c_dimension_name(0), "batch") == 0);
  CHECK(c_input_name(7) == NULL && strstr(c_error(), "there is no input 7") != NULL);
  CHECK(c_output_extent(0, 0, NULL) == -1 && strstr(c_error(), "(sizes)") != NULL);
  CHECK(c_input_name(1) == NULL && c_input_rank(-1) == -1 && c_input_extent(0, 2, sizes) == -1);
  CHECK(c_dimension_name(1) == NULL && c_output_extent(0, 0, NULL) == -1);

  CHECK(c_create("there/is/none") == NULL && strstr(c_error(), "there/is/none") != NULL);
  CHECK(c_create(NULL) == NULL && strstr(c_error(), "no parameters are embedded") != NULL);
  net = c_create(arguments[1]);
  CHECK(net != NULL);
  CHECK(c_run(net, sizes, in, out) == 0);
  sizes[0] = 1;
  CHECK(c_run(net, sizes, in, out_one) == 0);
  CHECK(fabsf(one[0] - y[0]) < 1e-6f && fabsf(one[1] - y[1]) < 1e-6f && (y[0] != 0 || y[1] != 0));
  CHECK(c_run(net, NULL, in, out) == -1 && strstr(c_error(), "sizes") != NULL);
  CHECK(c_run(net, sizes, NULL, out) == -1 && strstr(c_error(), "`data`") != NULL);
  CHECK(c_run(NULL, sizes, in, out) == -1);
  sizes[0] = 0;
  void const* const no_in[1] = {NULL};
  void* const no_out[1] = {NULL};
  CHECK(c_run(net, sizes, no_in, no_out) == 0);
  sizes[0] = 1;
  CHECK(c_run(net, sizes, no_in, out) == -1 && strstr(c_error(), "no memory given for `data`") != NULL);
  sizes[0] = -1;
  CHECK(c_run(net, sizes, in, out) == -1 && strstr(c_error(), "`batch`") != NULL);
  sizes[0] = INT64_MAX;
  CHECK(c_run(net, sizes, in, out) == -1 && strstr(c_error(), "counted") != NULL);
  c_destroy(net);
  c_destroy(NULL);
  return 0;
}
