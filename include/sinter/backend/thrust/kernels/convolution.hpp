// SPDX-License-Identifier: Apache-2.0
// A product with a map as a library's convolution: images, groups, channels and windows, as far as the loops are these.
#pragma once
#include "epilogue.hpp"

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {

// What decides about an algorithm. Without padding, to be compared as bytes. The axes of x and y are images, channels and two or three of
// space, those of w outputs, channels of a group and space, and w is row-major.
struct convolution_shape {
  static constexpr int most = 5;
  struct array {
    std::int64_t extent[most]{}, stride[most]{};
  };
  std::int64_t rank = 4, is_double = 0;
  array x, w, y;
  std::int64_t step[most - 2]{}, dilation[most - 2]{}, before[most - 2]{}, behind[most - 2]{};  // zeros around x

  constexpr std::int64_t results() const {
    std::int64_t n = 1;
    for (int i = 0; i < rank; ++i) n *= y.extent[i];
    return n;
  }
  constexpr std::int64_t groups() const { return x.extent[1] / w.extent[1]; }
};
struct library_convolution {
  library_part part;  // last: -1 where it is none
  convolution_shape shape;
  int x = 0, w = 0;  // operands
};

// The loops of a launch as the axes of a convolution.
class convolution_finder {
 public:
  constexpr convolution_finder(launch const& l, int x, int w, int stored) : l_(l), m_(*l.map), x_(x), w_(w) {
    outside_ = l.rank - m_.depth;
    columns_ = outside_ - m_.columns;
    std::int64_t step = 1;  // of a result in row-major order
    for (int i = outside_; i-- > 0; step *= l.extent[i]) y_stride_[i] = stored >= 0 ? stride(stored, i) : step;
    require(m_.rows == 1 && m_.columns <= 3);
    for (int i = 0; i < l.rank; ++i) require(l.extent[i] > 0);
    if (ok_) find_channels();
    if (ok_) find_space();
    if (ok_) check_strides();
  }
  constexpr bool found() const { return ok_; }
  constexpr convolution_shape const& shape() const { return s_; }

 private:
  launch const& l_;
  loop_map const& m_;
  int x_, w_, outside_ = 0, columns_ = 0;  // columns_: the first loop over them
  std::int64_t y_stride_[max_loop]{};
  convolution_shape s_;
  bool ok_ = true;

  constexpr void require(bool holds) { ok_ = ok_ && holds; }
  constexpr std::int64_t extent(int loop) const { return loop < 0 ? 1 : l_.extent[loop]; }
  constexpr std::int64_t stride(int operand, int loop) const { return loop < 0 ? 0 : l_.stride[operand * max_loop + loop]; }
  constexpr std::int64_t y_stride(int loop) const { return loop < 0 ? 0 : y_stride_[loop]; }
  constexpr window const* window_of(int loop) const {
    for (int w = 0; w < m_.windows; ++w)
      if (m_.window_at[w].outer == loop || m_.window_at[w].inner == loop) return &m_.window_at[w];
    return nullptr;
  }
  static constexpr void put(convolution_shape::array& a, std::int64_t axis, std::int64_t extent, std::int64_t stride) {
    a.extent[axis] = extent;
    a.stride[axis] = stride;
  }
  // Two loops, one around the other, as one axis: its stride.
  constexpr std::int64_t joined(std::int64_t outer, std::int64_t outer_stride, std::int64_t inner, std::int64_t inner_stride) {
    require(outer == 1 || inner == 1 || outer_stride == inner * inner_stride);
    return inner == 1 ? outer_stride : inner_stride;
  }
  constexpr void find_channels() {
    int const output = columns_ - 1;  // the loop over the rows
    int images = -1, groups = -1, inputs = -1;
    for (int i = 0; i < output; ++i) {
      int& which = stride(w_, i) == 0 ? images : groups;
      require(which < 0);
      which = i;
    }
    for (int i = outside_; i < l_.rank; ++i) {
      if (window_of(i)) continue;
      require(inputs < 0);
      inputs = i;
    }
    require(stride(x_, output) == 0);
    std::int64_t const g = extent(groups), in = extent(inputs), out = extent(output);
    put(s_.x, 0, extent(images), stride(x_, images));
    put(s_.y, 0, extent(images), y_stride(images));
    put(s_.x, 1, g * in, joined(g, stride(x_, groups), in, stride(x_, inputs)));
    put(s_.y, 1, g * out, joined(g, y_stride(groups), out, y_stride(output)));
    put(s_.w, 0, g * out, joined(g, stride(w_, groups), out, stride(w_, output)));
    put(s_.w, 1, in, stride(w_, inputs));
  }
  // Of space a library has two axes at least.
  constexpr void find_space() {
    int const axes = m_.columns < 2 ? 2 : m_.columns, missing = axes - m_.columns;
    int windows = 0;
    s_.rank = 2 + axes;
    for (int i = 0; i < axes; ++i) {
      int const axis = 2 + i, loop = i < missing ? -1 : columns_ + i - missing;
      s_.step[i] = s_.dilation[i] = 1;
      s_.before[i] = s_.behind[i] = 0;
      put(s_.y, axis, extent(loop), y_stride(loop));
      put(s_.x, axis, extent(loop), stride(x_, loop));
      put(s_.w, axis, 1, 0);
      require(stride(w_, loop) == 0);
      if (window const* const v = window_of(loop)) {
        ++windows;
        find_window(*v, loop, i);
      }
    }
    require(windows == m_.windows);
  }
  constexpr void find_window(window const& v, int loop, int i) {
    require(v.outer == loop && v.inner >= outside_ && v.shift >= 0);
    put(s_.x, 2 + i, v.extent, stride(x_, loop) / v.step);
    put(s_.w, 2 + i, extent(v.inner), stride(w_, v.inner));
    s_.step[i] = v.step;
    s_.dilation[i] = v.dilation;
    s_.before[i] = v.shift;
    std::int64_t const reach = (extent(v.inner) - 1) * v.dilation + 1, room = v.extent + 2 * v.shift - reach;
    bool const is_even = room >= 0 && room / v.step + 1 == extent(loop);
    s_.behind[i] = is_even ? v.shift : (extent(loop) - 1) * v.step + reach - v.extent - v.shift;
    require(s_.behind[i] >= 0 && v.shift < reach && s_.behind[i] < reach);
  }
  // Weights are row-major; nothing is read or written twice. The stride of an axis of one extent is what its inner axes span.
  constexpr void check_strides() {
    for (auto* a : {&s_.x, &s_.w, &s_.y}) {
      std::int64_t inside = 1;
      for (int i = static_cast<int>(s_.rank); i-- > 0;) {
        std::int64_t& stride = a->stride[i];
        if (a->extent[i] == 1) stride = inside;
        require(stride > 0 && (a != &s_.w || stride == inside));
        inside = stride * a->extent[i] > inside ? stride * a->extent[i] : inside;
      }
    }
  }
};
template <class T, class Slots, class Steps>
constexpr library_convolution as_convolution(std::type_identity<mapped_product<T, Slots, Steps>>, launch const& l) {
  using library = library_of<mapped_product<T, Slots, Steps>>;
  library_convolution r;
  library_part const part = library::part(false);
  if (part.last < 0) return r;
  r.x = library::factor(0);
  r.w = library::factor(1);
  convolution_finder const f(l, r.x, r.w, part.stored);
  r.shape = f.shape();
  r.shape.is_double = std::is_same_v<T, double>;
  if (f.found()) r.part = part;
  return r;
}

}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
