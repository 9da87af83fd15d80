/* SPDX-License-Identifier: MIT */
/* Halves, products of 16 x 16 by 16 x 8 halves and transposition of a warp's words on matrix units,
 * mma.sync.m16n8k16 and movmatrix of CUDA devices of compute capability 8.0 up. EMULATED=1 does
 * without, through local memory, so that tests run kernels elsewhere; its sums cut off as
 * pessimistically as matrix_bound.h supposes. Needs THREADS and matrix_bound.h. */
INLINE float power_of_two(i32 e)
{
    return as_float((e + 127) << 23);
}

/* Two halves of a word, `low` in the lower one; to nearest. */
INLINE u32 halves(float low, float high)
{
#if defined(ORR_CUDA)
    u32 word;
    asm("{ .reg .b16 l, h; cvt.rn.f16.f32 l, %1; cvt.rn.f16.f32 h, %2; mov.b32 %0, {l, h}; }"
        : "=r"(word)
        : "f"(low), "f"(high));
    return word;
#else
    half_bits two[2];
    vstore_half_rte(low, 0, (half *)two);
    vstore_half_rte(high, 1, (half *)two);
    return (u32)two[0] | (u32)two[1] << 16;
#endif
}

INLINE float low_half(u32 word)
{
#if defined(ORR_CUDA)
    float x;
    asm("{ .reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, l; }" : "=f"(x) : "r"(word));
    return x;
#else
    const half_bits bits = (half_bits)word;
    return vload_half(0, (const half *)&bits);
#endif
}

INLINE float high_half(u32 word)
{
#if defined(ORR_CUDA)
    float x;
    asm("{ .reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, h; }" : "=f"(x) : "r"(word));
    return x;
#else
    return low_half(word >> 16);
#endif
}

/* Sums of the lower and of the upper halves. */
INLINE u32 add_halves(u32 a, u32 b)
{
#if defined(ORR_CUDA)
    u32 word;
    asm("add.f16x2 %0, %1, %2;" : "=r"(word) : "r"(a), "r"(b));
    return word;
#else
    return halves(low_half(a) + low_half(b), high_half(a) + high_half(b));
#endif
}

/* Two numbers w below 16 as whole multiples of 2^-14, N: float(CUT_AT) + w has N in its lowest 18
 * bits, and above them just what makes its bytes 1 and 2 the half 1024 + N / 256, rounded down, and
 * its bytes 0 and 3 the half 4 + N % 256 / 256. */
#define CUT_AT 912.0f
#define CUT_UNIT 64.0f /* a whole one of the first half is 1 / 64 */
INLINE u32 first_halves(float low, float high)
{
#if defined(ORR_CUDA)
    return __byte_perm(as_uint(low), as_uint(high), 0x6521);
#else
    return (as_uint(low) >> 8 & 0xffffu) | (as_uint(high) >> 8 & 0xffffu) << 16;
#endif
}

INLINE u32 second_halves(float low, float high)
{
#if defined(ORR_CUDA)
    return __byte_perm(as_uint(low), as_uint(high), 0x7430);
#else
    const u32 a = as_uint(low), b = as_uint(high);
    return (a & 0xffu) | (a >> 16 & 0xff00u) | (b & 0xffu) << 16 | (b & 0xff000000u);
#endif
}

/* What two halves leave of two numbers. */
INLINE u32 rests(u32 word, float low, float high)
{
    return halves(low - low_half(word), high - high_half(word));
}

#if EMULATED
#define SCRATCH (6 * THREADS)
/* The largest power of two not above x, times 2^-23; 0 for 0. */
INLINE float last_place(float x)
{
    return x > 0.0f ? power_of_two(max(matrix_exponent(x) - 24, -126)) : 0.0f;
}

/* Half `k` of a word. */
INLINE float half_of(u32 word, i32 k)
{
    return k ? high_half(word) : low_half(word);
}

/* One element of a 16 x 8 product: `a` points to a lane's four words per row, `b` to two. */
INLINE float product_of(LOCAL_POINTER(const u32) warp, i32 row, i32 column, float c)
{
    float term[16], most = c < 0.0f ? -c : c;
    i64 sum = 0;

    for (i32 k = 0; k < 16; k++) {
        const i32 lane_a = row % 8 * 4 + k % 8 / 2, lane_b = column * 4 + k % 8 / 2;
        term[k] = half_of(warp[(k / 8 * 2 + row / 8) * THREADS + lane_a], k % 2) *
                  half_of(warp[(4 + k / 8) * THREADS + lane_b], k % 2);
        most = MATRIX_MAX(most, term[k] < 0.0f ? -term[k] : term[k]);
    }
    const float last = last_place(most);
    if (!(last > 0.0f))
        return 0.0f;
    for (i32 k = 0; k < 16; k++)
        sum += (i64)(term[k] / last);
    return (float)(sum + (i64)(c / last)) * last;
}

/* d += a b, of a warp: a 16 x 16, b 16 x 8. */
INLINE void multiply(float *d, u32 a0, u32 a1, u32 a2, u32 a3, u32 b0, u32 b1,
                     LOCAL_POINTER(u32) scratch)
{
    const i32 t = get_local_id(0), lane = t % 32, g = lane / 4, q = lane % 4;

    barrier(CLK_LOCAL_MEM_FENCE);
    scratch[t] = a0;
    scratch[THREADS + t] = a1;
    scratch[2 * THREADS + t] = a2;
    scratch[3 * THREADS + t] = a3;
    scratch[4 * THREADS + t] = b0;
    scratch[5 * THREADS + t] = b1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 k = 0; k < 4; k++)
        d[k] = product_of(scratch + (t - lane), g + k / 2 * 8, 2 * q + k % 2, d[k]);
}

/* The transpose of 8 x 8 halves of a warp. */
INLINE u32 transpose(u32 word, LOCAL_POINTER(u32) scratch)
{
    const i32 t = get_local_id(0), lane = t % 32, g = lane / 4, q = lane % 4;

    barrier(CLK_LOCAL_MEM_FENCE);
    scratch[t] = word;
    barrier(CLK_LOCAL_MEM_FENCE);
    LOCAL_POINTER(const u32) warp = scratch + (t - lane);
    const u32 first = warp[2 * q * 4 + g / 2], second = warp[(2 * q + 1) * 4 + g / 2];
    const i32 shift = g % 2 * 16;
    return (first >> shift & 0xffffu) | (second >> shift & 0xffffu) << 16;
}

/* Of the first of the four lanes of a row. */
INLINE float of_first(float x, LOCAL_POINTER(u32) scratch)
{
    const i32 t = get_local_id(0);

    barrier(CLK_LOCAL_MEM_FENCE);
    scratch[t] = as_uint(x);
    barrier(CLK_LOCAL_MEM_FENCE);
    return as_float(scratch[t - t % 4]);
}
#else
#define SCRATCH 1
INLINE void multiply(float *d, u32 a0, u32 a1, u32 a2, u32 a3, u32 b0, u32 b1,
                     LOCAL_POINTER(u32) scratch)
{
    (void)scratch;
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

INLINE u32 transpose(u32 word, LOCAL_POINTER(u32) scratch)
{
    u32 y;
    (void)scratch;
    asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(y) : "r"(word));
    return y;
}

INLINE float of_first(float x, LOCAL_POINTER(u32) scratch)
{
    (void)scratch;
    return __shfl_sync(0xffffffffu, x, 0, 4);
}
#endif
