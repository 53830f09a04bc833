// SPDX-License-Identifier: Apache-2.0
// Multi-head attention, positions, and the blocks of a transformer (Vaswani et al., arXiv 1706.03762), on (batch, length, channels).
#pragma once
#include <limits>

#include "basic.hpp"

namespace sinter::nn {

namespace detail::inline SINTER_ISA {
// How many places x (batch, places, ...) has, an int64 scalar; they may be dynamic.
constexpr auto places_of(auto F, auto const& x) { return F.sum(F.ones_like(F.arange_like(x, axis<1>))); }

// Whether a cache and a position have the shapes that x wants, as far as the compiler knows. Some that do not would stretch.
template <int Units, class X, class K, class V, class P> constexpr bool is_cache_for() {
  if constexpr (ops::is_untyped<X> || ops::is_untyped<K> || ops::is_untyped<V> || ops::is_untyped<P>) return true;
  else if constexpr (!requires { typename P::shape_type; }) return false;
  else {
    constexpr dims x = X::shape_type::value, k = K::shape_type::value, v = V::shape_type::value;
    if constexpr (x.rank != 3 || k.rank != 3 || v.rank != 3 || P::shape_type::rank != 0) return false;
    else return may_equal(k, {x.d[0], k.d[1], Units}) && may_equal(v, {x.d[0], k.d[1], Units});
  }
}

// The attention of `block` to the places of a cache (batch, Length, Units), where it first puts what is new from `position` on. Gives what the
// block gives, and the new cache.
template <int Units, int Heads, bool IsCausal, class X, class K, class V, class P>
constexpr auto attend_to_cache(auto F, auto const& block, X const& x, K const& keys, V const& values, P const& position) {
  if constexpr (is_poison<X>) return std::tuple(x, x, x);
  else if constexpr (constexpr bool fits = is_cache_for<Units, X, K, V, P>(); !fits) {
    static_assert(
        fits,
        "sinter: an attention with a cache is called with x, keys, values and position, of shapes (batch, places, channels), twice "
        "(batch, Length, Units), and (), or, where it keeps keys and values itself, with x and position, a tensor of one int64 number");
    return std::tuple(x, keys, values);
  } else {
    auto const q = block.query(x);
    auto const new_keys = block.key(x);
    auto const new_values = block.value(x);
    auto const n = places_of(F, x);
    auto const turn = F.subtract(F.arange_like(keys, axis<1>), position);  // the row of x that belongs at each place of the cache
    auto const is_new = F.expand_dims(F.logical_and(turn >= 0, turn < n), axis<1>);
    auto const put = [&](auto const& cache, auto const& rows) {
      if constexpr (extent_of_axis<X, 1>() == 1) return F.where(is_new, rows, cache);
      else return F.where(is_new, F.take(rows, turn, axis<1>), cache);
    };
    auto const all_keys = put(keys, new_keys);
    auto const all_values = put(values, new_values);
    auto const seen = [&] {
      auto const of_turn = F.expand_dims(turn, axis<0>);
      if constexpr (IsCausal) return of_turn <= F.expand_dims(F.arange_like(x, axis<1>), axis<1>);
      else return of_turn < n;
    }();
    // What does not fit into the cache sees nothing and gives NaN.
    auto const has_room = F.logical_and(position >= 0, position <= F.subtract(places_of(F, keys), n));
    auto const y = F.scaled_dot_product_attention(q, all_keys, all_values, F.logical_and(seen, has_room), num_heads<Heads>);
    return std::tuple(block.output(y), all_keys, all_values);
  }
}
// Whether an operand is (batch, places, channels), as far as the compiler knows.
template <class X> constexpr bool has_places() {
  if constexpr (ops::is_untyped<X> || is_poison<X> || !is_one_tensor<X>) return true;
  else return X::shape_type::rank == 3;
}
template <class M> constexpr bool is_memory() {
  if constexpr (ops::is_untyped<M> || is_poison<M>) return true;
  else if constexpr (!is_one_tensor<M>) return false;
  else return dtype_of<typename M::value_type> != dtype::boolean;
}
}  // namespace detail::inline SINTER_ISA

// attention(x): each place of x attends to all of them, with IsCausal to those that are not behind it. attention(x, memory): to those of memory,
// (batch, keys, channels). attention(x, memory, mask): where the mask, which broadcasts to (batch, heads, queries, keys), is true.
// attention(x, keys, values, position): x are the places from `position` on, an int64 number, and keys and values, (batch, Length, Units), what
// the call before gave for the places until then; gives a tuple of the output and the new keys and values, which have those of x, too. The
// places of x attend to those up to their end, with IsCausal to those that are not behind them. Beyond the end of the cache it gives NaN.
// query, key, value and output are dense layers of the last axis with Units outputs, of which each head has Units / Heads.
template <int Units, int Heads, bool IsCausal = false, bool UseBias = true, class T = float>
struct multi_head_attention : hybrid_block<multi_head_attention<Units, Heads, IsCausal, UseBias, T>> {
  static_assert(Heads >= 1 && Units % Heads == 0,
                "sinter: the heads of an attention share its units equally, so their number divides that of the units, as in "
                "multi_head_attention<64, 8>");
  using linear = dense<Units, no_activation, T, UseBias, false>;
  BOOST_HANA_DEFINE_STRUCT(multi_head_attention, (linear, query), (linear, key), (linear, value), (linear, output));
  constexpr auto hybrid_forward(auto F, auto const& x) const { return attend(F, x, x); }
  constexpr auto hybrid_forward(auto F, auto const& x, auto const& memory) const { return attend(F, x, memory); }
  constexpr auto hybrid_forward(auto F, auto const& x, auto const& memory, auto const& mask) const { return attend(F, x, memory, mask); }
  constexpr auto hybrid_forward(auto F, auto const& x, auto const& keys, auto const& values, auto const& position) const {
    return detail::attend_to_cache<Units, Heads, IsCausal>(F, *this, x, keys, values, position);
  }

