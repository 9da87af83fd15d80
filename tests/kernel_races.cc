// A kernel in its CUDA dialect, compiled for the processor: a thread for each work-item of a group, so that the thread sanitizer
// sees two of them at one address without a barrier between. Groups come one after another. tests/e2e_races.sh compiles this with
// -DSOURCE='"direct.cl"' and runs it.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>
#include <pthread.h>

struct float2 { float x, y; };
struct float4 { float x, y, z, w; };
struct dim3_of { int x, y, z; };
static thread_local dim3_of threadIdx, blockIdx;
static dim3_of blockDim, gridDim;
// By turns: whom one wakes late must not seem to wait for what others did on their way to the next.
static pthread_barrier_t together[2];
static thread_local unsigned turn;
using std::max;
using std::min;
static inline float2 make_float2(float x, float y) { return {x, y}; }
static inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
static inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
template <typename to, typename from> static inline to bits_of(from x) { to y; memcpy(&y, &x, sizeof y); return y; }
static inline int __float_as_int(float x) { return bits_of<int>(x); }
static inline unsigned __float_as_uint(float x) { return bits_of<unsigned>(x); }
static inline float __uint_as_float(unsigned x) { return bits_of<float>(x); }
static inline float __int_as_float(int x) { return bits_of<float>(x); }
static inline int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
static inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline void __syncthreads() { pthread_barrier_wait(&together[turn++ % 2]); }
// The kernels tried here have none of these.
template <typename type> static type __shfl_sync(unsigned, type, int, int) { abort(); }
static inline unsigned __ballot_sync(unsigned, int) { abort(); }
static inline int __any_sync(unsigned, int) { abort(); }
static inline void __syncwarp() { abort(); }
static inline void __nanosleep(unsigned) {}
static inline void __threadfence() { __atomic_thread_fence(__ATOMIC_ACQ_REL); }
template <typename type> static type atomicAdd(type *at, type value) { return __atomic_fetch_add(at, value, __ATOMIC_RELAXED); }
template <typename type> static type atomicOr(type *at, type value) { return __atomic_fetch_or(at, value, __ATOMIC_RELAXED); }
template <typename type> static type atomicExch(type *at, type value) { return __atomic_exchange_n(at, value, __ATOMIC_RELAXED); }
template <typename type> static type atomicCAS(type *at, type expected, type value)
{
    __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}
#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static
#define asm(...) (y = 1.0f / std::sqrt(x)) // the one instruction of the dialect

#define ORR_CUDA 1
#include "dialect.h"
#include "count.h"
#include "pair.h"
#include "warp_atomics.h"
#include SOURCE

template <typename kernel> static void launch(int groups, int size, kernel call)
{
    blockDim = {size, 1, 1};
    gridDim = {groups, 1, 1};
    for (pthread_barrier_t &barrier : together)
        pthread_barrier_init(&barrier, nullptr, (unsigned)size);
    for (int group = 0; group < groups; group++) {
        std::vector<std::thread> items;
        for (int t = 0; t < size; t++)
            items.emplace_back([=] {
                threadIdx = {t, 0, 0};
                blockIdx = {group, 0, 0};
                call();
            });
        for (std::thread &item : items)
            item.join();
    }
    for (pthread_barrier_t &barrier : together)
        pthread_barrier_destroy(&barrier);
}

int main()
{
    constexpr int n = 44;
    std::vector<float4> body(n), sums(n);
    for (int i = 0; i < n; i++)
        body[i] = {0.01f * (float)i, 0.02f * (float)(i * i % 17), 0.3f, 1.0f};
#if defined(TRY_DIRECT)
    launch((n + BLOCK - 1) / BLOCK, BLOCK,
           [&] { direct(body.data(), (quad *)sums.data(), 0.01f, n, 0, n, n, 0); });
#else
    // Two boxes that are each other's neighbours; one has more bodies than a group has work-items.
    std::vector<int> start = {0, 30, n}, list(2 * 8, -1);
    std::vector<float2> acc(n);
    list[0] = 1;
    list[8] = 0;
    launch(2, BLOCK, [&] {
        shan_box_per_block(body.data(), start.data(), list.data(), acc.data(), 0, 1e-4f);
    });
#endif
}
