// SPDX-License-Identifier: Apache-2.0
// A shared library of functions for C, used from C++: the network's type, with the parameters that are linked into the library.
#include <by_python.hpp>
#include <filesystem>

int main(int, char** arguments) {
  by_python embedded, loaded;
  auto x = sinter::nd::tensor<float, sinter::shape<3, 4>>();
  for (int i = 0; i < 12; ++i) x[i] = static_cast<float>(i);
  // Also behind a call: what is prepared from parameters belongs to the program.
  loaded.initialize();
  auto const fast = loaded.hybridize(sinter::weights::bf16);
  static_cast<void>(fast(x));
  loaded.load(arguments[1]);
  embedded.initialize();
  auto const other = embedded.hybridize(sinter::weights::bf16);
  static_cast<void>(other(x));
  embedded.load_embedded();
  auto const a = other(x), b = fast(x);
  for (int i = 0; i < 6; ++i)
    if (a[i] != b[i] || a[0] == a[1]) return 1;
  // The bytes are those of weights in fewer bits.
  return sinter_embedded_by_python_bytes().size() < std::filesystem::file_size(arguments[1]) ? 0 : 1;
}
