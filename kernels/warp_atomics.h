/* SPDX-License-Identifier: MIT */
/* Threads together: shuffles and votes in a warp, atomics, fences.
 *
 * Where ORR_SHUFFLES is 1, SHUFFLE(value, lane, width) is the float of lane `lane` modulo `width`
 * among the `width` (a power of two) neighbouring lanes of a warp, and WARP_MAX_I32(value) the
 * largest that a lane of the warp has. All lanes of the warp take part.
 *
 * There ORR_VOTES is 1, too: ANY_OF_WARP(x) is whether x holds in any lane of the warp, again with
 * all lanes; elsewhere it is x. Only there is BALLOT(x), whose bit k says whether x holds in lane
 * k, and WARP_BARRIER(), behind which all lanes see what any of them wrote to memory before: votes
 * and shuffles promise no such thing. SUM_BEFORE is of a whole group.
 *
 * Atomics of 32-bit integers, local or global, are OpenCL's: atomic_add, atomic_min, atomic_max,
 * atomic_or, atomic_xchg, atomic_cmpxchg give the old value. */
#ifndef ORR_WARP_ATOMICS_H
#define ORR_WARP_ATOMICS_H

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)

/* OpenCL 1.2 has no shuffles; PTX does, and so have sub-groups. */
#if defined(ORR_NVIDIA)
#define ORR_SHUFFLES 1
INLINE float orr_shuffle(float value, i32 lane, i32 width)
{
    float y;
    __asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, %3, 0xffffffff;"
                     : "=f"(y)
                     : "f"(value), "r"(lane), "r"((32 - width) << 8 | 31));
    return y;
}
#define SHUFFLE(value, lane, width) orr_shuffle((value), (lane), (width))
INLINE u32 orr_ballot(i32 yes)
{
    u32 bits;
    __asm__ volatile(
        "{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
        : "=r"(bits)
        : "r"(yes));
    return bits;
}
#define BALLOT(yes) orr_ballot(yes)
#define ORR_VOTES 1
INLINE i32 orr_any_of_warp(i32 x)
{
    i32 y;
    __asm__ volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync.any.pred q, p, "
                     "0xffffffff; selp.s32 %0, 1, 0, q; }"
                     : "=r"(y)
                     : "r"(x));
    return y;
}
#define ANY_OF_WARP(x) orr_any_of_warp(x)
#define WARP_BARRIER() __asm__ volatile("bar.warp.sync 0xffffffff;" : : : "memory")
#elif defined(ORR_SUBGROUPS) /* of 32 work-items, which KERNEL asks for */
#define ORR_SHUFFLES 1
INLINE float orr_shuffle(float value, i32 lane, i32 width)
{
    const i32 first = (i32)get_sub_group_local_id() & ~(width - 1);
    return sub_group_shuffle(value, (u32)(first | (lane & (width - 1))));
}
#define SHUFFLE(value, lane, width) orr_shuffle((value), (lane), (width))
#define BALLOT(yes) (sub_group_ballot((yes) != 0).x)
#define ORR_VOTES 1
#define ANY_OF_WARP(x) sub_group_any(x)
#define WARP_BARRIER() sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#else
#define ORR_SHUFFLES 0
#define ORR_VOTES 0
#define ANY_OF_WARP(x) (x)
#endif

/* Atomics and fences with an order and a scope, by which groups may wait for each other's writes:
 * OpenCL C 2.0 has them, 3.0 where macros say so. The names of 1.2 promise nothing between groups,
 * and stay where there is no better. */
#if !defined(ORR_NVIDIA) && defined(__OPENCL_C_VERSION__) &&                     \
    ((__OPENCL_C_VERSION__ >= 200 && __OPENCL_C_VERSION__ < 300) ||              \
     (__OPENCL_C_VERSION__ >= 300 && defined(__opencl_c_atomic_order_acq_rel) && \
      defined(__opencl_c_atomic_scope_device)))
#define ORR_ORDERED 1
#define ORR_ORDERED_ATOMIC(name, of, type, space, scope)                         \
    ORR_OVERLOAD type orr_atomic_##name(volatile space type *at, type value)     \
    {                                                                            \
        return atomic_##of##_explicit((volatile space atomic_##type *)at, value, \
                                      memory_order_relaxed, scope);              \
    }
