/* SPDX-License-Identifier: MIT */
/* fujiwara/matrix without matrix units: its kernels with products of matrices emulated, whose sums
 * cut off as much as the error bound supposes, on every OpenCL CPU; and the bound itself. */
#include "space_run.h"

#define INLINE static inline
typedef int32_t i32;
#define MATRIX_MAX(a, b) ((a) > (b) ? (a) : (b))
#define MATRIX_ROOT(x) sqrtf(x)
#define MATRIX_INVERSE(x) (1.0f / (x))
static inline uint32_t bits_of(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}
#define MATRIX_BITS(x) bits_of(x)
#include "kernels/matrix_bound.h"

/* Calls `each` for every device that can emulate: OpenCL ones, of which oclgrind is too slow. */
static void on_each(void (*each)(const struct orr_variant *variant, struct orr_device *device))
{
    int tried = 0;

    for (int d = 0; d < device_count; d++)
        if (devices[d]->info.kind == ORR_DEVICE_CPU &&
            !strcmp(devices[d]->info.backend, "opencl")) {
            each(plugins[0].variant, devices[d]);
            tried++;
        }
    if (!tried) {
        print_message("skipped: no device that the variant runs on\n");
        skip();
    }
}

#define TEST_ON_EACH(name) \
    TEST_EACH(name, on_each, const struct orr_variant *variant, struct orr_device *device)

enum kind {
    UNIFORM,
    CUSP,
    TWO_CLUSTERS,
    TWO_POINTS,
    LINE,
    LATTICE,
    ONE_PLACE,
    MASSES,
    SIGNS,
    KINDS
};
static const char *const kinds[] = {"uniform",           "a cusp",     "two far clusters",
                                    "two points",        "a line",     "a lattice",
                                    "coincident bodies", "all masses", "signs"};

static void place(struct orr_bodies *b, enum kind kind, double length, double mass)
{
    for (size_t i = 0; i < b->n; i++) {
        for (int d = 0; d < 3; d++) {
            double *x = &b->pos[d][i];
            if (kind == CUSP)
                *x *= pow(uniform(), 3);
            if (kind == TWO_CLUSTERS || kind == TWO_POINTS)
                *x = *x * (kind == TWO_POINTS ? 1e-6 : 0.01) + (i % 2 ? 1 : -1);
            if (kind == LINE && d)
                *x = 0.25;
            if (kind == LATTICE)
                *x = (double)((i >> 4 * d) % 16) / 8;
            if (kind == ONE_PLACE && i % 3)
                *x = b->pos[d][i - i % 3];
            *x *= length;
        }
        if (kind == MASSES)
            b->mass[i] *= i % 5 ? pow(10, -12 * uniform()) : 0;
        if (kind == SIGNS && i % 3)
            b->mass[i] *= i % 3 == 1 ? -1 : 0;
        b->mass[i] *= mass;
    }
    b->eps *= length;
    orr_bodies_round(b);
}

/* With masses of both signs potentials cancel: against the sum of their terms, too. */
static void check_signs(const struct run *r, double bound)
{
    const struct orr_bodies *b = r->job.bodies;

    for (size_t i = 0; i < b->n; i++) {
        double sum[5], terms = 0, eps2 = (double)(float)b->eps * (double)(float)b->eps;
        exact(sum, b, i, (double)(float)b->eps);
        for (size_t j = 0; j < b->n; j++) {
            double r2 = eps2;
            for (int d = 0; d < 3; d++)
                r2 += pow(b->pos[d][j] - b->pos[d][i], 2);
            terms += j == i || r2 == 0 ? 0 : fabs(b->mass[j]) / sqrt(r2);
        }
        assert_true(acc_error(r, i, sum) <= bound * sum[4]);
        assert_true(fabs((double)r->out.phi[i] - sum[3]) <= bound * terms);
    }
}

/* The certificate: no error beyond `bound` of the sum of the terms, but for single precision. */
TEST_ON_EACH(test_distributions)
{
    double coarse = 0, cut = 0;

    for (int kind = 0; kind < KINDS; kind++)
        for (int softened = 0; softened < 2; softened++) {
            if (!getenv("ORRERY_ALL_TESTS") && softened != kind % 2)
                continue;
            const size_t n = kind == TWO_CLUSTERS || kind == TWO_POINTS ? 1024 : 600;
            BODIES b = random_bodies(n, softened ? 0.01 : 0);
            place(&b, (enum kind)kind, kind % 2 ? 1e6 : 1e-3, kind % 3 ? 1 : 1e9);
            RUN r = run_made(variant, device, &b,
                             kind % 2 ? "units=emulated" : "units=emulated coarse=0.6");
            if (kind == SIGNS)
                check_signs(&r, 1e-4);
            else
                check_within(&r, kinds[kind], 1e-4, 1e-37);
            coarse += figure(&r, "coarse share");
            cut += figure(&r, "cut share");
        }
    assert_true(coarse > 0.1 && cut > 0.1);
}

