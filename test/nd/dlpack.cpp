// SPDX-License-Identifier: Apache-2.0
// Tests of DLPack with structs written by hand; test/python/dlpack.py has NumPy and PyTorch on the other side.
#include <sinter/nd/dlpack.hpp>

#include <cstring>

#include "../catch.hpp"

using namespace sinter;
namespace dlpack = nd::dlpack;

namespace {
template <class T, auto... D> using tensor = nd::tensor<T, shape<D...>>;

// Somebody else's tensor of 0 to 5 as (2, 3), who counts how often it is given back.
template <class Managed = dlpack::managed_versioned> struct foreign {
  float values[8]{0, 1, 2, 3, 4, 5, 6, 7};
  std::int64_t shape[9]{2, 3, 1, 1, 1, 1, 1, 1, 1}, strides[9]{3, 1};
  int given_back = 0;
  Managed m{};
  foreign() {
    m.context = this;
    m.deleter = [](Managed* given) { ++static_cast<foreign*>(given->context)->given_back; };
    m.tensor = {values, {1, 0}, 2, {2, 32, 1}, shape, strides, 0};
    if constexpr (requires { m.version; }) m.version = {1, 1};
  }
};
using matrix = tensor<float, 2, 3>;

// The sentence that a changed tensor is refused with; it must be given back all the same.
template <class T = matrix> std::string refused(auto change) {
  foreign<> f;
  change(f);
  std::string said = "it was taken";
  try {
    auto const t = nd::from_dlpack<T>(&f.m);
    if (f.given_back != 0) return "given back too early";
  } catch (error const& e) { said = e.what(); }
  CHECK(f.given_back == 1);
  return said;
}
}  // namespace

TEST_CASE("dlpack: a tensor of somebody else, by its strides, until the last owner is gone") {
  foreign<> f;
  {
    auto kept = matrix();
    {
      auto const x = nd::from_dlpack<matrix>(&f.m);
      CHECK(x.data() == f.values);
      CHECK(x(1, 2) == 5);
      x.data()[0] = 9;
      CHECK(f.values[0] == 9);
      kept = x;
    }
    CHECK(f.given_back == 0);
    CHECK(kept(1, 1) == 4);
  }
  CHECK(f.given_back == 1);

  foreign<dlpack::managed> old;
  {
    auto const x = nd::from_dlpack<matrix>(&old.m);
    CHECK(x(1, 0) == 3);
    CHECK(!x.is_read_only());
  }
  CHECK(old.given_back == 1);
  old.m.deleter = nullptr;  // then nobody wants it back
  CHECK(nd::from_dlpack<matrix>(&old.m)(1, 0) == 3);
}

TEST_CASE("dlpack: strides, offsets and what may not be written") {
  auto const with = [](auto change, auto const& look) {
    foreign<> f;
    change(f);
    {
      auto const x = nd::from_dlpack<tensor<float, dynamic, dynamic>>(&f.m);
      look(x);
    }
    CHECK(f.given_back == 1);
  };
  with([](auto& f) { f.m.tensor.strides = nullptr; }, [](auto const& x) { CHECK(x(1, 0) == 3); });
  with([](auto& f) { f.strides[0] = 1, f.strides[1] = 2; }, [](auto const& x) { CHECK((x(1, 0) == 1 && x(1, 2) == 5)); });
  with([](auto& f) { f.m.tensor.byte_offset = 8; }, [](auto const& x) { CHECK(x(1, 2) == 7); });
  with([](auto& f) { f.m.tensor.data = f.values + 5, f.strides[0] = -3, f.strides[1] = -1; },
       [](auto const& x) { CHECK((x(0, 0) == 5 && x(1, 2) == 0)); });
  with([](auto& f) { f.shape[0] = 1, f.strides[0] = INT64_MIN; }, [](auto const& x) { CHECK((x(0, 2) == 2 && x.strides()[0] == 3)); });
  with([](auto& f) { f.shape[0] = 0, f.m.tensor.data = nullptr, f.strides[1] = INT64_MAX; }, [](auto const& x) { CHECK(x.size() == 0); });
  with([](auto& f) { f.strides[0] = 0; }, [](auto const& x) { CHECK((x.copy()(1, 2) == 2 && x.is_read_only())); });
  with([](auto& f) { f.m.flags = dlpack::read_only; }, [](auto const& x) { CHECK(x.is_read_only()); });
  with([](auto& f) { f.m.flags = 1 << 9; }, [](auto const& x) { CHECK(x.is_read_only()); });
  with([](auto& f) { f.m.flags = dlpack::is_copied; }, [](auto const& x) { CHECK(!x.is_read_only()); });

  // Elements at an odd address are copied, and given back at once.
  foreign<> odd;
  alignas(float) char bytes[25];
  std::memcpy(bytes + 1, odd.values, 24);
  odd.m.tensor.data = bytes;
  odd.m.tensor.byte_offset = 1;
  auto const x = nd::from_dlpack<matrix>(&odd.m);
  CHECK(odd.given_back == 1);
  CHECK((x(0, 1) == 1 && x(1, 2) == 5));
}