#define ORR_ORDERED_CMPXCHG(type, space, scope)                                                    \
    ORR_OVERLOAD type orr_atomic_cmpxchg(volatile space type *at, type expected, type value)       \
    {                                                                                              \
        atomic_compare_exchange_strong_explicit((volatile space atomic_##type *)at, &expected,     \
                                                value, memory_order_relaxed, memory_order_relaxed, \
                                                scope);                                            \
        return expected;                                                                           \
    }
#define ORR_ORDERED_ATOMICS(type, space, scope)            \
    ORR_ORDERED_ATOMIC(add, fetch_add, type, space, scope) \
    ORR_ORDERED_ATOMIC(min, fetch_min, type, space, scope) \
    ORR_ORDERED_ATOMIC(max, fetch_max, type, space, scope) \
    ORR_ORDERED_ATOMIC(or, fetch_or, type, space, scope)   \
    ORR_ORDERED_ATOMIC(xchg, exchange, type, space, scope) \
    ORR_ORDERED_CMPXCHG(type, space, scope)
ORR_ORDERED_ATOMICS(int, __global, memory_scope_device)
ORR_ORDERED_ATOMICS(uint, __global, memory_scope_device)
ORR_ORDERED_ATOMICS(int, __local, memory_scope_work_group)
ORR_ORDERED_ATOMICS(uint, __local, memory_scope_work_group)
#define atomic_add(at, value) orr_atomic_add((at), (value))
#define atomic_min(at, value) orr_atomic_min((at), (value))
#define atomic_max(at, value) orr_atomic_max((at), (value))
#define atomic_or(at, value) orr_atomic_or((at), (value))
#define atomic_xchg(at, value) orr_atomic_xchg((at), (value))
#define atomic_cmpxchg(at, expected, value) orr_atomic_cmpxchg((at), (expected), (value))
#else
#define ORR_ORDERED 0
#endif

/* OpenCL 1.2 has no atomic addition of floats: load, then compare and swap until nobody came
 * between, as the CUDA C Programming Guide writes it. What is loaded is a guess, so that the load
 * need not be atomic; where that is not known of the device it is. */
#if defined(ORR_NVIDIA)
#define ORR_ATOMIC_GUESS(word) (*(word)) /* volatile */
#else
#define ORR_ATOMIC_GUESS(word) atomic_or((word), 0u)
#endif
#define ORR_ATOMIC_CAS_ADD(name, space)                                                 \
    INLINE void name(volatile space float *at, float value)                             \
    {                                                                                   \
        volatile space u32 *word = (volatile space u32 *)at;                            \
        u32 seen = ORR_ATOMIC_GUESS(word), expected;                                    \
        do {                                                                            \
            expected = seen;                                                            \
            seen = atomic_cmpxchg(word, expected, as_uint(as_float(expected) + value)); \
        } while (seen != expected);                                                     \
    }
ORR_ATOMIC_CAS_ADD(orr_atomic_cas_add_local, __local)
ORR_ATOMIC_CAS_ADD(orr_atomic_cas_add_global, __global)
#define ATOMIC_CAS_ADD_LOCAL_F32(at, value) orr_atomic_cas_add_local((at), (value))
#define ATOMIC_CAS_ADD_GLOBAL_F32(at, value) orr_atomic_cas_add_global((at), (value))
/* ATOMIC_ADD_LOCAL_F32 and ATOMIC_ADD_GLOBAL_F32: the device's own instruction where it is known to
 * have one. */
#if defined(ORR_NVIDIA)
INLINE void orr_atomic_add_local(volatile __local float *at, float value)
{
    __asm__ volatile("red.shared.add.f32 [%0], %1;"
                     :
                     : "r"((u32)(size_t)at), "f"(value)
                     : "memory");
}
INLINE void orr_atomic_add_global(volatile __global float *at, float value)
{
    __asm__ volatile("red.global.add.f32 [%0], %1;" : : "l"((size_t)at), "f"(value) : "memory");
}
#define ATOMIC_ADD_LOCAL_F32(at, value) orr_atomic_add_local((at), (value))
#define ATOMIC_ADD_GLOBAL_F32(at, value) orr_atomic_add_global((at), (value))
#elif defined(ORR_FLOAT_ATOMICS) /* cl_ext_float_atomics */
#define ATOMIC_ADD_LOCAL_F32(at, value)                                              \
    ((void)atomic_fetch_add_explicit((volatile __local atomic_float *)(at), (value), \
                                     memory_order_relaxed, memory_scope_work_group))
#define ATOMIC_ADD_GLOBAL_F32(at, value)                                              \
    ((void)atomic_fetch_add_explicit((volatile __global atomic_float *)(at), (value), \
                                     memory_order_relaxed, memory_scope_device))
#else
#define ATOMIC_ADD_LOCAL_F32(at, value) ATOMIC_CAS_ADD_LOCAL_F32((at), (value))
#define ATOMIC_ADD_GLOBAL_F32(at, value) ATOMIC_CAS_ADD_GLOBAL_F32((at), (value))
#endif
/* Reads what other groups wrote to global memory by atomics. ATOMIC_ACQUIRE_I32 also shows what
 * they had written before the FENCE_GLOBAL() in front of that. OpenCL 1.2 has no atomic load. */
#if defined(ORR_NVIDIA)
#define ATOMIC_READ_I32(at) (*(volatile __global const i32 *)(at))
#elif ORR_ORDERED
#define ATOMIC_READ_I32(at)                                                          \
    atomic_load_explicit((volatile __global atomic_int *)(at), memory_order_relaxed, \
                         memory_scope_device)
#define ATOMIC_ACQUIRE_I32(at)                                                       \
    atomic_load_explicit((volatile __global atomic_int *)(at), memory_order_acquire, \
                         memory_scope_device)
#else
#define ATOMIC_READ_I32(at) atomic_or((volatile __global i32 *)(at), 0)
#endif
/* Writes what other groups read by that; one 32-bit word needs no fence. */
#if defined(ORR_NVIDIA)
#define ATOMIC_WRITE_U32(at, value) (*(volatile __global u32 *)(at) = (value))
#else
#define ATOMIC_WRITE_U32(at, value) ((void)atomic_xchg((volatile __global u32 *)(at), (value)))
#endif
/* Orders the work-item's accesses to global memory: who sees a later write sees the earlier ones.
 */
#if defined(ORR_NVIDIA)
#define FENCE_GLOBAL() __asm__ volatile("membar.gl;" : : : "memory")
#elif ORR_ORDERED
#define FENCE_GLOBAL() \
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)
#else
#define FENCE_GLOBAL() mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif
/* Waits without touching memory: about `n` nanoseconds, or n turns of a loop where no
 * instruction sleeps. */
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