/* Clusters of whole blocks, far from each other: nothing but a cluster's own tiles is near. */
TEST_ON_EACH(test_accuracy)
{
    BODIES b = random_bodies(1024, 0.3);
    RELEASED_BY(free_text) double *errors = calloc(b.n, sizeof *errors);

    place(&b, TWO_CLUSTERS, 1, 1);
    RUN strict = run_made(variant, device, &b, "units=emulated bound=0");
    assert_true(figure(&strict, "near share") > 0.99);
    check_within(&strict, "all near", 3e-6, 0);
    RUN usual = run_made(variant, device, &b, "units=emulated");
    assert_true(figure(&usual, "near share") < 0.6);
    for (size_t i = 0; i < b.n; i++) {
        double sum[5];
        exact(sum, &b, i, (double)(float)b.eps);
        errors[i] = acc_error(&usual, i, sum) / sum[4];
    }
    qsort(errors, b.n, sizeof *errors, by_value);
    print_message("errors: median %.2g, largest %.2g\n", errors[b.n / 2], errors[b.n - 1]);
    assert_true(errors[b.n / 2] < 1e-6 && errors[b.n - 1] < 1e-5);
    assert_true(imbalance(&usual) < 1e-5);
}

TEST_ON_EACH(test_sizes)
{
    static const size_t list[] = {1, 129, 257, 2, 3, 127, 128, 256, 513, 1025};
    /* An emulated unit is slow. */
    const size_t count = getenv("ORRERY_ALL_TESTS") ? sizeof list / sizeof *list : 3;

    for (size_t k = 0; k < count; k++) {
        BODIES b = random_bodies(list[k], k % 2 ? 0.01 : 0);
        RUN r = run_made(variant, device, &b, "units=emulated bound=0.01");
        check_within(&r, "sizes", 1e-4, 1e-37);
        run_step(&r, true);
        check_within(&r, "a second step", 1e-4, 1e-37);
    }
}

/* Few bodies go the way of fujiwara/third-law, on devices with matrix units by themselves. */
TEST_ON_EACH(test_few)
{
    BODIES b = random_bodies(3000, 0.01);

    RUN r = run_made(variant, device, &b, "units=emulated fewest=3001");
    check_within(&r, "few bodies", 1e-5, 0);
    assert_true(cost_of(&r).flops_true > 0);
    assert_null(strstr(r.job.note, "blocks of"));
}

/* Few bodies wholly by pairs of floats; of many near tiles, which have binaries. */
TEST_ON_EACH(test_pairs_of_floats)
{
    BODIES b = bodies_of_doubles(700);
    BODIES rounded = rounded_copy(&b);

    check_pairs(variant, device, "units=emulated fewest=3001");
    RUN r = run_made(variant, device, &b, "units=emulated bound=1e-5 positions=pairs");
    RUN single = run_made(variant, device, &rounded, "units=emulated bound=1e-5");
    check_within(&r, "pairs of floats", 1e-5, 0);
    assert_true(errors_of(&single, &b).largest > 0.05);
}

/* A light cluster far from a heavy one, whose pairs alone count for it: what one half of r^-3 loses
 * is coarse by itself, and may be so only under a bound that allows it. Points lose nothing. */
TEST_ON_EACH(test_coarse)
{
    static const struct {
        double size, bound, share;
    } cases[] = {{0.25, 1e-4, 0}, {0.25, 1e-3, 0.5}, {1e-6, 1e-4, 0.5}};

    for (int k = 0; k < 3; k++) {
        BODIES b = random_bodies(1024, 0);
        for (size_t i = 0; i < b.n; i++) {
            b.mass[i] = i % 2 ? 1 : 1e-6;
            for (int d = 0; d < 3; d++)
                b.pos[d][i] = cases[k].size * b.pos[d][i] + (i % 2 ? 1 : -1);
        }
        orr_bodies_round(&b);
        const char *settings = filled("units=emulated coarse=0.5 bound=%g", cases[k].bound);
        RUN r = run_made(variant, device, &b, settings);
        check_within(&r, settings, cases[k].bound, 0);
        assert_true(figure(&r, "coarse share") == cases[k].share);
    }
}

