// SPDX-License-Identifier: Apache-2.0
// Freed memory that is kept: sizes, reuse by the same and by other threads, bounds, what is given back.
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <sinter/core/buffer.hpp>
#include <thread>
#include <vector>

#include "../catch.hpp"

namespace memory = sinter::memory;
using sinter::buffer;

namespace {
constexpr bool classes_fit() {
  using namespace memory::detail;
  for (std::size_t bytes :
       {smallest, smallest + 1, smallest * 5 / 4, smallest * 5 / 4 + 1, smallest * 2 - 1, smallest * 2, smallest * 2 + 1,
        (std::size_t{1} << 30) - 1, std::size_t{1} << 30, (std::size_t{7} << 37) - 1, std::size_t{7} << 37}) {
    int const c = class_of(bytes);
    if (c < 0 || c >= classes || size_of_class(c) < bytes || (c > 0 && size_of_class(c - 1) >= bytes)) return false;
    if (class_of(size_of_class(c)) != c) return false;
  }
  return class_of(smallest - 1) == -1 && class_of(0) == -1 && class_of((std::size_t{7} << 37) + 1) == -1;
}
static_assert(classes_fit());

constexpr std::size_t mib = std::size_t{1} << 20;
struct limited {
  std::size_t before = memory::limit();
  explicit limited(std::size_t bytes) { memory::limit(bytes); }
  limited(limited const&) = delete;
  limited& operator=(limited const&) = delete;
  ~limited() { memory::limit(before); }
};
}  // namespace

TEST_CASE("a freed block is taken again, and its memory is the new owner's") {
  memory::trim();
  std::byte const* first = nullptr;
  {
    buffer<std::byte> const a(mib, false);
    std::memset(a.data(), 7, mib);
    first = a.data();
  }
  CHECK(memory::stats().kept >= mib);
  memory::statistics const before = memory::stats();
  buffer<std::byte> const b(mib - 1000), c(mib);  // of one size class; only one was kept
  memory::statistics const after = memory::stats();
  CHECK((b.data() == first || c.data() == first));
  CHECK(b.data() != c.data());
  CHECK(after.taken == before.taken + 2);
  CHECK(after.reused == before.reused + 1);
  CHECK(after.kept == 0);
  for (std::size_t i = 0; i < mib - 1000; ++i) REQUIRE(b.data()[i] == std::byte{0});
  CHECK(reinterpret_cast<std::uintptr_t>(b.data()) % sinter::storage_alignment == 0);
}

TEST_CASE("small blocks are left to the system's allocator") {
  memory::statistics const before = memory::stats();
  for (int i = 0; i < 3; ++i) buffer<float> const a(1000);
  CHECK(memory::stats().taken == before.taken);
  CHECK(memory::stats().kept == before.kept);
}

TEST_CASE("no more is kept than the limit, and trim() gives back all") {
  {
    limited const at(4 * mib);
    CHECK(memory::limit() == 4 * mib);
    {
      std::vector<buffer<std::byte>> all;
      for (int i = 0; i < 16; ++i) all.emplace_back(mib, false);
    }
    CHECK(memory::stats().kept > 0);
    CHECK(memory::stats().kept <= 4 * mib);
    { buffer<std::byte> const large(5 * mib, false); }
    CHECK(memory::stats().kept <= 4 * mib);
    memory::trim();
    CHECK(memory::stats().kept == 0);
    memory::limit(0);
    { buffer<std::byte> const none(mib, false); }
    CHECK(memory::stats().kept == 0);
  }
  {
    std::vector<buffer<std::byte>> all;
    for (int i = 0; i < 60; ++i) all.emplace_back(mib, false);  // more than a thread keeps
  }
  CHECK(memory::stats().kept >= 60 * mib);
  memory::statistics const before = memory::stats();
  {
    std::vector<buffer<std::byte>> all;
    for (int i = 0; i < 60; ++i) all.emplace_back(mib, false);
  }
  CHECK(memory::stats().reused == before.reused + 60);
  memory::trim();
  CHECK(memory::stats().kept == 0);
}

TEST_CASE("sizes that nobody takes any more make room for others") {
  limited const at(64 * mib);
  { buffer<std::byte> const old(60 * mib, false); }
  CHECK(memory::stats().kept >= 60 * mib);
  { buffer<std::byte> const other(40 * mib, false); }
  memory::statistics const before = memory::stats();
  { buffer<std::byte> const again(40 * mib, false); }
  CHECK(memory::stats().reused == before.reused + 1);
}

TEST_CASE("threads pass blocks to each other, and leave theirs to the program") {
  memory::trim();
  std::vector<std::thread> all;
  std::vector<buffer<std::byte>> slots(8);
  std::atomic<int> wrong = 0;
  std::array<std::atomic_flag, 8> busy;
  for (int t = 0; t < 4; ++t)
    all.emplace_back([&, t] {
      for (int i = 0; i < 400; ++i) {
        auto const at = static_cast<std::size_t>(i * 7 + t) % 8;
        buffer<std::byte> mine(memory::detail::smallest + static_cast<std::size_t>(i % 5) * 30000, false);
        mine.data()[0] = mine.data()[memory::detail::smallest - 1] = static_cast<std::byte>(t);
        if (i % 50 == 49) memory::trim();
        if (mine.data()[0] != static_cast<std::byte>(t) || mine.data()[memory::detail::smallest - 1] != static_cast<std::byte>(t)) ++wrong;
        if (busy[at].test_and_set()) continue;
        std::swap(slots[at], mine);  // which frees another thread's block
        busy[at].clear();
      }
    });
  for (std::thread& t : all) t.join();
  CHECK(wrong == 0);
  slots.clear();
  memory::trim();
  CHECK(memory::stats().kept == 0);
}

namespace {
// Freed when the program ends, after this thread's list.
buffer<std::byte> const until_the_end(mib);
}  // namespace