#else /* CUDA */

#define ORR_SHUFFLES 1
#define SHUFFLE(value, lane, width) __shfl_sync(0xffffffffu, (value), (lane), (width))
#define BALLOT(yes) __ballot_sync(0xffffffffu, (yes))
#define ORR_VOTES 1
#define ANY_OF_WARP(x) __any_sync(0xffffffffu, (x))
#define WARP_BARRIER() __syncwarp()

#define ATOMIC_ADD_LOCAL_F32(at, value) ((void)atomicAdd((at), (value)))
#define ATOMIC_ADD_GLOBAL_F32(at, value) ((void)atomicAdd((at), (value)))
#define ORR_ATOMIC_GUESS(word) (*(volatile u32 *)(word))
/* As devices without the instruction do it, to compare. */
INLINE void orr_atomic_cas_add(float *at, float value)
{
    u32 seen = ORR_ATOMIC_GUESS(at), expected;
    do {
        expected = seen;
        seen = atomicCAS((u32 *)at, expected, __float_as_uint(__uint_as_float(expected) + value));
    } while (seen != expected);
}
#define ATOMIC_CAS_ADD_LOCAL_F32(at, value) orr_atomic_cas_add((at), (value))
#define ATOMIC_CAS_ADD_GLOBAL_F32(at, value) orr_atomic_cas_add((at), (value))
#define atomic_add(at, value) atomicAdd((at), (value))
#define atomic_max(at, value) atomicMax((at), (value))
#define atomic_min(at, value) atomicMin((at), (value))
#define atomic_xchg(at, value) atomicExch((at), (value))
#define atomic_cmpxchg(at, expected, value) atomicCAS((at), (expected), (value))
#define ATOMIC_READ_I32(at) (*(volatile const i32 *)(at))
#define ATOMIC_WRITE_U32(at, value) (*(volatile u32 *)(at) = (value))
#define FENCE_GLOBAL() __threadfence()
#define PAUSE(n) __nanosleep((u32)(n))
#define atomic_or(at, value) atomicOr((at), (value))

#endif

#ifndef ATOMIC_ACQUIRE_I32
#define ATOMIC_ACQUIRE_I32(at) ATOMIC_READ_I32(at)
#endif

/* Adds a 64-bit integer to the two u32 at `low` and `high`, in local or global memory, by additions
 * of 32 bits that every device has: who makes the low word wrap carries. The sum is whole when all
 * have added, in whatever order. */
#define ATOMIC_ADD_WIDE(low, high, value)                                                   \
    do {                                                                                    \
        const u64 orr_wide = (u64)(value);                                                  \
        const u32 orr_low = (u32)orr_wide;                                                  \
        const u32 orr_old = orr_low ? (u32)atomic_add((low), orr_low) : 0;                  \
        const u32 orr_high = (u32)(orr_wide >> 32) + (orr_old + orr_low < orr_old ? 1 : 0); \
        if (orr_high)                                                                       \
            atomic_add((high), orr_high);                                                   \
    } while (0)
