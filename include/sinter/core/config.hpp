// SPDX-License-Identifier: Apache-2.0
// What differs between compilers and instruction sets, in one place.
#pragma once

// Compiler flags that sinter does not support are reported in one sentence. Every header of core/ includes this one first, and all other
// rooms include core/. Including a file that does not exist ends the compilation, so that nothing else is printed.
#if __cplusplus < 202002L
#error "sinter: this is C++20; compile with -std=c++20"
#elif !defined(__cpp_exceptions)
#error "sinter: mistakes are reported by exceptions; compile without -fno-exceptions"
#elif defined(__FAST_MATH__) || __FINITE_MATH_ONLY__ || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    defined(__NO_SIGNED_ZEROS__)
#error \
    "sinter: -ffast-math would make results wrong; compile without it, -Ofast, and what they switch on one by one (-fassociative-math, ...)"
#elif __FLT_EVAL_METHOD__ == 2
#error "sinter: floats would be computed in another precision than theirs; compile with -msse2 -mfpmath=sse"
#else
#define SINTER_CAN_BE_COMPILED
#endif
#if !defined(SINTER_CAN_BE_COMPILED)
#include <sinter cannot be compiled: see the error above>
#endif

// Clang has no macro for most of these flags. With each of them its optimizer knows one of these truths about any number, which is no constant
// otherwise; then the call stays, and is an error with one sentence. Without optimization a warning of Clang's own tells of NaN and infinities, but not
// in headers of the system, nor with -w.
#if defined(__clang__) && defined(__OPTIMIZE__) && !defined(__CUDACC__)
namespace sinter::detail {
__attribute__((
    error("sinter: -ffast-math would make results wrong; compile without it, and what it switches on one by one "
          "(-fno-honor-nans, -fno-signed-zeros, -fassociative-math, ...)"))) void
flags_of_fast_math();
__attribute__((used)) inline void refuse_fast_math(double x) {
#define SINTER_ARE_THE_SAME(a, b) \
  __builtin_constant_p(__builtin_bit_cast(unsigned long long, a) == __builtin_bit_cast(unsigned long long, b))
  constexpr double infinity = __builtin_bit_cast(double, 0x7ff0000000000000ull);
  if (__builtin_constant_p(x != x) || __builtin_constant_p(x == infinity) ||  // -fno-honor-nans, -fno-honor-infinities
      SINTER_ARE_THE_SAME(x + 0., x) || SINTER_ARE_THE_SAME(x / 3, x * (1. / 3)) ||  // -fno-signed-zeros, -freciprocal-math
      SINTER_ARE_THE_SAME(x + 1 - 1, x))  // -fassociative-math
    flags_of_fast_math();
#undef SINTER_ARE_THE_SAME
}
}  // namespace sinter::detail
#elif defined(__clang__) && !defined(__CUDACC__)
#pragma clang diagnostic push
#pragma clang diagnostic error "-Wnan-infinity-disabled"
namespace sinter::detail {
constexpr int a_nan = __builtin_isnan(__builtin_nan(""));  // sinter: compile without -fno-honor-nans
constexpr int an_infinity = __builtin_isinf(__builtin_inf());  // sinter: compile without -fno-honor-infinities
}  // namespace sinter::detail
#pragma clang diagnostic pop
#endif

#define SINTER_VERSION_MAJOR 0
#define SINTER_VERSION_MINOR 1
#define SINTER_VERSION_PATCH 0

// 1: graphs and plans are verified between the passes (graph/verify.hpp), which takes time when a network is compiled. It must be the same
// in the whole program.
#if !defined(SINTER_CHECK_LEVEL)
#define SINTER_CHECK_LEVEL 0
#endif

// 1: the indices of single elements of a tensor are checked, which takes time. As with assert, it is 0 where NDEBUG is defined.
#if !defined(SINTER_CHECK_ELEMENTS)
#if defined(NDEBUG)
#define SINTER_CHECK_ELEMENTS 0
#else
#define SINTER_CHECK_ELEMENTS 1
#endif
#endif

