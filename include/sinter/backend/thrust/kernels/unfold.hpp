// SPDX-License-Identifier: Apache-2.0
// A convolution as products of matrices: what its windows show is written out, a column for each result, some images at a time.
#pragma once
#include "convolution.hpp"

#include <algorithm>

namespace sinter::gpu {
inline namespace SINTER_GPU_SYSTEM {
inline namespace SINTER_ISA {

// How a convolution is done so: for each image and group, a matrix of outputs x depth times one of depth x results.
struct unfolding {
  // Bytes that are written out at once, which the second cache keeps, and columns, if these are more.
  static constexpr std::int64_t room = std::int64_t{32} << 20, fewest = 32;
  convolution_shape shape;
  std::int64_t outputs = 0, depth = 0, results = 1;  // of a group
  std::int64_t images = 0, columns = 0;              // at once: some images, or some of the results of one
  std::int64_t by_row = 0, by_image = 0;             // elements from row to row of the second matrix, and from image to image
  bool possible = false, in_place = true;            // in place: the image itself is the matrix

  constexpr unfolding(convolution_shape const& s, std::int64_t bytes, std::int64_t most = room) : shape(s), depth(s.w.extent[1]) {
    outputs = s.w.extent[0] / s.groups();
    for (std::int64_t i = 2; i < s.rank; ++i) {
      results *= s.y.extent[i];
      depth *= s.w.extent[i];
      in_place = in_place && s.w.extent[i] == 1 && s.step[i - 2] == 1 && s.before[i - 2] == 0 && s.behind[i - 2] == 0;
    }
    in_place = in_place && is_dense(s.x) && s.x.stride[1] >= results;
    std::int64_t const all = std::min(s.x.extent[0], most_matrices), of_column = s.groups() * depth * bytes, of_image = of_column * results;
    images = in_place || of_image * all <= most ? all : of_image <= most ? most / of_image : 1;
    columns = in_place || of_image <= most ? results : std::min(results, std::max(fewest, most / of_column / fewest * fewest));
    by_row = in_place ? s.x.stride[1] : columns;
    by_image = in_place ? s.x.stride[0] : s.groups() * depth * columns;
    possible = results < divisor::end && is_dense(s.y);
    for (std::int64_t i = 2; i < s.rank; ++i) possible = possible && s.before[i - 2] + s.x.extent[i] + s.behind[i - 2] < divisor::end;
  }
  // Little is left for each product of many groups.
  constexpr bool is_worth_it() const { return possible && shape.groups() <= 4 && outputs >= 16 && depth >= 8 && results >= 16; }
  // visit(image, images, column, columns) for all that is done at once, until it gives false, and so does this.
  constexpr bool each_turn(auto visit) const {
    for (std::int64_t i = 0; i < shape.x.extent[0]; i += images)
      for (std::int64_t c = 0; c < results; c += columns)
        if (!visit(i, std::min(images, shape.x.extent[0] - i), c, std::min(columns, results - c))) return false;
    return true;
  }

 private:
  // Whether the axes of space lie as one.
  constexpr bool is_dense(convolution_shape::array const& a) const {
    std::int64_t step = 1;
    for (std::int64_t i = shape.rank; i-- > 2; step *= a.extent[i])
      if (a.stride[i] != step) return false;
    return true;
  }
};

// Writes them: a team for each channel of an image and place of the window, a row of the matrix.
template <class T, int Axes> struct unfold {
  struct axis {
    std::int64_t stride;
    int extent, step, dilation, before, taps, results;
    divisor by_results, by_taps;
  };
  axis of[Axes];
  T const* from;
  T* to;
  std::int64_t rows, by_row, channels, by_image, by_channel;
  std::int64_t window = 1;  // its places
  int column, columns;

  // Of one turn.
  unfold(unfolding const& u, T const* x, T* out, std::int64_t image, std::int64_t images, std::int64_t first_column, std::int64_t count)
      : to(out),
        by_row(u.by_row),
        channels(u.shape.x.extent[1]),
        by_image(u.shape.x.stride[0]),
        by_channel(u.shape.x.stride[1]),
        column(static_cast<int>(first_column)),
        columns(static_cast<int>(count)) {
    convolution_shape const& s = u.shape;
    from = x + image * by_image;
    for (int i = 0; i < Axes; ++i) {
      auto const whole = [](std::int64_t v) { return static_cast<int>(v); };
      of[i] = {s.x.stride[i + 2],
               whole(s.x.extent[i + 2]),
               whole(s.step[i]),
               whole(s.dilation[i]),
               whole(s.before[i]),
               whole(s.w.extent[i + 2]),
               whole(s.y.extent[i + 2]),
               divisor(static_cast<std::uint32_t>(s.y.extent[i + 2])),
               divisor(static_cast<std::uint32_t>(s.w.extent[i + 2]))};
      window *= s.w.extent[i + 2];
    }
    rows = images * channels * window;
  }
  std::int64_t size() const { return rows; }

  template <class Team> SINTER_HD void operator()(std::int64_t row, Team team) const {
    std::int64_t const place = row / window, image = place / channels;
    auto left = static_cast<std::uint32_t>(row - place * window);
    int first[Axes];  // where the window stands for the first result
    for (int i = Axes - 1; i >= 0; --i) {
      std::uint32_t const around = of[i].by_taps.divide(left);
      first[i] = static_cast<int>(left - around * static_cast<std::uint32_t>(of[i].taps)) * of[i].dilation - of[i].before;
      left = around;
    }
    T const* const source = from + image * by_image + (place - image * channels) * by_channel;
    T* const line = to + row * by_row;
    int const step = static_cast<int>(team.size());
    SINTER_UNROLL_BY_4
    for (int e = static_cast<int>(team.lane()); e < columns; e += step) {
      auto rest = static_cast<std::uint32_t>(column + e);
      std::int64_t at = 0;
      bool inside = true;
      SINTER_UNROLL
      for (int i = Axes - 1; i >= 0; --i) {
        std::uint32_t const around = i > 0 ? of[i].by_results.divide(rest) : 0;
        int const p = static_cast<int>(rest - around * static_cast<std::uint32_t>(of[i].results)) * of[i].step + first[i];
        inside = inside && p >= 0 && p < of[i].extent;
        at += p * of[i].stride;
        rest = around;
      }
      line[e] = inside ? source[at] : T{};
    }
  }
};

}  // namespace SINTER_ISA
}  // namespace SINTER_GPU_SYSTEM
}  // namespace sinter::gpu
