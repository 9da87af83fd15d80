/* SPDX-License-Identifier: MIT */
/* The dialect: one source for OpenCL C from 1.2 on and CUDA C++ (NVRTC, no headers). A kernel is
 * written in OpenCL C, whose functions CUDA gets here; what differs in syntax has a macro.
 *
 *     KERNEL GROUP_SIZE(256) sum(GLOBAL const float *RESTRICT x, GLOBAL float *y, i32 n
 *                                LOCAL_ARGUMENT(float, tile))
 *     {
 *         LOCAL_BIND(float, tile);
 *         const i32 i = get_global_id(0);
 *         ...
 *     }
 *
 * Rules that keep a kernel portable:
 * - Never return before a barrier(): guard the loads and stores instead.
 * - get_local_id() and the like go into an i32 before they meet other numbers: OpenCL's are size_t.
 * - GROUP_SIZE is a requirement: launch just so many threads a group. CUDA gets it as a bound.
 * - LOCAL only at kernel scope; a function takes a LOCAL_POINTER(float4) to such a variable.
 * - Arguments are buffers, i32, u32, float; the last one may be dynamic local memory.
 * - float4 or one array per coordinate, never float3.
 * - Names of built-in functions of OpenCL C (mix, step, dot, ...) are no kernel names.
 * - A macro uses no variable but those in its arguments.
 *
 * Build defines from the device layer: ORR_OPENCL or ORR_CUDA; ORR_WARP; ORR_CPU on a CPU device;
 * ORR_NVIDIA on NVIDIA's OpenCL, ten times the compute capability, 1 where it is unknown;
 * ORR_SUBGROUPS where OpenCL's sub-groups are the warps, ORR_FLOAT_ATOMICS where OpenCL adds floats
 * in one operation. VECTOR (1, 2, 4, 8, 16; only 1 on CUDA) makes `real` a vector of that many
 * floats. */
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
#define ORR_TEXT_(x) #x
#define ORR_TEXT(x) ORR_TEXT_(x)

/* Groups that a multiprocessor is to hold together, which bounds the registers of a thread from
 * above and below; 0: as the compiler likes. A kernel that wants it is a KERNEL
 * GROUP_BOUNDS(threads), and RESIDENT_BOUND() stands first in its body. */
#ifndef RESIDENT
#define RESIDENT 0
#endif

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

#if defined(ORR_SUBGROUPS)
#define KERNEL __attribute__((intel_reqd_sub_group_size(ORR_WARP))) __kernel void
#else
#define KERNEL __kernel void
#endif
#define GROUP_SIZE(n) __attribute__((reqd_work_group_size(n, 1, 1)))
#define GROUP_BOUNDS(n) GROUP_SIZE(n)
/* OpenCL C cannot say it: harness/device/ptx_bounds.c finds this in what NVIDIA compiles. */
#if defined(ORR_NVIDIA) && RESIDENT > 0
#define RESIDENT_BOUND() __asm__ volatile("// orr_resident " ORR_TEXT(RESIDENT))
#else
#define RESIDENT_BOUND() ((void)0)
#endif
#define INLINE static inline __attribute__((always_inline))
#define GLOBAL __global
#define LOCAL __local
#define LOCAL_POINTER(type) __local type *
#define RESTRICT restrict
#define LOCAL_ARGUMENT(type, name) , __local type *name
#define LOCAL_BIND(type, name) (void)name

#define MAKE_FLOAT2(x, y) ((float2)((x), (y)))
#define MAKE_FLOAT4(x, y, z, w) ((float4)((x), (y), (z), (w)))
#define MAKE_INT2(x, y) ((int2)((x), (y)))

/* fma() without the instruction is a slow library call on a CPU. */
#if !ORR_CPU || defined(FP_FAST_FMAF) || defined(__FMA__) || defined(__FMA4__) || \
    defined(__aarch64__)
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
/* Vectors: the estimate of the x86 instruction (14 or 12 bits) and one Newton step, twice as fast
 * on AVX-512 as what rsqrt() compiles to there (square root and division). NaN at 0, where the
 * others give infinity. */
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
#define GROUP_SIZE(n) __launch_bounds__(n)
#if RESIDENT > 0
#define GROUP_BOUNDS(n) __launch_bounds__(n, RESIDENT)
#else
#define GROUP_BOUNDS(n) GROUP_SIZE(n)
#endif
#define RESIDENT_BOUND() ((void)0)
#define INLINE static __device__ __forceinline__
#define GLOBAL
#define LOCAL __shared__
#define LOCAL_POINTER(type) type *
#define RESTRICT __restrict__
#define LOCAL_ARGUMENT(type, name)
#define LOCAL_BIND(type, name)                   \
    extern __shared__ float4 orr_local_memory[]; \
    type *const name = (type *)orr_local_memory

/* OpenCL C's own functions; d is 0, 1 or 2, literally. Indices are i32 here and size_t there:
 * `const i32 t = get_local_id(0);` first, then arithmetic and comparisons with t. */
#define ORR_AXIS_0 x
#define ORR_AXIS_1 y
#define ORR_AXIS_2 z
#define get_local_id(d) ((i32)threadIdx.ORR_JOIN(ORR_AXIS_, d))
#define get_local_size(d) ((i32)blockDim.ORR_JOIN(ORR_AXIS_, d))
#define get_group_id(d) ((i32)blockIdx.ORR_JOIN(ORR_AXIS_, d))
#define get_num_groups(d) ((i32)gridDim.ORR_JOIN(ORR_AXIS_, d))
#define get_global_id(d) (get_group_id(d) * get_local_size(d) + get_local_id(d))
#define get_global_size(d) (get_num_groups(d) * get_local_size(d))

/* __syncthreads() is a fence for global memory too. */
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
#define barrier(fences) ((void)(fences), __syncthreads())

#define as_int(x) __float_as_int(x)
#define as_uint(x) __float_as_uint(x)
INLINE float as_float(u32 x)
{
    return __uint_as_float(x);
}
INLINE float as_float(i32 x)
{
    return __int_as_float(x);
}

/* clz(0) is the width of the type. */
INLINE i32 clz(i32 x)
{
    return __clz(x);
}
INLINE u64 clz(u64 x)
{
    return (u64)__clzll((i64)x);
}
INLINE u32 popcount(u32 x)
{
    return (u32)__popc(x);
}

#define MAKE_FLOAT2(x, y) make_float2((x), (y))
#define MAKE_FLOAT4(x, y, z, w) make_float4((x), (y), (z), (w))
#define MAKE_INT2(x, y) make_int2((x), (y))

#define FMA(a, b, c) __fmaf_rn((a), (b), (c))
/* One instruction, relative error below 2^-22.4; rsqrtf() adds three to keep subnormals. */
INLINE float orr_rsqrt(float x)
{
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
#define RSQRT(x) orr_rsqrt(x)

typedef float real;
#define REAL_LOAD(from, k) ((from)[k])
#define REAL_STORE(value, to, k) ((to)[k] = (value))
#define REAL(x) ((real)(x))
#define REAL_SUM(x) (x)

#endif

/* 0 where x is 0 or subnormal: bodies at one place without softening do not act on each other. */
#define RSQRT_OR_ZERO(x) ((x) >= REAL(1.17549435e-38f) ? RSQRT(x) : REAL(0.0f))

#endif