TEST_ON_EACH(test_refusal)
{
    BODIES b = random_bodies(10, 0.05);

    assert_refused(variant, device, &b, "", ORR_EUNSUPPORTED, "through CUDA alone");
}

/* --- the bound, against the arithmetic of one pair --- */

/* To so many bits. */
static double rounded(double x, int bits)
{
    int e;
    const double m = frexp(x, &e);

    return ldexp(nearbyint(ldexp(m, bits)), e - bits);
}

/* The worst that 16 terms can come to when each is cut off below 2^-23 of the largest. */
static double squared_distance(const double i[3], const double j[3], double eps2)
{
    double term[5], most = 0, sum = 0, si = 0, sj = eps2;

    for (int d = 0; d < 3; d++) {
        si += i[d] * i[d];
        sj += j[d] * j[d];
        term[d] = -2 * rounded(i[d], 22) * rounded(j[d], 22);
    }
    term[3] = rounded(si, 22);
    term[4] = rounded(sj, 22);
    for (int k = 0; k < 5; k++)
        most = fmax(most, fabs(term[k]));
    for (int k = 0; k < 5; k++)
        sum += term[k];
    return sum - 17 * ldexp(most, -23);
}

static double coordinate(double middle, double half)
{
    const double corner = uniform();

    return middle + half * (corner < 0.4 ? -1 : corner < 0.8 ? 1 : 2 * uniform() - 1);
}

/* Boxes of all shapes and distances: r^-3 of every pair keeps the bound, also when it is cut, and
 * magnitudes theirs. */
TEST(test_bound)
{
    enum { TRIALS = 400000 };
    const double far_error = 1e-3;
    long far = 0;
    double tight = 0;

    for (long trial = 0; trial < TRIALS; trial++) {
        const float size = ldexpf(1, (int)(20 * uniform()) - 10);
        const float eps2 = trial % 2 ? 0 : size * size * (float)uniform();
        struct matrix_box i = {0}, j = i;
        double at_i[3], at_j[3], r2 = (double)eps2;
        i.hx = size * (float)uniform();
        i.hy = size * (float)uniform();
        i.hz = size * (float)uniform();
        j.hx = size * (float)uniform();
        j.hy = size * (float)uniform();
        j.hz = size * (float)uniform();
        j.x = size * (float)(20 * uniform() - 10);
        j.y = size * (float)(20 * uniform() - 10);
        j.z = size * (float)(20 * uniform() - 10);
        i.half_radius = matrix_radius(i);
        i.tile_radius = i.half_radius;
        j.part_radius = j.tile_radius = matrix_radius(j);
        const struct matrix_rates rates = matrix_rates_of(i, j, eps2);
        if (!((double)rates.error < far_error))
            continue;
        far++;
        for (int d = 0; d < 3; d++) {
            at_i[d] = coordinate(0, (double)(&i.hx)[d]);
            at_j[d] = coordinate((double)(&j.x)[d], (double)(&j.hx)[d]);
            r2 += (at_j[d] - at_i[d]) * (at_j[d] - at_i[d]);
        }
        const double error = pow(squared_distance(at_i, at_j, (double)eps2) / r2, -1.5) - 1;
        if (!(fabs(error) < (double)rates.fine[0]))
            fail_msg("trial %ld: r^-3 is off by %g where %g is promised", trial, error,
                     (double)rates.fine[0]);
        const double w = pow(r2, -1.5) * pow((double)rates.unit, -3), step = ldexp(1, -14);
        const double off = fabs(nearbyint(w / step) * step / w - 1) / (double)rates.cut[0];
        if (!(w < 15 && off <= 1))
            fail_msg("trial %ld: w = %g is off by %g of what is promised", trial, w, off);
        tight = fmax(tight, off);
        const double force = sqrt(r2 - (double)eps2) / (r2 * sqrt(r2)), phi = 1 / sqrt(r2);
        if (!(force <= (double)rates.most[0] && force >= (double)rates.least[0]) ||
            !(phi <= (double)rates.most[1] && phi >= (double)rates.least[1]))
            fail_msg("trial %ld: magnitudes %g %g are not between %g %g and %g %g", trial, force,
                     phi, (double)rates.least[0], (double)rates.least[1], (double)rates.most[0],
                     (double)rates.most[1]);
    }
    assert_true(far > TRIALS / 20 && far < TRIALS);
    assert_true(tight > 0.6); /* half of it would be a promise that is broken */
}

RUN_TESTS_OF("fujiwara/matrix")
