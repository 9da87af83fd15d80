// What the tests of the device layer run, in the dialect of kernels/dialect.h.
KERNEL GROUP_SIZE(64) reverse_groups(GLOBAL const float *RESTRICT x, GLOBAL float *y,
                                     i32 n LOCAL_ARGUMENT(float, t))
{
    LOCAL_BIND(float, t);
    const i32 i = get_global_id(0), k = get_local_id(0);
    t[k] = i < n ? x[i] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n)
        y[i] = FMA(2.0f, t[get_local_size(0) - 1 - k], 1.0f);
}
KERNEL count(GLOBAL float *total, GLOBAL i32 *items, i32 n, float weight)
{
    LOCAL float sum;
    if (get_local_id(0) == 0)
        sum = 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_global_id(0) < n)
        ATOMIC_ADD_LOCAL_F32(&sum, weight);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        ATOMIC_ADD_GLOBAL_F32(total, sum);
        atomic_add(items, 1);
    }
}
// Every thread of every group adds to the same words, over local memory and at once.
KERNEL meet(GLOBAL float *sums, GLOBAL u32 *wide, i32 n)
{
    LOCAL float sum;
    LOCAL u32 low, high;
    const i32 i = get_global_id(0);
    if (get_local_id(0) == 0) {
        sum = 0.0f;
        low = high = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) {
        const i64 value = (i64)(2 * i - n) * 0x7123456789;
        ATOMIC_CAS_ADD_LOCAL_F32(&sum, 0.25f);
        ATOMIC_CAS_ADD_GLOBAL_F32(&sums[1], 0.25f);
        ATOMIC_ADD_GLOBAL_F32(&sums[2], 0.25f);
        ATOMIC_ADD_WIDE(&low, &high, value);
        ATOMIC_ADD_WIDE(&wide[2], &wide[3], value);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        ATOMIC_CAS_ADD_GLOBAL_F32(&sums[0], sum);
        ATOMIC_ADD_WIDE(&wide[0], &wide[1], WIDE_OF(low, high));
    }
}
KERNEL rsqrt_of(GLOBAL const float *x, GLOBAL float *y, i32 n)
{
    const i32 i = get_global_id(0);
    if (i < n)
        REAL_STORE(RSQRT(REAL_LOAD(x, i)), y, i);
}
KERNEL scale(GLOBAL float *y, i32 n, u32 power)
{
    const i32 i = get_global_id(0) + get_global_size(0) * get_global_id(1);
    if (i < n)
        y[i] *= (float)power;
}
