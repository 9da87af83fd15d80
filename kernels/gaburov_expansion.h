/* SPDX-License-Identifier: MIT */
/* What far cells do to a group of bodies, as one field: the Taylor series, about the centre of the
 * group's box, of the potential of all of them, as in codes between a tree code and the fast
 * multipole method (Dehnen 2000, ApJ 536, L39; Dehnen 2002, J. Comput. Phys. 179, 27). A cell then
 * costs a few times what it does to one body, however many the group has.
 *
 * In units of the group, its centre the origin and its radius 1: a mass m at e, where u = 1 / |e|
 * and n = u e, has at a point d the potential, but for the sign, m / |e - d| = m sum T_k d^k / k!,
 *
 *     T_0 = u,   T_1 = u^2 n,   T_2 = u^3 (3 n n - 1),   T_3 = 3 u^4 (5 n n n - (1 n)),
 *     T_4 = 3 u^5 (35 n^4 - 5 (1 n n) + (1 1)),   T_5 = 15 u^6 (63 n^5 - 7 (1 n n n) + (1 1 n)),
 *
 * where (..) is the sum over all ways to deal out the indices. A quadrupole Q, as pair.h has it,
 * adds Q:T_2 / 6, of which the series goes as far as T_5.
 *
 * With softening u = (|e|^2 + eps^2)^-0.5, and all of the above holds, but for the traces, which
 * are 0 without. Of T_4 and T_5 they are left out: at 20 eps and a sixth of the distance, 2e-4 of
 * the cell's force. */
#ifndef GABUROV_EXPANSION_H
#define GABUROV_EXPANSION_H

/* The numbers: 1; x y z; xx yy xy xz yz zz; xxx yyy xxy xxz xyy yyz xyz xzz yzz zzz, thirds of T_3;
 * of what has no more than one z, xxxx yyyy xxyy xxxy xyyy xxxz xyyz xxyz yyyz, thirds; xxxxx yyyyy
 * xxxxy xyyyy xxxyy xxyyy xxxxz yyyyz xxyyz xxxyz xyyyz, fifteenths. */
enum { EXPANSION_LOW = 20, EXPANSION_HIGH = 20, EXPANSION_TERMS = EXPANSION_LOW + EXPANSION_HIGH };

/* Additions, multiplications, FMAs as two, and reciprocal roots: of a cell, and of a body at the
 * end. */
#define EXPANSION_CELL_FLOPS 393
#define EXPANSION_BODY_FLOPS 342

#ifdef KERNEL /* device code */

/* x^power, x >= 0. */
INLINE float expansion_power(float x, float power)
{
    return x > 1e-36f ? exp2(power * log2(x)) : 0.0f;
}

