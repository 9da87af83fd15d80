/* The dialect: one small vocabulary for CUDA C++ (NVRTC, no headers) and OpenCL C 1.2, so that a kernel is one source.
 *
 *     KERNEL GROUP_SIZE_HINT(256) sum(GLOBAL const float *RESTRICT x, GLOBAL float *y, i32 n LOCAL_ARGUMENT(float, tile))
 *     {
 *         LOCAL_BIND(float, tile);
 *         const i32 i = GLOBAL_ID(0);
 *         ...
 *     }
 *
 * Rules that keep a kernel portable: never return before a BARRIER (guard the loads and stores instead); LOCAL only at
 * kernel scope, and LOCAL_POINTER(float4) p for a function's argument that points there; arguments are buffers, i32,
 * u32, float; float4 or one array per coordinate, never float3; the last argument may be dynamic local memory. Names that
 * OpenCL C has as built-in functions (mix, step, dot, ...) are no kernel names. Build defines from the device layer:
 * ORR_OPENCL or ORR_CUDA, ORR_WARP, ORR_CPU on a CPU device, ORR_NVIDIA on NVIDIA's OpenCL: ten times the compute capability,
 * 1 where it is unknown. VECTOR (1, 2, 4, 8, 16; only 1 on CUDA) makes `real` a vector of that many floats.
 *
 * Where ORR_SHUFFLES is 1, SHUFFLE(value, lane, width) is the float of lane `lane` modulo `width` among the `width` (a power
 * of two) neighbouring lanes of a warp, and WARP_MAX_I32(value) the largest that a lane of the warp has. All lanes of the warp
 * take part. There ORR_VOTES is 1 too: ANY_OF_WARP(x) is whether x holds in any lane of the warp, again with all lanes;
 * elsewhere it is x. Only there is BALLOT(x), whose bit k says whether x holds in lane k. */
#ifndef ORR_DIALECT_H
#define ORR_DIALECT_H

#ifndef VECTOR
#define VECTOR 1
#endif
#ifndef ORR_WARP
#define ORR_WARP 32
#endif
#ifndef ORR_CPU
#define ORR_CPU 0
#endif
#define ORR_JOIN_(a, b) a##b
#define ORR_JOIN(a, b) ORR_JOIN_(a, b)
#define ORR_PRAGMA(text) _Pragma(#text)

/* Before a loop with constant bounds. */
#define UNROLL _Pragma("unroll")
#define UNROLL_BY(n) ORR_PRAGMA(unroll n)

/* Some compilers define one of the two version macros only. */
#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)

/* FMA where it is written, nowhere else; NVRTC gets --fmad=false for the same reason. */
#pragma OPENCL FP_CONTRACT OFF

typedef int i32;
typedef uint u32;
typedef long i64;
typedef ulong u64;

#define KERNEL __kernel void
#define GROUP_SIZE_HINT(n) __attribute__((reqd_work_group_size(n, 1, 1)))
#define INLINE static inline __attribute__((always_inline))
#define GLOBAL __global
#define LOCAL __local
#define CONSTANT __constant
#define CONSTANT_DATA __constant /* tables at file scope */
#define LOCAL_POINTER(type) __local type *
#define RESTRICT restrict
#define LOCAL_ARGUMENT(type, name) , __local type *name
#define LOCAL_BIND(type, name) (void)name
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define BARRIER_GLOBAL() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

#define LOCAL_ID(d) ((i32)get_local_id(d))
#define LOCAL_SIZE(d) ((i32)get_local_size(d))
#define GROUP_ID(d) ((i32)get_group_id(d))
#define GROUP_COUNT(d) ((i32)get_num_groups(d))
#define GLOBAL_ID(d) ((i32)get_global_id(d))
#define GLOBAL_SIZE(d) ((i32)get_global_size(d))

#define MAKE_FLOAT2(x, y) ((float2)((x), (y)))
#define MAKE_FLOAT4(x, y, z, w) ((float4)((x), (y), (z), (w)))
#define AS_U32(x) as_uint(x)
#define AS_F32(x) as_float(x)

