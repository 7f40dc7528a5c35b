#pragma once
// simd.h — the only file that asks which processor the code is compiled for.
//
// Vector code elsewhere is plain C++ that the compiler vectorises, or calls the few helpers below, which have
// a portable form on every architecture.

#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace perflab {

// Instruction sets that this translation unit's flags allow the compiler to use; compared with the machine by
// cpu_guard.
enum CpuFeature : std::uint32_t {
  feature_avx = 1,
  feature_avx2 = 2,
  feature_fma = 4,
  feature_avx512f = 8,
  feature_bmi2 = 16,
  feature_avx512bw = 32,
  feature_avx512vl = 64,
  feature_avx512vbmi = 128,
  feature_f16c = 256
};

constexpr std::uint32_t compiled_features() {
  std::uint32_t mask = 0;
#if defined(__AVX__)
  mask |= feature_avx;
#endif
#if defined(__AVX2__)
  mask |= feature_avx2;
#endif
#if defined(__FMA__)
  mask |= feature_fma;
#endif
#if defined(__AVX512F__)
  mask |= feature_avx512f;
#endif
#if defined(__BMI2__)
  mask |= feature_bmi2;
#endif
#if defined(__AVX512BW__)
  mask |= feature_avx512bw;
#endif
#if defined(__AVX512VL__)
  mask |= feature_avx512vl;
#endif
#if defined(__AVX512VBMI__)
  mask |= feature_avx512vbmi;
#endif
#if defined(__F16C__)
  mask |= feature_f16c;
#endif
  return mask;
}

// Floats in the widest vector register that the flags allow, and how many such registers there are: a kernel
// that keeps its values in registers sizes itself by them.
constexpr int vector_floats() {
#if defined(__AVX512F__)
  return 16;
#elif defined(__AVX__)
  return 8;
#else
  return 4;
#endif
}
constexpr int vector_registers() {
#if defined(__AVX512F__) || defined(__aarch64__)
  return 32;
#else
  return 16;
#endif
}
// A register full of floats; + - * work element by element and round as on single floats.
using Floats = float __attribute__((vector_size(4 * vector_floats())));

inline Floats load_floats(const float* from) {  // any address
  Floats value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}
inline void store_floats(float* to, Floats value) { std::memcpy(to, &value, sizeof(value)); }

// condition ? yes : no, of values that are computed anyway. Compilers turn ?: into jumps when they see fit,
// and a loop with jumps stays scalar code.
constexpr std::uint32_t select_bits(bool condition, std::uint32_t yes, std::uint32_t no) {
  const std::uint32_t mask = 0u - std::uint32_t(condition);
  return (yes & mask) | (no & ~mask);
}

// a*b+c, rounded once where the flags allow fused instructions, else twice.
inline Floats multiply_add(Floats a, Floats b, Floats c) {
#if defined(__AVX512F__)
  return Floats(_mm512_fmadd_ps(__m512(a), __m512(b), __m512(c)));
#elif defined(__AVX__) && defined(__FMA__)
  return Floats(_mm256_fmadd_ps(__m256(a), __m256(b), __m256(c)));
#elif defined(__aarch64__)
  for (int i = 0; i < vector_floats(); ++i) c[i] = __builtin_fmaf(a[i], b[i], c[i]);
  return c;
#else
  return a * b + c;
#endif
}

// The same for one float, so that loops over it become vector code (std::fma without the instruction is a
// slow call).
inline float multiply_add(float a, float b, float c) {
#if defined(__FMA__) || defined(__AVX512F__) || defined(__aarch64__)
  return __builtin_fmaf(a, b, c);
#else
  return a * b + c;
#endif
}

// Conversion of half_group() halves (IEEE binary16) to floats and back, to nearest even. 0 where the flags do
// not allow the instructions: then these do nothing, and base/half.cpp has the portable form.
constexpr int half_group() {
#if defined(__AVX512F__)
  return 16;
#elif defined(__F16C__)
  return 8;
#else
  return 0;
#endif
}
// (The masked forms with a full mask are the same instructions; the plain ones draw a false warning from
// GCC 12.)
inline void floats_from_halves([[maybe_unused]] const std::uint16_t* from, [[maybe_unused]] float* to) {
#if defined(__AVX512F__)
  _mm512_storeu_ps(to,
                   _mm512_maskz_cvtph_ps(0xffff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
#elif defined(__F16C__)
  _mm256_storeu_ps(to, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
#endif
}
inline void halves_from_floats([[maybe_unused]] const float* from, [[maybe_unused]] std::uint16_t* to) {
#if defined(__AVX512F__)
  const __m256i halves = _mm512_maskz_cvtps_ph(0xffff, _mm512_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), halves);
#elif defined(__F16C__)
  const __m128i halves = _mm256_cvtps_ph(_mm256_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), halves);
#endif
}

// Instruction sets that the machine at hand really has; all of them where there is nothing to ask.
inline std::uint32_t detected_features() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return (__builtin_cpu_supports("avx") ? feature_avx : 0u) |
         (__builtin_cpu_supports("avx2") ? feature_avx2 : 0u) |
         (__builtin_cpu_supports("fma") ? feature_fma : 0u) |
         (__builtin_cpu_supports("avx512f") ? feature_avx512f : 0u) |
         (__builtin_cpu_supports("bmi2") ? feature_bmi2 : 0u) |
         (__builtin_cpu_supports("avx512bw") ? feature_avx512bw : 0u) |
         (__builtin_cpu_supports("avx512vl") ? feature_avx512vl : 0u) |
         (__builtin_cpu_supports("avx512vbmi") ? feature_avx512vbmi : 0u) |
         (__builtin_cpu_supports("f16c") ? feature_f16c : 0u);
#else
  return ~0u;
#endif
}

// Tells the processor that this is a spin loop.
inline void spin_pause() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Stores one cache line's worth of floats past the caches when the architecture can; needs 64-byte alignment.
inline constexpr std::int64_t stream_floats = 16;
inline void stream_store(float* to, const float* from) {
#if defined(__AVX512F__)
  _mm512_stream_ps(to, _mm512_loadu_ps(from));
#elif defined(__AVX__)
  _mm256_stream_ps(to, _mm256_loadu_ps(from));
  _mm256_stream_ps(to + 8, _mm256_loadu_ps(from + 8));
#elif defined(__SSE2__)
  for (int i = 0; i < 16; i += 4) _mm_stream_ps(to + i, _mm_loadu_ps(from + i));
#else
  for (int i = 0; i < 16; ++i) to[i] = from[i];
#endif
}
constexpr bool has_stream_stores() {
#if defined(__SSE2__)
  return true;
#else
  return false;
#endif
}
// Orders streaming stores before whatever publishes them.
inline void stream_fence() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

// As many 64-bit lanes as fill a vector register.
using Lanes64 = std::uint64_t __attribute__((vector_size(4 * vector_floats())));

// Products of the lanes' low 32 bits, whatever stands in the high ones: one instruction, where a plain 64-bit
// product takes several.
inline Lanes64 multiply_low_words(Lanes64 a, Lanes64 b) {
#if defined(__AVX512F__)
  return Lanes64(_mm512_maskz_mul_epu32(__mmask8(-1), __m512i(a), __m512i(b)));  // without mask GCC 12 warns
#elif defined(__AVX2__)
  return Lanes64(_mm256_mul_epu32(__m256i(a), __m256i(b)));
#elif defined(__SSE2__) && !defined(__AVX__)
  return Lanes64(_mm_mul_epu32(__m128i(a), __m128i(b)));
#else
  return (a & 0xffffffffu) * (b & 0xffffffffu);
#endif
}

}  // namespace perflab