/* Adds T_0 to T_3 of a mass and its quadrupole, in units of the group. */
INLINE void expansion_add_low(real *sum, real x, real y, real z, real mass, real qxx, real qyy,
                              real qzz, real qxy, real qxz, real qyz, real eps2)
{
    const real u = RSQRT(FMA(x, x, FMA(y, y, FMA(z, z, eps2)))), u2 = u * u, u3 = u * u2;
    const real nx = u * x, ny = u * y, nz = u * z;
    const real hxx = u2 * qxx, hyy = u2 * qyy, hzz = u2 * qzz;
    const real hxy = u2 * qxy, hxz = u2 * qxz, hyz = u2 * qyz;
    const real wx = FMA(hxx, nx, FMA(hxy, ny, hxz * nz));
    const real wy = FMA(hxy, nx, FMA(hyy, ny, hyz * nz));
    const real wz = FMA(hxz, nx, FMA(hyz, ny, hzz * nz));
    const real q = FMA(nx, wx, FMA(ny, wy, nz * wz));
    const real xx = nx * nx, yy = ny * ny, zz = nz * nz, xy = nx * ny;
    const real once = FMA(REAL(2.5f), q, mass);
    const real twice = FMA(REAL(17.5f), q, REAL(3.0f) * mass);

    sum[0] = FMA(u, FMA(REAL(0.5f), q, mass), sum[0]);
    sum[1] = FMA(u2, FMA(nx, once, -wx), sum[1]);
    sum[2] = FMA(u2, FMA(ny, once, -wy), sum[2]);
    sum[3] = FMA(u2, FMA(nz, once, -wz), sum[3]);

    sum[4] = FMA(u3, FMA(xx, twice, FMA(REAL(-10.0f), nx * wx, hxx - once)), sum[4]);
    sum[5] = FMA(u3, FMA(yy, twice, FMA(REAL(-10.0f), ny * wy, hyy - once)), sum[5]);
    sum[6] = FMA(u3, FMA(xy, twice, FMA(REAL(-5.0f), FMA(nx, wy, ny * wx), hxy)), sum[6]);
    sum[7] = FMA(u3, FMA(nx * nz, twice, FMA(REAL(-5.0f), FMA(nx, wz, nz * wx), hxz)), sum[7]);
    sum[8] = FMA(u3, FMA(ny * nz, twice, FMA(REAL(-5.0f), FMA(ny, wz, nz * wy), hyz)), sum[8]);

    sum[9] = FMA(u3, FMA(zz, twice, FMA(REAL(-10.0f), nz * wz, hzz - once)), sum[9]);

    /* n n n a + (1 v) + (h n) 5/3 - (w n n) 35/3 */
    const real u4 = u2 * u2, a = FMA(REAL(52.5f), q, REAL(5.0f) * mass);
    const real less = FMA(REAL(-5.8333333f), q, -mass), c = REAL(1.6666667f),
               d = REAL(-11.666667f);
    const real vx = FMA(nx, less, c * wx), vy = FMA(ny, less, c * wy), vz = FMA(nz, less, c * wz);
    const real gx = d * wx, gy = d * wy, gz = d * wz;
    /* Beside n_k where k is another index. */
    const real axx = FMA(a, xx, FMA(c, hxx, REAL(2.0f) * gx * nx)),
               ayy = FMA(a, yy, FMA(c, hyy, REAL(2.0f) * gy * ny)),
               azz = FMA(a, zz, FMA(c, hzz, REAL(2.0f) * gz * nz));
    const real three = REAL(3.0f), e = REAL(2.0f) * c;
    sum[10] = FMA(u4, FMA(nx, FMA(a, xx, three * FMA(c, hxx, gx * nx)), three * vx), sum[10]);
    sum[11] = FMA(u4, FMA(ny, FMA(a, yy, three * FMA(c, hyy, gy * ny)), three * vy), sum[11]);
    sum[12] = FMA(u4, FMA(ny, axx, FMA(xx, gy, FMA(e, hxy * nx, vy))), sum[12]);
    sum[13] = FMA(u4, FMA(nz, axx, FMA(xx, gz, FMA(e, hxz * nx, vz))), sum[13]);
    sum[14] = FMA(u4, FMA(nx, ayy, FMA(yy, gx, FMA(e, hxy * ny, vx))), sum[14]);
    sum[15] = FMA(u4, FMA(nz, ayy, FMA(yy, gz, FMA(e, hyz * ny, vz))), sum[15]);
    sum[16] = FMA(u4,
                  FMA(nz, FMA(a, xy, FMA(c, hxy, FMA(gx, ny, gy * nx))),
                      FMA(gz, xy, c * FMA(hxz, ny, hyz * nx))),
                  sum[16]);
    sum[17] = FMA(u4, FMA(nx, azz, FMA(zz, gx, FMA(e, hxz * nz, vx))), sum[17]);
    sum[18] = FMA(u4, FMA(ny, azz, FMA(zz, gy, FMA(e, hyz * nz, vy))), sum[18]);
    sum[19] = FMA(u4, FMA(nz, FMA(a, zz, three * FMA(c, hzz, gz * nz)), three * vz), sum[19]);
}

