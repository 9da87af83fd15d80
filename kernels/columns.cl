/* SPDX-License-Identifier: MIT */
/* Between columns, one number of each body after the other, and rows of `width` floats, 1 or 4.
 * Column c begins `stride` numbers behind column c - 1; bit c of `columns` says whether it is
 * there. */
#ifndef BLOCK
#define BLOCK 256
#endif

INLINE float rounded(GLOBAL const double *RESTRICT from, i32 there, u64 at, double about)
{
    return there ? (float)(from[at] - about) : 0.0f;
}

/* Rows row ... row + count - 1. `from` holds the numbers of the `rows` rows from `first` on; the
 * others are `outside`, and 0 in the fourth place. */
KERNEL GROUP_SIZE(BLOCK)
    columns_pack(GLOBAL float *RESTRICT to, GLOBAL const double *RESTRICT from, i32 width,
                 i32 columns, u64 stride, u64 row, u64 count, u64 first, u64 rows, double about_0,
                 double about_1, double about_2, double about_3, float outside)
{
    const u64 id = get_global_id(0), i = row + id, k = i - first;

    if (id < count) {
        const i32 inside = i >= first && k < rows;
        GLOBAL float *at = to + i * (u64)width;
        at[0] = inside ? rounded(from, columns & 1, k, about_0) : outside;
        if (width > 1) {
            at[1] = inside ? rounded(from, columns & 2, stride + k, about_1) : outside;
            at[2] = inside ? rounded(from, columns & 4, 2 * stride + k, about_2) : outside;
            at[3] = inside ? rounded(from, columns & 8, 3 * stride + k, about_3) : 0.0f;
        }
    }
}

KERNEL GROUP_SIZE(BLOCK)
    columns_unpack(GLOBAL float *RESTRICT to, GLOBAL const float *RESTRICT from, i32 width,
                   u64 stride, u64 row, u64 count)
{
    const u64 id = get_global_id(0);

    if (id < count) {
        GLOBAL const float *at = from + (row + id) * (u64)width;
        for (i32 c = 0; c < width; c++)
            to[(u64)c * stride + id] = at[c];
    }
}