 private:
  template <class X, class M> constexpr auto attend(auto F, X const& x, M const& memory, auto const&... mask) const {
    if constexpr (constexpr bool has = detail::is_memory<M>(); !has) {
      static_assert(
          has, "sinter: the second operand of an attention layer is its memory, of numbers; a mask is the third: attention(x, x, mask)");
      return x;
    } else if constexpr (constexpr bool fit = detail::has_places<X>() && detail::has_places<M>(); !fit) {
      static_assert(fit,
                    "sinter: an attention layer wants operands of shape (batch, places, channels); F.expand_dims makes a batch of one");
      return x;
    } else {
      auto const q = query(x);
      auto const k = key(memory);
      auto const v = value(memory);
      if constexpr (IsCausal) return output(F.scaled_dot_product_attention(q, k, v, mask..., num_heads<Heads>, is_causal));
      else return output(F.scaled_dot_product_attention(q, k, v, mask..., num_heads<Heads>));
    }
  }
};

// A causal multi_head_attention whose keys and values are states: attention(x, position) for the places from `position` on, after those before it
// in calls before. A sequence begins with position 0, and ends with place Length - 1. Its parameters have the names of a multi_head_attention's.
template <int Units, int Heads, int Batch, int Length, bool UseBias = true, class T = float>
struct cached_attention : hybrid_block<cached_attention<Units, Heads, Batch, Length, UseBias, T>> {
  static_assert(Heads >= 1 && Units % Heads == 0,
                "sinter: the heads of an attention share its units equally, so their number divides that of the units, as in "
                "cached_attention<64, 8, 1, 128>");
  using linear = dense<Units, no_activation, T, UseBias, false>;
  using cache_shape = shape<Batch, Length, Units>;
  using cache = basic_state<T, cache_shape>;
  BOOST_HANA_DEFINE_STRUCT(cached_attention, (linear, query), (linear, key), (linear, value), (linear, output), (cache, keys),
                           (cache, values));
  template <class X> constexpr auto hybrid_forward(auto F, X const& x, auto const& position) const {
    if constexpr (is_poison<X>) return x;
    else {
      auto const y =
          detail::attend_to_cache<Units, Heads, true>(F, *this, x, F.get(keys, cache_shape{}), F.get(values, cache_shape{}), position);
      F.assign(keys, std::get<1>(y));
      F.assign(values, std::get<2>(y));
      return std::get<0>(y);
    }
  }
};

// x plus a learned row of weight (Length, Units) for each place; x is (batch, length, Units) and no longer than Length. embedding(x, position):
// of the places from `position` on, an int64 number. With these, and along a dynamic length, places that weight does not have give NaN.
template <int Length, int Units, class T = float> struct positional_embedding : hybrid_block<positional_embedding<Length, Units, T>> {
  using matrix_type = basic_parameter<T, shape<Length, Units>>;
  BOOST_HANA_DEFINE_STRUCT(positional_embedding, (matrix_type, weight));
  template <class X> constexpr auto hybrid_forward(auto F, X const& x) const {
    if constexpr (is_poison<X>) return x;
    else if constexpr (is_dynamic<X>()) return plus_rows(F, x, F.arange_like(x, axis<1>));
    else if constexpr (!has_places_for<X>()) return x;
    else {
      auto const rows = F.expand_dims(F.get(weight, shape<Length, Units>{}), axis<0>);
      return F.add(x, F.slice_like(rows, x, axis<1>));
    }
  }
  constexpr auto hybrid_forward(auto F, auto const& x, auto const& position) const {
    if constexpr (is_poison<decltype(x)>) return x;
    else return plus_rows(F, x, F.add(F.arange_like(x, axis<1>), position));
  }

 private:
  template <class X> static constexpr bool is_dynamic() {
    if constexpr (ops::is_untyped<X>) return false;
    else return X::shape_type::rank == 3 && detail::extent_of_axis<X, 1>() < 0;
  }
  template <class X> static constexpr bool has_places_for() {
    if constexpr (ops::is_untyped<X>) return true;
    else {
      constexpr bool fits = X::shape_type::rank != 3 || detail::extent_of_axis<X, 1>() <= Length;
      static_assert(fits,
                    "sinter: this text has more places than the network's positional_embedding<Length, Units> has rows, which for "
                    "basic_gpt2<Layers, Units, Heads, Words, Places> are Places; give it fewer tokens");
      return fits;
    }
  }
  constexpr auto plus_rows(auto F, auto const& x, auto const& places) const {
    auto const rows = F.take(F.get(weight, shape<Length, Units>{}), places, axis<0>);
    auto const is_there = F.expand_dims(F.logical_and(places >= 0, places < Length), axis<1>);
    return F.add(x, F.where(is_there, rows, std::numeric_limits<double>::quiet_NaN()));
  }
};
// x plus sin(p / 10000^(2 i / Units)) in its even channels 2 i and cos of the same in the odd ones, for place p.
template <int Units, class T = float> struct sinusoidal_embedding : hybrid_block<sinusoidal_embedding<Units, T>> {
  static_assert(Units >= 2 && Units % 2 == 0, "sinter: sinusoidal_embedding<64> has as many sines as cosines, so its channels are even");
  constexpr auto hybrid_forward(auto F, auto const& x) const {
    if constexpr (is_poison<decltype(x)>) return x;
    else {
      auto const place = F.cast(F.expand_dims(F.arange_like(x, axis<1>), axis<1>), as<T>);
      constexpr double step = -18.420680743952367 / Units;  // -2 log(10000) / Units
      auto const rate = F.exp(F.multiply(F.arange(values<Units / 2>, as<T>), step));
      auto const angle = F.multiply(place, rate);
      return F.add(x, F.reshape(F.stack(F.sin(angle), F.cos(angle), axis<2>), into<-1, Units>));
    }
  }
};

// Which two channels of a head rotary_embedding turns together: i and i + half of them, as GPT-NeoX and LLaMA have it, or 2 i and 2 i + 1, as
// in the paper.
enum class rotary_pairs : std::int8_t { halves, neighbours };
// Rotary positions (Su et al., arXiv 2104.09864): of x (batch, heads, length, Units), or (batch, length, Units) with Heads heads side by side,
// pair i of each head's channels is turned by the angle p Base^(-2 i / channels) at place p. rotary(x, position): the places from `position` on,
// an int64 number.
template <int Units, int Heads = 1, double Base = 10000.0, rotary_pairs Pairs = rotary_pairs::halves, class T = float>
struct rotary_embedding : hybrid_block<rotary_embedding<Units, Heads, Base, Pairs, T>> {
  static constexpr int width = Heads < 1 || Units % Heads ? 0 : Units / Heads;
  static_assert(width >= 2 && width % 2 == 0, "sinter: the heads of rotary_embedding<64, 8> have an even number of channels each");
  constexpr auto hybrid_forward(auto F, auto const& x) const {
    return turned(F, x, [&] { return F.arange_like(x, axis<-2>); });
  }
  constexpr auto hybrid_forward(auto F, auto const& x, auto const& position) const {
    return turned(F, x, [&] { return F.add(F.arange_like(x, axis<-2>), position); });
  }