/* Adds T_4 and T_5 of a mass. */
INLINE void expansion_add_high(real *sum, real x, real y, real z, real mass, real eps2)
{
    const real u = RSQRT(FMA(x, x, FMA(y, y, FMA(z, z, eps2)))), u2 = u * u;
    const real nx = u * x, ny = u * y, nz = u * z, m4 = mass * u2, m5 = m4 * u2 * u, m6 = m5 * u;
    const real xx = nx * nx, yy = ny * ny, xy = nx * ny, xz = nx * nz, yz = ny * nz;
    const real five = REAL(5.0f) * m5, one = REAL(-1.0f), seven = REAL(7.0f);
    const real tenx = five * FMA(seven, xx, one), teny = five * FMA(seven, yy, one);
    const real tx = FMA(REAL(-2.0f), five, tenx), ty = FMA(REAL(-2.0f), five, teny);

    /* 35 x^4 - 30 x^2 + 3 = x^2 (35 x^2 - 5) - 25 x^2 + 3 */
    sum[0] += FMA(xx, tenx, m5 * FMA(REAL(-25.0f), xx, REAL(3.0f)));
    sum[1] += FMA(yy, teny, m5 * FMA(REAL(-25.0f), yy, REAL(3.0f)));
    sum[2] += FMA(yy, tenx, m5 * FMA(REAL(-5.0f), xx, REAL(1.0f)));
    sum[3] = FMA(xy, tx, sum[3]);
    sum[4] = FMA(xy, ty, sum[4]);
    sum[5] = FMA(xz, tx, sum[5]);
    sum[6] = FMA(xz, teny, sum[6]);
    sum[7] = FMA(yz, tenx, sum[7]);
    sum[8] = FMA(yz, ty, sum[8]);

    const real mx = m6 * nx, my = m6 * ny, mz = m6 * nz;
    const real ax = FMA(REAL(63.0f), xx, REAL(-42.0f)), ay = FMA(REAL(63.0f), yy, REAL(-42.0f));
    const real fourx = FMA(xx, ax, REAL(3.0f)), foury = FMA(yy, ay, REAL(3.0f));
    /* 63 x^2 y^2 - 7 x^2 - 7 y^2 + 1 */
    const real both = FMA(xx, FMA(REAL(63.0f), yy, -seven), FMA(-seven, yy, REAL(1.0f)));
    const real zx = REAL(21.0f) * mz * xy;
    sum[9] = FMA(mx, FMA(REAL(-28.0f), xx, fourx + REAL(12.0f)), sum[9]);
    sum[10] = FMA(my, FMA(REAL(-28.0f), yy, foury + REAL(12.0f)), sum[10]);
    sum[11] = FMA(my, fourx, sum[11]);
    sum[12] = FMA(mx, foury, sum[12]);
    sum[13] = FMA(mx, FMA(REAL(-14.0f), yy, both + REAL(2.0f)), sum[13]);
    sum[14] = FMA(my, FMA(REAL(-14.0f), xx, both + REAL(2.0f)), sum[14]);
    sum[15] = FMA(mz, fourx, sum[15]);
    sum[16] = FMA(mz, foury, sum[16]);
    sum[17] = FMA(mz, both, sum[17]);
    sum[18] = FMA(zx, FMA(REAL(3.0f), xx, one), sum[18]);
    sum[19] = FMA(zx, FMA(REAL(3.0f), yy, one), sum[19]);
}

/* A symmetric matrix times a vector. */
#define EXPANSION_TIMES(rx, ry, rz, xx, yy, xy, xz, yz, zz, x, y, z) \
    const real rx = FMA((xx), (x), FMA((xy), (y), (xz) * (z))), \
               ry = FMA((xy), (x), FMA((yy), (y), (yz) * (z))), \
               rz = FMA((xz), (x), FMA((yz), (y), (zz) * (z)))

/* T_4 d d / 3 for T_4 as above: xx yy xy xz yz. */
INLINE void expansion_contract(real *w, const real *s, real xx, real yy, real zz, real xy, real xz,
                               real yz)
{
    /* Components with two z are minus those with two x and those with two y. */
    const real xxzz = -s[0] - s[2], yyzz = -s[1] - s[2], xyzz = -s[3] - s[4], xzzz = -s[5] - s[6],
               yzzz = -s[7] - s[8], two = REAL(2.0f);

    w[0] = FMA(s[0], xx,
               FMA(s[2], yy,
                   FMA(xxzz, zz, two * FMA(s[3], xy, FMA(s[5], xz, s[7] * yz)))));
    w[1] = FMA(s[2], xx,
               FMA(s[1], yy,
                   FMA(yyzz, zz, two * FMA(s[4], xy, FMA(s[6], xz, s[8] * yz)))));
    w[2] = FMA(s[3], xx,
               FMA(s[4], yy,
                   FMA(xyzz, zz, two * FMA(s[2], xy, FMA(s[7], xz, s[6] * yz)))));
    w[3] = FMA(s[5], xx,
               FMA(s[6], yy,
                   FMA(xzzz, zz, two * FMA(s[7], xy, FMA(xxzz, xz, xyzz * yz)))));
    w[4] = FMA(s[7], xx,
               FMA(s[8], yy,
                   FMA(yzzz, zz, two * FMA(s[6], xy, FMA(xyzz, xz, yyzz * yz)))));
}

