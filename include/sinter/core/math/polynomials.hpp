// SPDX-License-Identifier: Apache-2.0
// The double-precision polynomials, written once for scalars and for vectors: horner() is found for the type of the argument.
//
// Minimax fits (Remez; the leading coefficients rounded one by one, the rest fitted again); each comment gives the largest error,
// relative to the whole function.
#pragma once

#include "basic.hpp"

namespace sinter::math::detail::inline SINTER_ISA {

// (e^r - 1 - r) / r^2 for |r| <= log(2) / 2: 2^-63.
template <class V>
SINTER_HD SINTER_INLINE constexpr V exp_tail(V const& r) {
  return horner(r, 0x1.2051e8d88f04bp-29, 0x1.af744cbc9802ap-26, 0x1.27e449ef54370p-22, 0x1.71ddeaab442f9p-19, 0x1.a01a01e8ccedap-16,
                0x1.a01a01b5f4c69p-13, 0x1.6c16c16c0a3f0p-10, 0x1.111111110e54ap-7, 0x1.555555555556cp-5, 0x1.555555555555dp-3,
                0x1.0000000000000p-1);
}

// (2 atanh(s) - 2 s) / s^3 in z = s^2, |s| <= 3 - sqrt(8): 2^-59.
template <class V>
SINTER_HD SINTER_INLINE constexpr V log_tail(V const& z) {
  return horner(z, 0x1.2f03ee515e093p-3, 0x1.39a1e430dd972p-3, 0x1.74663d14abb46p-3, 0x1.c71c5213b41e4p-3, 0x1.24924941e1e64p-2,
                0x1.999999997ff13p-2, 0x1.5555555555592p-1);
}

// (2 atanh(s) - 2 s - 2/3 s^3) / s^5 in z = s^2, same range: 2^-73.
template <class V>
SINTER_HD SINTER_INLINE constexpr V log_second_tail(V const& z) {
  return horner(z, 0x1.eac5af91517d2p-4, 0x1.de3d720207974p-4, 0x1.11206f2740f23p-3, 0x1.3b1364c968123p-3, 0x1.745d182956448p-3,
                0x1.c71c71c5968fcp-3, 0x1.2492492492f51p-2, 0x1.9999999999996p-2);
}

// (erf(x) - x) / x in z = x^2, |x| <= 1: 2^-56.
template <class V>
SINTER_HD SINTER_INLINE constexpr V erf_near_zero(V const& z) {
  return horner(z, -0x1.b177c9fe138d2p-31, 0x1.d903f4677afc1p-27, -0x1.5c4bd505e53cfp-23, 0x1.b98a802e9eb63p-20, -0x1.f4cb4c43afaefp-17,
                0x1.f9a2c90e0e11cp-14, -0x1.c02db0b4c1912p-11, 0x1.565bccfaea420p-8, -0x1.b82ce311f8d94p-6, 0x1.ce2f21a040747p-4,
                -0x1.812746b0379a9p-2, 0x1.06eba8214db68p-3);
}

// erfc(x) exp(x^2) in t = (x - 2) / (x + 2), 1 <= x <= 6: 2^-61 of erf(x).
template <class V>
SINTER_HD SINTER_INLINE constexpr V erfc_scaled(V const& t) {
  return horner(t, 0x1.cbf17c12bbd4fp-21, -0x1.61ac48168a3c6p-21, -0x1.e0d4e72765f36p-17, -0x1.cb761bcb0b11bp-16, 0x1.cf56a605a7222p-16,
                0x1.6dabd2822710cp-13, 0x1.6d55fb3046172p-15, -0x1.016b6908cadfep-10, -0x1.bc25a326b830ep-11, 0x1.ca95ed64d3e04p-8,
                0x1.e9471598cc90bp-9, -0x1.437f0b68c26b9p-4, 0x1.eeea7dc8a77efp-3, -0x1.b57034efd3f71p-2, 0x1.058671b52c776p-2);
}

// (sin(r) - r) / r^3 in z = r^2, |r| <= pi / 4: 2^-58.
template <class V>
SINTER_HD SINTER_INLINE constexpr V sin_tail(V const& z) {
  return horner(z, 0x1.5d9394f1813c7p-33, -0x1.ae5e686edc91bp-26, 0x1.71de357ae6995p-19, -0x1.a01a019c15e86p-13, 0x1.111111110f8a5p-7,
                -0x1.5555555555549p-3);
}

// (cos(r) - 1 + r^2 / 2) / r^4 in z = r^2, |r| <= pi / 4: 2^-64.
template <class V>
SINTER_HD SINTER_INLINE constexpr V cos_tail(V const& z) {
  return horner(z, -0x1.8fb11d7e10256p-37, 0x1.1ee9f131a1f0cp-29, -0x1.27e4f8128e0bcp-22, 0x1.a01a019cbf383p-16, -0x1.6c16c16c1521ep-10,
                0x1.555555555554cp-5);
}

inline constexpr double log2_e = 0x1.71547652b82fep+0;
// log(2) in two parts, the first so short that its product with an exponent is exact.
inline constexpr double ln2_high = 0x1.62e42fefap-1;
inline constexpr double ln2_low = 0x1.cf79abc9e3b3ap-40;

}  // namespace sinter::math::detail::inline SINTER_ISA