// 0: memory that is freed goes back to the system at once (core/memory.hpp), so that sanitizers see what is used after its end, and valgrind where
// it is defined as 0. It must be the same in the whole program.
#if !defined(SINTER_KEEPS_MEMORY)
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(hwaddress_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(thread_sanitizer)
#define SINTER_KEEPS_MEMORY 0
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SINTER_KEEPS_MEMORY 0
#endif
#endif
#if !defined(SINTER_KEEPS_MEMORY)
#define SINTER_KEEPS_MEMORY 1
#endif

// A function that kernels call: nvcc has to be told that device code may call it, too.
#if defined(__CUDACC__)
#define SINTER_HD __host__ __device__
#else
#define SINTER_HD
#endif
// In front of a template that is given a function: keeps nvcc from warning of host functions.
#if defined(__CUDACC__)
#define SINTER_HD_IF_CALLED _Pragma("nv_exec_check_disable")
#else
#define SINTER_HD_IF_CALLED
#endif
// In front of a loop over a few elements that should stay in registers, or of one that is seldom run and should stay short.
#if defined(__CUDA_ARCH__)
#define SINTER_UNROLL _Pragma("unroll")
#define SINTER_UNROLL_BY_4 _Pragma("unroll 4")
#define SINTER_ROLLED _Pragma("unroll 1")
#else
#define SINTER_UNROLL
#define SINTER_UNROLL_BY_4
#define SINTER_ROLLED
#endif

// An overload that only reports an error. This is the one form that GCC, Clang and nvcc report on the caller's own line. Give it a body, so
// that no other errors follow.
#define SINTER_UNAVAILABLE(why) __attribute__((unavailable("sinter: " why)))

// In a header whose macros are not to be printed around each error in what a user writes between their parentheses.
#if defined(__CUDACC__)
#define SINTER_MACROS_ARE_NOT_PRINTED
#else
#define SINTER_MACROS_ARE_NOT_PRINTED _Pragma("GCC system_header")
#endif

// C++23: a member function that knows the class of its object. Clang 19 has it, and does not say so by the macro.
#if defined(__cpp_explicit_this_parameter) || (defined(__clang__) && __clang_major__ >= 19 && __cplusplus > 202002L)
#define SINTER_EXPLICIT_THIS 1
#else
#define SINTER_EXPLICIT_THIS 0
#endif

// The name of the function that it stands in, with its template arguments.
#define SINTER_FUNCTION __PRETTY_FUNCTION__

// Functions and lambdas that a kernel must not call. Without optimization everything is slow, and to inline all the same would make the
// code, and the time to compile it, half as large again.
#if defined(__OPTIMIZE__)
#define SINTER_INLINED __attribute__((always_inline))
#else
#define SINTER_INLINED
#endif
#define SINTER_INLINE inline SINTER_INLINED
#define SINTER_NOINLINE __attribute__((noinline))
#define SINTER_COLD __attribute__((cold))  // small code, which is soon compiled, and not fast
#define SINTER_FLATTEN __attribute__((flatten))  // all that such a function calls is inlined, as far as the compiler knows it

// A target that links sinter::compiled has SINTER_COMPILED defined, and what all of its files share is compiled in one of them
// (cmake/sinter-compiled.cpp). The others, where SINTER_COMPILED_ELSEWHERE is defined, only declare it. SINTER_COMPILED_ONCE stands in front
// of the definition of such a function, SINTER_COMPILED_TEMPLATE in front of an instantiation. What nvcc compiles shares nothing.
#if defined(__CUDACC__)
#undef SINTER_COMPILED
#endif
#define SINTER_EMITTED __attribute__((used)) inline  // compiled here, though other files call it
#if defined(SINTER_COMPILED) && defined(SINTER_COMPILED_HERE)
#define SINTER_COMPILED_ONCE SINTER_EMITTED
#else
#define SINTER_COMPILED_ONCE inline
#endif
#if defined(SINTER_COMPILED) && !defined(SINTER_COMPILED_HERE)
#define SINTER_COMPILED_ELSEWHERE
#define SINTER_COMPILED_TEMPLATE extern template
#else
#define SINTER_COMPILED_TEMPLATE template
#endif

// std::strspn and std::strcspn in constant expressions: one step of GCC for all characters, each of which would take 400 bytes of its memory.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define SINTER_STRSPN(s, set) static_cast<int>(__builtin_strspn(s, set))
#define SINTER_STRCSPN(s, set) static_cast<int>(__builtin_strcspn(s, set))
#endif

// std::is_constant_evaluated() in an if whose branch a program without optimization is not to contain: that is a call, this is a constant.
#define SINTER_IS_CONSTANT __builtin_is_constant_evaluated()

// A name for each instruction set, which is part of the name of every function. Otherwise two translation units with different -m flags
// would define the same symbol, and the linker would keep either of them. Functions, and types that only one translation unit uses, are in
// an inline namespace of this name. Types that units pass to each other (tensors, networks, errors) are outside of it, and their member
// functions are SINTER_OWN.
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__)
#define SINTER_ISA avx512
#elif defined(__AVX2__) && defined(__FMA__)
#define SINTER_ISA avx2_fma
#elif defined(__AVX2__)
#define SINTER_ISA avx2
#elif defined(__AVX__)
#define SINTER_ISA avx
#elif defined(__SSE4_2__)
#define SINTER_ISA sse42
#elif defined(__x86_64__)
#define SINTER_ISA sse2
#else
#define SINTER_ISA baseline
#endif
#if defined(__CUDACC__)
#define SINTER_OWN
#else
#define SINTER_SPELL(name) #name
#define SINTER_SPELL_MACRO(name) SINTER_SPELL(name)
#define SINTER_OWN __attribute__((abi_tag(SINTER_SPELL_MACRO(SINTER_ISA))))
#endif

// Keeps the compiler from contracting a product with a later sum: GCC contracts `a * b + c` into one fma across statements, inlined
// functions and even intrinsics (its default for C++), Clang does with -ffp-contract=fast. It also keeps a loaded value from being loaded
// again. The empty statement costs no instruction. `v` is a float, a double or a native vector register.
#if defined(__CUDA_ARCH__)
#define SINTER_KEEP_ROUNDED(v) ((void)(v))
#elif defined(__x86_64__) && defined(__AVX512F__)
#define SINTER_KEEP_ROUNDED(v) __asm__("" : "+v"(v))
#elif defined(__x86_64__) || defined(__SSE2__)
#define SINTER_KEEP_ROUNDED(v) __asm__("" : "+x"(v))
#elif defined(__aarch64__)
#define SINTER_KEEP_ROUNDED(v) __asm__("" : "+w"(v))
#else
#define SINTER_KEEP_ROUNDED(v) ((void)(v))
#endif