TEST_CASE("dlpack: what this library cannot have is refused, and given back") {
  CHECK(refused([](auto& f) { f.m.tensor.dtype.bits = 64; }) == "sinter: a DLPack tensor has elements of float64, not of float32");
  CHECK(refused([](auto& f) { f.m.tensor.dtype.code = 4; }) == "sinter: a DLPack tensor has elements of bfloat32, not of float32");
  CHECK(refused([](auto& f) { f.m.tensor.dtype.code = 17; }) == "sinter: a DLPack tensor has elements of type code 17, 32, not of float32");
  CHECK(refused([](auto& f) { f.m.tensor.dtype.lanes = 4; }) ==
        "sinter: a DLPack tensor has elements of float32 in 4 lanes, not of float32");
  CHECK(refused([](auto& f) { f.m.tensor.device = {2, 1}; }) ==
        "sinter: a DLPack tensor is on device type 2 (number 1), and not on the host: let its library copy it there");
  CHECK(refused([](auto& f) { f.shape[1] = 4; }) == "sinter: a DLPack tensor has shape (2, 4), and a tensor of shape (2, 3) was asked for");
  CHECK(refused([](auto& f) { f.m.tensor.ndim = 3; }) ==
        "sinter: a DLPack tensor has shape (2, 3, 1), and a tensor of shape (2, 3) was asked for");
  CHECK(refused([](auto& f) { f.m.tensor.ndim = 9; }) ==
        "sinter: a DLPack tensor has 9 dimensions, and a tensor of shape (2, 3) was asked for");
  CHECK(refused([](auto& f) { f.m.tensor.ndim = -1; }) == "sinter: a DLPack tensor has no shape");
  CHECK(refused([](auto& f) { f.m.tensor.shape = nullptr; }) == "sinter: a DLPack tensor has no shape");
  CHECK(refused([](auto& f) { f.m.tensor.data = nullptr; }) == "sinter: a DLPack tensor has 6 elements and no address");
  CHECK(refused([](auto& f) { f.m.tensor.byte_offset = ~0ull; }) == "sinter: a DLPack tensor has 6 elements and no address");
  CHECK(refused([](auto& f) { f.m.version = {2, 0}; }) == "sinter: a DLPack tensor of version 2.0 is not one of version 1");
  CHECK(refused([](auto& f) { f.strides[0] = INT64_MIN; }) == "sinter: a DLPack tensor has a stride that no memory has room for");
  CHECK(refused([](auto& f) { f.strides[0] = f.strides[1] = INT64_MAX / 8; }) ==
        "sinter: a DLPack tensor has a stride that no memory has room for");
  using any = tensor<float, dynamic, dynamic>;
  CHECK(refused<any>([](auto& f) { f.shape[0] = -1; }) ==
        "sinter: a DLPack tensor has shape (-1, 3), and a tensor of shape (?, ?) was asked for");
  CHECK(refused<any>([](auto& f) { f.shape[0] = f.shape[1] = std::int64_t{1} << 40; }) ==
        "sinter: a tensor of the extents (1099511627776, 1099511627776) has more elements than memory can have");
  CHECK_THROWS_AS(nd::from_dlpack<any>(static_cast<dlpack::managed*>(nullptr)), shape_error);
  CHECK_THROWS_AS(nd::from_dlpack<any>(static_cast<dlpack::managed_versioned*>(nullptr)), shape_error);
}