/* fma() without the instruction is a slow library call on a CPU. */
#if !ORR_CPU || defined(FP_FAST_FMAF) || defined(__FMA__) || defined(__FMA4__) || defined(__aarch64__)
#define FMA(a, b, c) fma((a), (b), (c))
#else
#define FMA(a, b, c) ((a) * (b) + (c))
#endif

/* Reciprocal square root, relative error below 2^-21.9. */
#define ORR_OVERLOAD static inline __attribute__((always_inline, overloadable))
#if defined(ORR_NVIDIA)
/* native_rsqrt without this flush mode is three instructions, not one. */
ORR_OVERLOAD float orr_rsqrt(float x)
{
    float y;
    __asm__("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
#elif ORR_CPU
ORR_OVERLOAD float orr_rsqrt(float x)
{
    return rsqrt(x);
}
#else
ORR_OVERLOAD float orr_rsqrt(float x)
{
    return native_rsqrt(x);
}
#endif
/* Vectors: the estimate of the x86 instruction (14 or 12 bits) and one Newton step, twice as fast on AVX-512 as what
 * rsqrt() compiles to there (square root and division). NaN at 0, where the others give infinity. */
#if ORR_CPU && defined(__AVX512F__)
ORR_OVERLOAD float16 orr_rsqrt(float16 x)
{
    const float16 y = __builtin_ia32_rsqrt14ps512_mask(x, x, (ushort)0xffff);
    return FMA(0.5f * y, FMA(-(x * y), y, (float16)(1.0f)), y);
}
#elif ORR_CPU && defined(__AVX__)
ORR_OVERLOAD float8 orr_rsqrt(float8 x);
ORR_OVERLOAD float16 orr_rsqrt(float16 x)
{
    return (float16)(orr_rsqrt(x.lo), orr_rsqrt(x.hi));
}
#else
ORR_OVERLOAD float16 orr_rsqrt(float16 x)
{
    return ORR_CPU ? rsqrt(x) : native_rsqrt(x);
}
#endif
#if ORR_CPU && defined(__AVX__)
ORR_OVERLOAD float8 orr_rsqrt(float8 x)
{
    const float8 y = __builtin_ia32_rsqrtps256(x);
    return FMA(0.5f * y, FMA(-(x * y), y, (float8)(1.0f)), y);
}
#else
ORR_OVERLOAD float8 orr_rsqrt(float8 x)
{
    return ORR_CPU ? rsqrt(x) : native_rsqrt(x);
}
#endif
#if ORR_CPU && defined(__SSE__)
ORR_OVERLOAD float4 orr_rsqrt(float4 x)
{
    const float4 y = __builtin_ia32_rsqrtps(x);
    return FMA(0.5f * y, FMA(-(x * y), y, (float4)(1.0f)), y);
}
#else
ORR_OVERLOAD float4 orr_rsqrt(float4 x)
{
    return ORR_CPU ? rsqrt(x) : native_rsqrt(x);
}
#endif
ORR_OVERLOAD float2 orr_rsqrt(float2 x)
{
    return (float2)(orr_rsqrt(x.x), orr_rsqrt(x.y));
}
#define RSQRT(x) orr_rsqrt(x)

/* OpenCL 1.2 has no shuffles; PTX does. */
#if defined(ORR_NVIDIA)
#define ORR_SHUFFLES 1
INLINE float orr_shuffle(float value, i32 lane, i32 width)
{
    float y;
    __asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, %3, 0xffffffff;" : "=f"(y) : "f"(value), "r"(lane), "r"((32 - width) << 8 | 31));
    return y;
}
#define SHUFFLE(value, lane, width) orr_shuffle((value), (lane), (width))
INLINE u32 orr_ballot(i32 yes)
{
    u32 bits;
    __asm__ volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(bits) : "r"(yes));
    return bits;
}
#define BALLOT(yes) orr_ballot(yes)
#define ORR_VOTES 1
INLINE i32 orr_any_of_warp(i32 x)
{
    i32 y;
    __asm__ volatile(
        "{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync.any.pred q, p, 0xffffffff; selp.s32 %0, 1, 0, q; }"
        : "=r"(y)
        : "r"(x));
    return y;
}
#define ANY_OF_WARP(x) orr_any_of_warp(x)
#else
#define ORR_SHUFFLES 0
#define ORR_VOTES 0
#define ANY_OF_WARP(x) (x)
#endif

/* OpenCL 1.2 has no atomic addition of floats: compare and swap until nobody came between. The first guess is 0, since a
 * plain read would be a race. */
#define ORR_ATOMIC_CAS_ADD(name, space)                                                                                \
    INLINE void name(volatile space float *at, float value)                                                            \
    {                                                                                                                  \
        volatile space u32 *word = (volatile space u32 *)at;                                                           \
        u32 seen = 0, expected;                                                                                        \
        do {                                                                                                           \
            expected = seen;                                                                                           \
            seen = atomic_cmpxchg(word, expected, as_uint(as_float(expected) + value));                                \
        } while (seen != expected);                                                                                    \
    }
ORR_ATOMIC_CAS_ADD(orr_atomic_cas_add_local, __local)
ORR_ATOMIC_CAS_ADD(orr_atomic_cas_add_global, __global)
#define ATOMIC_CAS_ADD_LOCAL_F32(at, value) orr_atomic_cas_add_local((at), (value))
#define ATOMIC_CAS_ADD_GLOBAL_F32(at, value) orr_atomic_cas_add_global((at), (value))
/* ATOMIC_ADD_LOCAL_F32 and ATOMIC_ADD_GLOBAL_F32: the device's own instruction where it is known to have one. */
#if defined(ORR_NVIDIA)
INLINE void orr_atomic_add_local(volatile __local float *at, float value)
{
    __asm__ volatile("red.shared.add.f32 [%0], %1;" : : "r"((u32)(size_t)at), "f"(value) : "memory");
}
INLINE void orr_atomic_add_global(volatile __global float *at, float value)
{
    __asm__ volatile("red.global.add.f32 [%0], %1;" : : "l"((size_t)at), "f"(value) : "memory");
}
#define ATOMIC_ADD_LOCAL_F32(at, value) orr_atomic_add_local((at), (value))
#define ATOMIC_ADD_GLOBAL_F32(at, value) orr_atomic_add_global((at), (value))
#else
#define ATOMIC_ADD_LOCAL_F32(at, value) ATOMIC_CAS_ADD_LOCAL_F32((at), (value))
#define ATOMIC_ADD_GLOBAL_F32(at, value) ATOMIC_CAS_ADD_GLOBAL_F32((at), (value))
#endif
#define ATOMIC_ADD_I32(at, value) atomic_add((at), (value)) /* local or global i32 or u32; gives the old value */
#define ATOMIC_MAX_I32(at, value) atomic_max((at), (value))
#define ATOMIC_MIN_I32(at, value) atomic_min((at), (value))
#define ATOMIC_SWAP_I32(at, value) atomic_xchg((at), (value))
#define ATOMIC_CAS_I32(at, expected, value) atomic_cmpxchg((at), (expected), (value)) /* gives what was there */
/* What other groups wrote to global memory by atomics. OpenCL 1.2 has no atomic load. */
#if defined(ORR_NVIDIA)
#define ATOMIC_READ_I32(at) (*(volatile __global const i32 *)(at))
#else
#define ATOMIC_READ_I32(at) atomic_or((volatile __global i32 *)(at), 0)
#endif
/* Whoever sees what the work-item writes to global memory after it also sees what it wrote before. */
#if defined(ORR_NVIDIA)
#define FENCE_GLOBAL() __asm__ volatile("membar.gl;" : : : "memory")
#else
#define FENCE_GLOBAL() mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif
#define LEADING_ZEROS(x) ((i32)clz((u32)(x)))
/* A work-item that waits leaves the memory alone for some `n` nanoseconds, or turns of a loop where nothing sleeps. */
#if defined(ORR_NVIDIA)
#define PAUSE(n) __asm__ volatile("nanosleep.u32 %0;" : : "r"((u32)(n)))
#else
INLINE void orr_pause(i32 n)
{
    for (volatile i32 turn = 0; turn < n; turn++)
        ;
}
#define PAUSE(n) orr_pause(n)
#endif
#define ATOMIC_OR_U32(at, value) atomic_or((at), (value))

#define COUNT_BITS(x) ((i32)popcount((u32)(x)))
#define LEADING_ZEROS_U64(x) ((i32)clz((u64)(x))) /* 64 for 0 */
#define ATOMIC_OR_U32(at, value) atomic_or((at), (value))

#define COUNT_BITS(x) ((i32)popcount((u32)(x)))
#define LEADING_ZEROS_U64(x) ((i32)clz((u64)(x))) /* 64 for 0 */

#if VECTOR == 1
typedef float real;
#define REAL_LOAD(from, k) ((from)[k])
#define REAL_STORE(value, to, k) ((to)[k] = (value))
#else
typedef ORR_JOIN(float, VECTOR) real;
#define REAL_LOAD(from, k) ORR_JOIN(vload, VECTOR)((k), (from))
#define REAL_STORE(value, to, k) ORR_JOIN(vstore, VECTOR)((value), (k), (to))
#endif
#define REAL(x) ((real)(x))
ORR_OVERLOAD float orr_sum(float x)
{
    return x;
}
ORR_OVERLOAD float orr_sum(float2 x)
{
    return x.x + x.y;
}
ORR_OVERLOAD float orr_sum(float4 x)
{
    return orr_sum(x.lo + x.hi);
}
ORR_OVERLOAD float orr_sum(float8 x)
{
    return orr_sum(x.lo + x.hi);
}
ORR_OVERLOAD float orr_sum(float16 x)
{
    return orr_sum(x.lo + x.hi);
}
#define REAL_SUM(x) orr_sum(x) /* of the lanes of a real */

#else /* CUDA */

#if VECTOR != 1
#error "VECTOR > 1 is for OpenCL devices"
#endif
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;

#define KERNEL extern "C" __global__ void
#define GROUP_SIZE_HINT(n) __launch_bounds__(n)
#define INLINE static __device__ __forceinline__
#define GLOBAL
#define LOCAL __shared__
#define CONSTANT const
#define CONSTANT_DATA __constant__ const
#define LOCAL_POINTER(type) type *
#define RESTRICT __restrict__
#define LOCAL_ARGUMENT(type, name)
#define LOCAL_BIND(type, name)                                                                                         \
    extern __shared__ float4 orr_local_memory[];                                                                       \
    type *const name = (type *)orr_local_memory
#define BARRIER() __syncthreads()
#define BARRIER_GLOBAL() __syncthreads()

#define ORR_AXIS_0 x
#define ORR_AXIS_1 y
#define ORR_AXIS_2 z
#define LOCAL_ID(d) ((i32)threadIdx.ORR_JOIN(ORR_AXIS_, d))
#define LOCAL_SIZE(d) ((i32)blockDim.ORR_JOIN(ORR_AXIS_, d))
#define GROUP_ID(d) ((i32)blockIdx.ORR_JOIN(ORR_AXIS_, d))
#define GROUP_COUNT(d) ((i32)gridDim.ORR_JOIN(ORR_AXIS_, d))
#define GLOBAL_ID(d) (GROUP_ID(d) * LOCAL_SIZE(d) + LOCAL_ID(d))
#define GLOBAL_SIZE(d) (GROUP_COUNT(d) * LOCAL_SIZE(d))

#define MAKE_FLOAT2(x, y) make_float2((x), (y))
#define MAKE_FLOAT4(x, y, z, w) make_float4((x), (y), (z), (w))
#define AS_U32(x) __float_as_uint(x)
#define AS_F32(x) __uint_as_float(x)

#define FMA(a, b, c) __fmaf_rn((a), (b), (c))
/* One instruction, relative error below 2^-22.4; rsqrtf() adds three to keep subnormals. */
INLINE float orr_rsqrt(float x)
{
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
#define RSQRT(x) orr_rsqrt(x)

#define ORR_SHUFFLES 1
#define SHUFFLE(value, lane, width) __shfl_sync(0xffffffffu, (value), (lane), (width))
#define BALLOT(yes) __ballot_sync(0xffffffffu, (yes))
#define ORR_VOTES 1
#define ANY_OF_WARP(x) __any_sync(0xffffffffu, (x))

#define ATOMIC_ADD_LOCAL_F32(at, value) ((void)atomicAdd((at), (value)))
#define ATOMIC_ADD_GLOBAL_F32(at, value) ((void)atomicAdd((at), (value)))
/* What devices without the instruction do, to compare. */
INLINE void orr_atomic_cas_add(float *at, float value)
{
    u32 seen = 0, expected;
    do {
        expected = seen;
        seen = atomicCAS((u32 *)at, expected, __float_as_uint(__uint_as_float(expected) + value));
    } while (seen != expected);
}
#define ATOMIC_CAS_ADD_LOCAL_F32(at, value) orr_atomic_cas_add((at), (value))
#define ATOMIC_CAS_ADD_GLOBAL_F32(at, value) orr_atomic_cas_add((at), (value))
#define ATOMIC_ADD_I32(at, value) atomicAdd((at), (value))
#define ATOMIC_MAX_I32(at, value) atomicMax((at), (value))
#define ATOMIC_MIN_I32(at, value) atomicMin((at), (value))
#define ATOMIC_SWAP_I32(at, value) atomicExch((at), (value))
#define ATOMIC_CAS_I32(at, expected, value) atomicCAS((at), (expected), (value))
#define ATOMIC_READ_I32(at) (*(volatile const i32 *)(at))
#define FENCE_GLOBAL() __threadfence()
#define LEADING_ZEROS(x) __clz((i32)(x))
#define PAUSE(n) __nanosleep((u32)(n))
#define ATOMIC_OR_U32(at, value) atomicOr((at), (value))

#define COUNT_BITS(x) __popc(x)
#define LEADING_ZEROS_U64(x) __clzll((i64)(x)) /* 64 for 0 */
#define ATOMIC_OR_U32(at, value) atomicOr((at), (value))

#define COUNT_BITS(x) __popc(x)
#define LEADING_ZEROS_U64(x) __clzll((i64)(x)) /* 64 for 0 */

typedef float real;
#define REAL_LOAD(from, k) ((from)[k])
#define REAL_STORE(value, to, k) ((to)[k] = (value))
#define REAL(x) ((real)(x))
#define REAL_SUM(x) (x)

#endif

/* Adds a 64-bit integer to the two u32 at `low` and `high`, in local or global memory, by additions of 32 bits that every
 * device has: who makes the low word wrap carries. The sum is whole when all have added, in whatever order. */
#define ATOMIC_ADD_WIDE(low, high, value)                                                                              \
    do {                                                                                                               \
        const u64 orr_wide = (u64)(value);                                                                             \
        const u32 orr_low = (u32)orr_wide;                                                                             \
        const u32 orr_old = orr_low ? (u32)ATOMIC_ADD_I32((low), orr_low) : 0;                                         \
        const u32 orr_high = (u32)(orr_wide >> 32) + (orr_old + orr_low < orr_old ? 1 : 0);                            \
        if (orr_high)                                                                                                  \
            ATOMIC_ADD_I32((high), orr_high);                                                                          \
    } while (0)
/* That sum, as i64, when all have added. */
#define WIDE_OF(low, high) ((i64)((u64)(low) | (u64)(high) << 32))

#if ORR_SHUFFLES
/* Of one dimension of threads. From compute capability 8.0 on the compiler knows that the result is the same for all lanes,
 * and so that loops of so many passes do not part them: without checks for that shan_n3l_free.cl has half the code. */
INLINE i32 orr_warp_max(i32 value)
{
#if defined(ORR_CUDA) && __CUDA_ARCH__ >= 800
    value = __reduce_max_sync(0xffffffffu, value);
#elif defined(ORR_NVIDIA) && ORR_NVIDIA >= 80
    __asm__ volatile("redux.sync.max.s32 %0, %1, 0xffffffff;" : "=r"(value) : "r"(value));
#else
    UNROLL
    for (i32 d = 1; d < ORR_WARP; d *= 2)
        value = max(value, (i32)AS_U32(SHUFFLE(AS_F32((u32)value), LOCAL_ID(0) ^ d, ORR_WARP)));
#endif
    return value;
}
#define WARP_MAX_I32(value) orr_warp_max(value)
#endif

/* 0 where x is 0 or subnormal: bodies at one place without softening do not act on each other. */
#define RSQRT_OR_ZERO(x) ((x) >= REAL(1.17549435e-38f) ? RSQRT(x) : REAL(0.0f))

#endif