 private:
  template <class X> static constexpr auto turned(auto F, X const& x, auto const& places) {
    if constexpr (is_poison<X>) return x;
    else if constexpr (constexpr int channels = detail::extent_of_axis<X, -1>(); channels >= 0 && channels != Units) {
      static_assert(channels == Units,
                    "sinter: rotary_embedding<Units, Heads> turns the last axis of its operand, which has Units channels");
      return x;
    } else {
      constexpr bool halves = Pairs == rotary_pairs::halves;
      auto const channel = F.arange(values<Units>, as<std::int64_t>);
      auto const own = F.mod(channel, width);  // within its head
      auto const is_first = halves ? own < width / 2 : F.equal(F.mod(own, 2), 0);
      auto const pair = halves ? F.mod(own, width / 2) : F.floor_divide(own, 2);
      auto const rate = F.exp(F.multiply(F.cast(pair, as<double>), -2 * math::log(Base) / width));
      // In double, so that far places have angles, too, if x is of a narrow dtype.
      auto const angle = F.multiply(F.expand_dims(F.cast(places(), as<double>), axis<1>), rate);
      auto const sine = F.cast(F.where(is_first, F.negative(F.sin(angle)), F.sin(angle)), as<T>);
      constexpr int apart = halves ? width / 2 : 1;
      auto const other = F.take(x, F.where(is_first, F.add(channel, apart), F.subtract(channel, apart)), axis<-1>);
      return F.add(F.multiply(x, F.cast(F.cos(angle), as<T>)), F.multiply(other, sine));
    }
  }
};

// The two dense layers behind an attention: Hidden units with an activation, then Units again.
template <int Units, int Hidden, class Activation = relu, auto Dropout = 0.0, class T = float>
struct positionwise_ffn : hybrid_block<positionwise_ffn<Units, Hidden, Activation, Dropout, T>> {
  using inner = dense<Hidden, Activation, T, true, false>;
  using outer = dense<Units, no_activation, T, true, false>;
  BOOST_HANA_DEFINE_STRUCT(positionwise_ffn, (inner, hidden), (outer, output), (dropout<Dropout>, drop));
  constexpr auto hybrid_forward(auto, auto const& x) const { return drop(output(hidden(x))); }
};
// Attention and a positionwise_ffn, each added to what it was given; layer norms stand behind the sums, with PreNorm in front of both.
// cell(x), or cell(x, mask) with a mask of (batch, heads, length, length), or one that broadcasts to it.
template <int Units, int Hidden, int Heads, class Activation = relu, auto Dropout = 0.0, bool PreNorm = false, bool IsCausal = false,
          class T = float>
struct transformer_encoder_cell : hybrid_block<transformer_encoder_cell<Units, Hidden, Heads, Activation, Dropout, PreNorm, IsCausal, T>> {
  using attention_type = multi_head_attention<Units, Heads, IsCausal, true, T>;
  using ffn_type = positionwise_ffn<Units, Hidden, Activation, Dropout, T>;
  BOOST_HANA_DEFINE_STRUCT(transformer_encoder_cell, (attention_type, attention), (layer_norm<T>, attention_norm), (ffn_type, ffn),
                           (layer_norm<T>, ffn_norm), (dropout<Dropout>, drop));
  constexpr auto hybrid_forward(auto, auto const& x, auto const&... mask) const {
    if constexpr (PreNorm) {
      auto const normal = attention_norm(x);
      auto const y = x + drop(attention(normal, normal, mask...));
      return y + ffn(ffn_norm(y));
    } else {
      auto const y = attention_norm(x + drop(attention(x, x, mask...)));
      return ffn_norm(y + ffn(y));
    }
  }
};
// The same with an attention to what an encoder gave between them: cell(x, memory), or cell(x, memory, mask) with a mask of the memory's places.
// Its first attention is causal.
template <int Units, int Hidden, int Heads, class Activation = relu, auto Dropout = 0.0, bool PreNorm = false, class T = float>
struct transformer_decoder_cell : hybrid_block<transformer_decoder_cell<Units, Hidden, Heads, Activation, Dropout, PreNorm, T>> {
  using causal_type = multi_head_attention<Units, Heads, true, true, T>;
  using cross_type = multi_head_attention<Units, Heads, false, true, T>;
  using ffn_type = positionwise_ffn<Units, Hidden, Activation, Dropout, T>;
  BOOST_HANA_DEFINE_STRUCT(transformer_decoder_cell, (causal_type, attention), (layer_norm<T>, attention_norm), (cross_type, cross),
                           (layer_norm<T>, cross_norm), (ffn_type, ffn), (layer_norm<T>, ffn_norm), (dropout<Dropout>, drop));
  constexpr auto hybrid_forward(auto, auto const& x, auto const& memory, auto const&... mask) const {
    if constexpr (PreNorm) {
      auto const y = x + drop(attention(attention_norm(x)));
      auto const z = y + drop(cross(cross_norm(y), memory, mask...));
      return z + ffn(ffn_norm(z));
    } else {
      auto const y = attention_norm(x + drop(attention(x)));
      auto const z = cross_norm(y + drop(cross(y, memory, mask...)));
      return ffn_norm(z + ffn(z));
    }
  }
};

}  // namespace sinter::nn