/* T_5 d / 15, ordered as T_4 is. */
INLINE void expansion_lower(real *t, const real *s, real x, real y, real z)
{
    const real xxxxx = s[0], yyyyy = s[1], xxxxy = s[2], xyyyy = s[3], xxxyy = s[4], xxyyy = s[5],
               xxxxz = s[6], yyyyz = s[7], xxyyz = s[8], xxxyz = s[9], xyyyz = s[10];

    t[0] = FMA(xxxxx, x, FMA(xxxxy, y, xxxxz * z));
    t[1] = FMA(xyyyy, x, FMA(yyyyy, y, yyyyz * z));
    t[2] = FMA(xxxyy, x, FMA(xxyyy, y, xxyyz * z));
    t[3] = FMA(xxxxy, x, FMA(xxxyy, y, xxxyz * z));
    t[4] = FMA(xxyyy, x, FMA(xyyyy, y, xyyyz * z));
    t[5] = FMA(xxxxz, x, FMA(xxxyz, y, (-xxxxx - xxxyy) * z));
    t[6] = FMA(xxyyz, x, FMA(xyyyz, y, (-xxxyy - xyyyy) * z));
    t[7] = FMA(xxxyz, x, FMA(xxyyz, y, (-xxxxy - xxyyy) * z));
    t[8] = FMA(xyyyz, x, FMA(yyyyz, y, (-xxyyy - yyyyy) * z));
}

/* The field at (x, y, z) in units of the group: acceleration and potential without its sign. */
INLINE void expansion_at(const float *sum, real x, real y, real z, real *ax, real *ay, real *az,
                         real *phi)
{
    const real xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z;
    real s2[6], s3[10], s4[9], s5[11], t5[9], w4[5], w5[5];

    UNROLL
    for (i32 k = 0; k < 11; k++) {
        if (k < 6)
            s2[k] = REAL(sum[4 + k]);
        if (k < 10)
            s3[k] = REAL(sum[10 + k]);
        if (k < 9)
            s4[k] = REAL(sum[20 + k]);
        s5[k] = REAL(sum[29 + k]);
    }
    expansion_lower(t5, s5, x, y, z);
    expansion_contract(w5, t5, xx, yy, zz, xy, xz, yz);
    expansion_contract(w4, s4, xx, yy, zz, xy, xz, yz);
    const real w4zz = -w4[0] - w4[1], w5zz = -w5[0] - w5[1];
    EXPANSION_TIMES(fivex, fivey, fivez, w5[0], w5[1], w5[2], w5[3], w5[4], w5zz, x, y, z);
    EXPANSION_TIMES(fourx, foury, fourz, w4[0], w4[1], w4[2], w4[3], w4[4], w4zz, x, y, z);
    const real vxx = FMA(s3[0], x, FMA(s3[2], y, s3[3] * z)),
               vyy = FMA(s3[4], x, FMA(s3[1], y, s3[5] * z)),
               vxy = FMA(s3[2], x, FMA(s3[4], y, s3[6] * z)),
               vxz = FMA(s3[3], x, FMA(s3[6], y, s3[7] * z)),
               vyz = FMA(s3[6], x, FMA(s3[5], y, s3[8] * z)),
               vzz = FMA(s3[7], x, FMA(s3[8], y, s3[9] * z));
    EXPANSION_TIMES(threex, threey, threez, vxx, vyy, vxy, vxz, vyz, vzz, x, y, z);
    EXPANSION_TIMES(twox, twoy, twoz, s2[0], s2[1], s2[2], s2[3], s2[4], s2[5], x, y, z);
    /* One over 2!, 3!, 4! and 5! times the 3, 3 and 15 left out above. */
    const real a2 = REAL(0.5f), b2 = REAL(1.5f), b3 = REAL(0.5f), c3 = REAL(0.5f),
               c4 = REAL(0.125f), d4 = REAL(0.625f), d5 = REAL(0.125f);

    *ax = REAL(sum[1]) + twox + FMA(b2, threex, FMA(c3, fourx, d4 * fivex));
    *ay = REAL(sum[2]) + twoy + FMA(b2, threey, FMA(c3, foury, d4 * fivey));
    *az = REAL(sum[3]) + twoz + FMA(b2, threez, FMA(c3, fourz, d4 * fivez));
    const real px = FMA(a2, twox, FMA(b3, threex, FMA(c4, fourx, d5 * fivex))) + REAL(sum[1]);
    const real py = FMA(a2, twoy, FMA(b3, threey, FMA(c4, foury, d5 * fivey))) + REAL(sum[2]);
    const real pz = FMA(a2, twoz, FMA(b3, threez, FMA(c4, fourz, d5 * fivez))) + REAL(sum[3]);
    *phi = REAL(sum[0]) + FMA(x, px, FMA(y, py, z * pz));
}

#endif
#endif
