// SPDX-License-Identifier: Apache-2.0
// The growing array of both clocks.
#include <sinter/core/list.hpp>
#include <string>

#include "../catch.hpp"

using sinter::frozen_list;
using sinter::list;

namespace {
constexpr bool grows() {
  list<int> l;
  for (int i = 0; i < 100; ++i) l.push(i);
  int sum = 0;
  for (int v : l) sum += v;
  return l.size() == 100 && sum == 4950 && l.back() == 99 && l.pop() == 99 && l.size() == 99 && l[98] == 98;
}
constexpr bool pushes_its_own_element() {
  list<int> l;
  for (int i = 0; i < 8; ++i) l.push(i + 1);
  l.push(l[3]);  // the array grows while its element is read
  return l.size() == 9 && l.back() == 4;
}
constexpr bool copies_and_moves() {
  list<int> a(3, 7);
  list<int> b = a;
  b[0] = 1;
  list<int> c = static_cast<list<int>&&>(b);
  a = c;
  c.resize(5, 9);
  return a[0] == 1 && a.size() == 3 && b.empty() && c[4] == 9 && c[2] == 7 && !(a == c) && a == list<int>(a);
}
// A constant evaluation refuses what is not freed, and what is freed twice.
constexpr bool moves_over_others() {
  list<int> a(3, 7), b(2, 5);
  a = static_cast<list<int>&&>(b);
  list<int>& same = a;
  a = static_cast<list<int>&&>(same);
  int const items[]{1, 2};
  list<int> from = list<int>::borrowed(items, 2), moved(4, 1);
  moved = static_cast<list<int>&&>(from);
  list<int> copy;
  copy = moved;
  copy.push(3);
  return a.size() == 2 && a[1] == 5 && b.empty() && from.empty() && moved.data() == items && copy.size() == 3 && copy[1] == 2;
}
constexpr frozen_list<int, 3> frozen{[] {
  list<int> l;
  for (int i = 0; i < 3; ++i) l.push(i * i);
  return l;
}()};
static_assert(grows() && pushes_its_own_element() && copies_and_moves() && moves_over_others());
static_assert(frozen.size() == 3 && frozen[2] == 4 && !frozen.empty() && frozen_list<int, 0>{}.empty());
}  // namespace

TEST_CASE("the same when the program runs") {
  CHECK(grows());
  CHECK(pushes_its_own_element());
  CHECK(copies_and_moves());
  CHECK(moves_over_others());
}

TEST_CASE("elements that own something") {
  list<std::string> l;
  for (int i = 0; i < 20; ++i) l.push("a string that is too long for the short form " + std::to_string(i));
  list<std::string> const copy = l;
  l.shrink(1);
  l.push("other");
  CHECK((copy[19].back() == '9' && l[1] == "other" && copy[1].back() == '1'));
  l = static_cast<list<std::string> const&>(l);  // to itself
  CHECK(l.size() == 2);
}
