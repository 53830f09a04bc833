// SPDX-License-Identifier: Apache-2.0
// Counted storage: constant, aligned, borrowed, shared between threads.
#include <sinter/core/buffer.hpp>
#include <thread>
#include <vector>

#include "../catch.hpp"
#include "../sanitized.hpp"

static_assert(SINTER_KEEPS_MEMORY == !SINTER_SANITIZED, "sanitizers are to see each block freed");
using sinter::buffer;

namespace {
constexpr bool literal() {
  buffer<int> a(4), b = a, c;
  a.data()[2] = 5;
  c = b;
  b = {};
  return c.data()[2] == 5 && !b && c && a.data() == c.data() && buffer<float>(0).data() != nullptr && c.data()[0] == 0;
}
static_assert(literal());

struct counted {
  static inline int alive = 0;
  counted() { ++alive; }
  counted(counted const&) = delete;
  counted& operator=(counted const&) = delete;
  ~counted() { --alive; }
};
}  // namespace

TEST_CASE("aligned, cleared, shared") {
  CHECK(literal());
  for (std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
    buffer<float> const b(n);
    CHECK(reinterpret_cast<std::uintptr_t>(b.data()) % sinter::storage_alignment == 0);
    for (std::size_t i = 0; i < n; ++i) REQUIRE(b.data()[i] == 0);
  }
}

TEST_CASE("elements are destroyed with the last owner") {
  {
    buffer<counted> const a(3);
    buffer<counted> b = a;
    CHECK(counted::alive == 3);
    b = buffer<counted>(2);
    CHECK(counted::alive == 5);
  }
  CHECK(counted::alive == 0);
}

TEST_CASE("borrowed memory is given back once") {
  static int released;
  released = 0;
  int memory[2]{1, 2};
  {
    buffer<int> a(memory, &released, [](void* p) { ++*static_cast<int*>(p); });
    buffer<int> const b = a, c = std::move(a);
    CHECK((b.data() == memory && c.data() == memory && !a));
    CHECK(released == 0);
  }
  CHECK(released == 1);
  buffer<int> const nobody(memory, nullptr, nullptr);
  CHECK(nobody.data()[1] == 2);
}

TEST_CASE("many threads copy and drop it") {
  buffer<counted> shared(1);
  std::vector<std::thread> all;
  for (int t = 0; t < 4; ++t)
    all.emplace_back([mine = shared] {
      for (int i = 0; i < 2000; ++i) buffer<counted> const copy = mine;
    });
  shared = {};
  for (std::thread& t : all) t.join();
  all.clear();
  CHECK(counted::alive == 0);
}
