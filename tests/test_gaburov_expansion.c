/* SPDX-License-Identifier: MIT */
/* The series of kernels/gaburov_expansion.h against the potential whose series it is. In double
 * precision, so that errors can be followed until a wrong number in a high order shows. */
#include "random_for_tests.h"
#include "tests/cases.h"

typedef double real;
typedef int32_t i32;
#define KERNEL
#define INLINE static inline
#define UNROLL
#define REAL(x) ((real)(x))
#define FMA(a, b, c) fma((a), (b), (c))
#define RSQRT(x) (1.0 / sqrt(x))
#define float double
#include "kernels/gaburov_expansion.h"
#undef float

enum { POINTS = 2000 };

/* A cell: where it is, its mass, its quadrupole xx yy zz xy xz yz. */
struct cell {
    double e[3], mass, q[6];
};

static double within(double limit)
{
    return limit * (2 * uniform() - 1);
}

/* At three units from the origin. */
static struct cell random_cell(double mass, double quadrupole)
{
    struct cell c = {.mass = mass};
    double square = 0;

    for (int k = 0; k < 3; k++) {
        c.e[k] = within(1);
        square += c.e[k] * c.e[k];
    }
    for (int k = 0; k < 3; k++)
        c.e[k] *= 3 / sqrt(square);
    for (int k = 0; k < 6; k++)
        c.q[k] = within(quadrupole);
    c.q[2] = -c.q[0] - c.q[1];
    return c;
}

/* kernels/pair.h in double precision: acceleration and minus the potential at d. */
static void exact(const struct cell *c, const double d[3], double eps2, double out[4])
{
    const double x = c->e[0] - d[0], y = c->e[1] - d[1], z = c->e[2] - d[2], *q = c->q;
    const double u = 1 / sqrt(x * x + y * y + z * z + eps2), u2 = u * u;
    const double qx = q[0] * x + q[3] * y + q[4] * z, qy = q[3] * x + q[1] * y + q[5] * z,
                 qz = q[4] * x + q[5] * y + q[2] * z;
    const double s = (x * qx + y * qy + z * qz) * u2 * u2, m = c->mass + 2.5 * s;

    out[0] = u2 * u * (m * x - qx * u2);
    out[1] = u2 * u * (m * y - qy * u2);
    out[2] = u2 * u * (m * z - qz * u2);
    out[3] = u * (c->mass + 0.5 * s);
}

static void series(const struct cell *c, const double d[3], double eps2, double out[4])
{
    double sum[EXPANSION_TERMS] = {0};

    expansion_add_low(sum, c->e[0], c->e[1], c->e[2], c->mass, c->q[0], c->q[1], c->q[2], c->q[3],
                      c->q[4], c->q[5], eps2);
    expansion_add_high(sum + EXPANSION_LOW, c->e[0], c->e[1], c->e[2], c->mass, eps2);
    expansion_at(sum, d[0], d[1], d[2], &out[0], &out[1], &out[2], &out[3]);
}

/* Root mean square errors of the acceleration and of the potential at points no further than
 * `reach` in any coordinate. */
static void errors(double reach, double mass, double quadrupole, double eps2, double out[2])
{
    out[0] = out[1] = 0;
    for (int k = 0; k < POINTS; k++) {
        const struct cell c = random_cell(mass, quadrupole);
        const double d[3] = {within(reach), within(reach), within(reach)};
        double want[4], got[4];
        exact(&c, d, eps2, want);
        series(&c, d, eps2, got);
        for (int i = 0; i < 3; i++)
            out[0] += (got[i] - want[i]) * (got[i] - want[i]);
        out[1] += (got[3] - want[3]) * (got[3] - want[3]);
    }
    out[0] = sqrt(out[0] / POINTS);
    out[1] = sqrt(out[1] / POINTS);
}

/* Half as far away, errors are smaller by 2 to the first power left out: of a mass the sixth in the
 * potential, of a quadrupole the fourth, in the acceleration one less. */
static void falls(double mass, double quadrupole, int power, double rounding)
{
    double last[2], now[2];

    errors(1, mass, quadrupole, 0, last);
    for (double reach = 0.5; reach > 0.01; reach /= 2) {
        errors(reach, mass, quadrupole, 0, now);
        for (int k = 0; k < 2; k++) {
            if (now[k] < rounding)
                continue;
            if (!(now[k] < last[k] / pow(2, power - 1 + k) * 1.4))
                fail_msg("%s within %g: error %g after %g", k ? "potential" : "acceleration", reach,
                         now[k], last[k]);
            last[k] = now[k];
        }
    }
}

TEST(test_errors_fall_by_the_order)
{
    falls(1, 0, 6, 1e-14);
    falls(0, 1, 4, 1e-8); /* the header has thirds in single precision */
}

/* At the origin there is no error but rounding, softened or not. */
TEST(test_the_centre_is_exact)
{
    double got[2];

    for (int soft = 0; soft < 2; soft++) {
        errors(0, 1, 1, soft, got);
        assert_true(got[0] < 1e-12 && got[1] < 1e-12);
    }
}

/* Softened, of T_4 and T_5 the traces are missing. */
TEST(test_softening)
{
    double bare[2], soft[2];

    errors(0.3, 1, 0, 0, bare);
    errors(0.3, 1, 0, 0.01, soft);
    if (!(soft[0] < bare[0] + 3e-6 && soft[1] < bare[1] + 1e-6))
        fail_msg("errors %g, %g without softening, %g, %g with", bare[0], bare[1], soft[0],
                 soft[1]);
}

TEST(test_powers)
{
    for (double x = 1e-20; x < 1e20; x *= 7)
        assert_true(fabs(expansion_power(x, 5.0 / 7) / pow(x, 5.0 / 7) - 1) < 1e-6);
    assert_true(expansion_power(0, 0.5) == 0);
}

RUN_TESTS(NULL, NULL)