TEST_CASE("dlpack: a tensor for somebody else") {
  matrix const x{0, 1, 2, 3, 4, 5};
  {
    auto const given = nd::to_dlpack(x);
    auto const& v = given->tensor;
    CHECK((v.data == x.data() && v.byte_offset == 0 && v.device.type == 1 && v.device.id == 0));
    CHECK((v.ndim == 2 && v.shape[0] == 2 && v.shape[1] == 3 && v.strides[0] == 3 && v.strides[1] == 1));
    CHECK((v.dtype.code == 2 && v.dtype.bits == 32 && v.dtype.lanes == 1));
    CHECK((given->version.major == 1 && given->version.minor == 0 && given->flags == 0));
    CHECK(x.owner().is_shared());
  }
  CHECK(!x.owner().is_shared());
  auto const back = nd::from_dlpack<matrix>(nd::to_dlpack(x).release());
  CHECK(back.data() == x.data());

  std::int64_t const turned[]{1, 3}, backwards[]{-3, 1}, rows[]{0, 1};
  auto const t = tensor<float, 3, 2>::view(x, dims{3, 2}, 0, turned);
  CHECK(nd::to_dlpack(t)->tensor.strides[1] == 3);
  CHECK(nd::to_dlpack_unversioned(t)->tensor.data == x.data());
  auto const mirrored = nd::to_dlpack(matrix::view(x, dims{2, 3}, 3, backwards));
  CHECK((mirrored->flags == dlpack::is_copied && mirrored->tensor.strides[0] == 3));
  CHECK(static_cast<float*>(mirrored->tensor.data)[0] == 3);
  CHECK(nd::to_dlpack_unversioned(matrix::view(x, dims{2, 3}, 3, backwards))->tensor.data != x.data());
  auto const repeated = matrix::view(x, dims{2, 3}, 0, rows);
  CHECK((nd::to_dlpack(repeated)->flags == dlpack::read_only && nd::to_dlpack(repeated)->tensor.strides[0] == 0));
  CHECK(nd::to_dlpack_unversioned(repeated)->tensor.strides[0] == 3);
  auto const parameter = matrix::share(x.owner(), dims{2, 3}, true);
  CHECK(nd::to_dlpack(parameter)->flags == dlpack::read_only);
  CHECK(nd::to_dlpack_unversioned(parameter)->tensor.data != x.data());

  auto const type = [](auto const& y) {
    auto const v = nd::to_dlpack(y)->tensor.dtype;
    return 100 * v.code + v.bits;
  };
  CHECK(type(tensor<double, 1>()) == 264);
  CHECK(type(tensor<float16, 1>()) == 216);
  CHECK(type(tensor<bfloat16, 1>()) == 416);
  CHECK(type(tensor<bool, 1>()) == 608);
  CHECK(type(tensor<std::int8_t, 1>()) == 8);
  CHECK(type(tensor<std::int16_t, 1>()) == 16);
  CHECK(type(tensor<std::int32_t, 1>()) == 32);
  CHECK(type(tensor<std::int64_t, 1>()) == 64);
  CHECK(type(tensor<std::uint8_t, 1>()) == 108);
  CHECK(nd::from_dlpack<tensor<double>>(nd::to_dlpack(tensor<double>(2.5)).release()).item() == 2.5);
}