/* That sum, as i64, when all have added. */
#define WIDE_OF(low, high) ((i64)((u64)(low) | (u64)(high) << 32))

/* SUM_BEFORE: *total and what the group's threads before this one have, all u32; *total grows by
 * what all of them have, so that exclusive sums over more values than threads are a loop. One
 * dimension of `size` threads, all of which take part, and as many words of local memory. No
 * shuffles: it runs wherever kernels do. */
INLINE u32 orr_team_sum_before(LOCAL_POINTER(u32) words, i32 t, i32 size, u32 own, u32 *total)
{
    words[t] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 reach = 1; reach < size; reach *= 2) {
        const u32 below = t >= reach ? words[t - reach] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        words[t] += below;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const u32 before = *total + words[t] - own;
    *total += words[size - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    return before;
}
#define SUM_BEFORE(words, size, own, total) \
    orr_team_sum_before((words), get_local_id(0), (size), (own), (total))

/* For teams of a constant `size` of at most 32 threads, a power of two, of which a group has one or
 * several; a team may be one warp or one thread. GROUP_BARRIER: a barrier(), of a team that is a
 * warp by itself, else of the group. GROUP_VOTE: bit t is set where thread t of the team says yes;
 * all take part. `word`: one u32 of local memory, of no use to others, for each team.
 * GROUP_SUM_BEFORE: SUM_BEFORE in the team. */
#if ORR_VOTES
#define GROUP_BARRIER(size)               \
    do {                                  \
        if ((size) == 32)                 \
            WARP_BARRIER();               \
        else                              \
            barrier(CLK_LOCAL_MEM_FENCE); \
    } while (0)
#else
#define GROUP_BARRIER(size) barrier(CLK_LOCAL_MEM_FENCE)
#endif
INLINE u32 orr_group_vote(LOCAL_POINTER(u32) word, i32 size, i32 yes)
{
    const i32 t = get_local_id(0) & (size - 1);
    u32 votes = yes ? 1u << t : 0;

#if ORR_VOTES
    if (size == 32)
        votes = BALLOT(yes);
    else
#endif
        if (size > 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t == 0)
            *word = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (yes)
            atomic_or(word, votes);
        barrier(CLK_LOCAL_MEM_FENCE);
        votes = *word;
    }
    return votes;
}
#define GROUP_VOTE(word, size, yes) orr_group_vote((word), (size), (yes))
INLINE u32 orr_sum_before_in_team(LOCAL_POINTER(u32) words, i32 size, u32 own, u32 *total)
{
    const i32 t = get_local_id(0);

    return orr_team_sum_before(words, t & (size - 1), size, own, total);
}
#if ORR_SHUFFLES
INLINE u32 orr_warp_sum_before(u32 own, u32 *total)
{
    const i32 t = get_local_id(0) & 31;
    const u32 before = *total;
    u32 sum = own;

    UNROLL
    for (i32 reach = 1; reach < 32; reach *= 2) {
        const u32 below = as_uint(SHUFFLE(as_float(sum), t - reach, 32));
        sum += t >= reach ? below : 0;
    }
    *total += as_uint(SHUFFLE(as_float(sum), 31, 32));
    return before + sum - own;
}
#define GROUP_SUM_BEFORE(words, size, own, total)       \
    ((size) == 32 ? orr_warp_sum_before((own), (total)) \
                  : orr_sum_before_in_team((words), (size), (own), (total)))
#else
#define GROUP_SUM_BEFORE(words, size, own, total) \
    orr_sum_before_in_team((words), (size), (own), (total))
#endif

#if ORR_SHUFFLES
/* Of one dimension of threads. From compute capability 8.0 on the compiler knows that the result is
 * the same for all lanes, and so that loops of so many passes do not part them: without checks for
 * that shan_n3l_free.cl has half the code. */
INLINE i32 orr_warp_max(i32 value)
{
#if defined(ORR_CUDA) && __CUDA_ARCH__ >= 800
    value = __reduce_max_sync(0xffffffffu, value);
#elif defined(ORR_NVIDIA) && ORR_NVIDIA >= 80
    __asm__ volatile("redux.sync.max.s32 %0, %1, 0xffffffff;" : "=r"(value) : "r"(value));
#else
    const i32 t = get_local_id(0);
    UNROLL
    for (i32 d = 1; d < ORR_WARP; d *= 2)
        value = max(value, as_int(SHUFFLE(as_float(value), t ^ d, ORR_WARP)));
#endif
    return value;
}
#define WARP_MAX_I32(value) orr_warp_max(value)
#endif

#endif
