/* SPDX-License-Identifier: MIT */
/* The fp64 reference and the judgement over it. */
#include "datasets/boxes.h"
#include "datasets/bodies.h"
#include "measure/stats.h"
#include "verify/verify.h"
#include "referee/referee.h"
#include "tests/cases.h"
#include "tests/random_for_tests.h"
#include "tests/verify_for_tests.h"

static uint64_t first_seed;

/* Two bodies, by hand: eq. 1 with masses 2 and 3 at distance 2, eps = 1. */
TEST(two_bodies_by_hand)
{
    BODIES b = bodies_made(2, 3);
    b.pos[0][1] = 2;
    b.mass[0] = 2;
    b.mass[1] = 3;
    RELEASED_BY(orr_reference_release) struct orr_reference r = reference_of(&b, 1);
    assert_int_equal(r.count, 2);
    assert_relative(r.acc[0][0], 3 * 2 / pow(5, 1.5), 1e-15);
    assert_relative(r.acc[0][1], -2 * 2 / pow(5, 1.5), 1e-15);
    assert_relative(r.phi[0], -3 / sqrt(5), 1e-15);
    assert_relative(r.scale[1], 2 * 2 / pow(5, 1.5), 1e-5);
    struct orr_totals totals;
    struct orr_sources sources = sources_of(&b, 1);
    b.vel[1][0] = 4;
    orr_reference_totals(&totals, &sources, (const double *const[3]){b.vel[0], b.vel[1], b.vel[2]});
    assert_relative(totals.energy, 0.5 * 2 * 16 - 6 / sqrt(5), 1e-15);
    assert_relative(totals.momentum[1], 8, 1e-15);
}

/* The vectorised sums against a plain loop, at sizes around every vector width. */
TEST(agrees_with_a_plain_loop)
{
    for (size_t n = 1; n < 40; n++) {
        BODIES b = cloud(n, n);
        RELEASED_BY(orr_reference_release) struct orr_reference r = reference_of(&b, 0.01);
        for (size_t i = 0; i < n; i++) {
            double ax = 0, phi = 0;
            for (size_t j = 0; j < n; j++) {
                double dx = b.pos[0][j] - b.pos[0][i], dy = b.pos[1][j] - b.pos[1][i],
                       dz = b.pos[2][j] - b.pos[2][i];
                double q = 1 / sqrt(dx * dx + dy * dy + dz * dz + 1e-4);
                ax += j == i ? 0 : b.mass[j] * q * q * q * dx;
                phi -= j == i ? 0 : b.mass[j] * q;
            }
            assert_relative(r.acc[0][i] + 10, ax + 10, 1e-13);
            assert_relative(r.phi[i], phi, 1e-13);
        }
    }
}

static const struct orr_bound bound = {.median = 1e-5, .p99 = 1e-4, .max = 1e-2};

static int judge(struct orr_errors *errors, const struct orr_forces *forces,
                 const struct orr_reference *reference)
{
    orr_error_clear();
    assert_int_equal(orr_verify_errors(errors, forces, reference, 3), 0);
    return orr_verify_judge(errors, &bound);
}

TEST(judges_right_and_wrong)
{
    BODIES b = cloud(500, 9);
    RELEASED_BY(orr_reference_release) struct orr_reference r = reference_of(&b, 0.01);
    RELEASED_BY(orr_verify_release_forces) struct orr_forces f = right_forces(&b, &r);
    struct orr_errors e;
    const struct orr_spread *relative = &e.of[ORR_ERROR_RELATIVE];
    assert_int_equal(orr_verify_finite(&f, b.n, 3), 0);
    assert_int_equal(judge(&e, &f, &r), 0);
    assert_true(relative->max < 1e-6 && e.phi_max < 1e-6 && relative->median <= relative->p99 &&
                relative->p99 <= relative->max);
    f.acc[1][77] *= 1.5f; /* one body */
    assert_fails(judge(&e, &f, &r), ORR_EWRONG, "largest error");
    for (size_t i = 0; i < 20; i++)
        f.acc[0][i] *= 1.001f; /* four in a hundred */
    assert_fails(judge(&e, &f, &r), ORR_EWRONG, "p99 error");
    orr_verify_release_forces(&f);
    f = right_forces(&b, &r);
    f.phi[3] *= 2;
    assert_fails(judge(&e, &f, &r), ORR_EWRONG, "potential");
    f.has_phi = 0;
    assert_int_equal(judge(&e, &f, &r), 0);
}

TEST(names_the_first_body_that_is_not_finite)
{
    BODIES b = cloud(100, 1);
    RELEASED_BY(orr_reference_release) struct orr_reference r = reference_of(&b, 0.01);
    RELEASED_BY(orr_verify_release_forces) struct orr_forces f = right_forces(&b, &r);
    f.acc[2][41] = INFINITY;
    assert_int_equal(orr_verify_finite(&f, b.n, 3), ORR_EWRONG);
    assert_string_equal(orr_error_text(), "az of body 41 is infinite");
    assert_int_equal(orr_verify_finite(&f, b.n, 2), 0); /* a 2D variant writes no az */
    orr_error_clear();
    orr_verify_poison_forces(&f, b.n);
    assert_fails(orr_verify_finite(&f, b.n, 3), ORR_EWRONG,
                 "ax of body 0 is not a number, or was never written");
}

/* A single body feels nothing; anything but zero is wrong. */
TEST(one_body)
{
    BODIES b = cloud(1, 1);
    RELEASED_BY(orr_reference_release) struct orr_reference r = reference_of(&b, 0);
    RELEASED_BY(orr_verify_release_forces) struct orr_forces f = right_forces(&b, &r);
    struct orr_errors e;
    assert_int_equal(judge(&e, &f, &r), 0);
    assert_true(e.of[ORR_ERROR_RELATIVE].max == 0 && e.of[ORR_ERROR_BY_MEAN].max == 0 &&
                e.phi_max == 0);
    f.acc[0][0] = 1e-20f;
    assert_int_equal(judge(&e, &f, &r), ORR_EWRONG);
}

/* In the middle of a symmetric pair the force cancels: the error is judged against the terms, not
 * against their sum. */
TEST(cancellation_has_a_floor)
{
    BODIES b = bodies_made(3, 3);
    b.pos[0][0] = -1;
    b.pos[0][1] = 1;
    b.mass[0] = b.mass[1] = b.mass[2] = 1;
    RELEASED_BY(orr_reference_release) struct orr_reference r = reference_of(&b, 0);
    RELEASED_BY(orr_verify_release_forces) struct orr_forces f = right_forces(&b, &r);
    struct orr_errors e;
    f.acc[0][2] = 1e-8f;
    assert_int_equal(judge(&e, &f, &r), 0);
    assert_relative(e.of[ORR_ERROR_RELATIVE].max, 1e-8 / (1e-3 * 2), 1e-5);
    assert_relative(e.of[ORR_ERROR_BY_TERMS].max, 1e-8 / 2, 1e-5);
}

/* Uneven bodies in the square from (-1, -1) to (3, 3), whose boxes have corners that single
 * precision knows: a crowd in one spot, some on the lines between boxes, some on the far edges, two
 * at one place. The first two span the square. */
static struct orr_bodies uneven(size_t n)
{
    struct orr_bodies b = {0};
    b = bodies_made(n, 2);
    for (size_t i = 0; i < n; i++) {
        double width = i % 3 ? 4 : 0.3;
        for (int d = 0; d < 2; d++)
            b.pos[d][i] = -1 + width * uniform();
        if (i % 5 == 4)
            b.pos[i % 2][i] = -1 + 0.25 * floor(17 * uniform());
        if (i % 11 == 10)
            b.pos[i % 2][i] = 3;
        b.mass[i] = 0.5 + uniform();
    }
    for (int d = 0; d < 2; d++) {
        b.pos[d][0] = -1;
        if (n > 1)
            b.pos[d][1] = 3;
        if (n > 7)
            b.pos[d][7] = b.pos[d][6];
    }
    orr_bodies_round(&b);
    return b;
}

static double box_of(double x, double corner, double edge, double side)
{
    double box = floor((x - corner) * side / edge);
    return box < 0 ? 0 : box > side - 1 ? side - 1 : box;
}

static void near_reference(struct orr_reference *out, const struct orr_bodies *b, double eps,
                           int level, const struct orr_targets *of)
{
    const struct orr_sources sources = orr_reference_sources(b, b->mass, eps);
    RELEASED_BY(orr_reference_near_release) struct orr_reference_near near;
    assert_int_equal(orr_reference_near_make(&near, b, level), 0);
    assert_int_equal(orr_reference_make(out, &sources, &near, of), 0);
}

/* Every force of the reference against a plain loop that asks of each pair whether their boxes
 * touch. */
static void check_near(const struct orr_bodies *b, int level, double eps, double corner,
                       double edge)
{
    struct orr_reference r;
    double side = ldexp(1, level);
    near_reference(&r, b, eps, level, &targets);
    assert_int_equal(r.count, b->n > ORR_REFERENCE_ALL ? ORR_REFERENCE_TARGETS : b->n);
    for (size_t k = 0; k < r.count; k++) {
        double sum[4] = {0};
        size_t i = r.targets[k];
        for (size_t j = 0; j < b->n; j++) {
            double dx = b->pos[0][j] - b->pos[0][i], dy = b->pos[1][j] - b->pos[1][i],
                   d = hypot(dx, dy);
            if (j == i ||
                fabs(box_of(b->pos[0][j], corner, edge, side) -
                     box_of(b->pos[0][i], corner, edge, side)) > 1 ||
                fabs(box_of(b->pos[1][j], corner, edge, side) -
                     box_of(b->pos[1][i], corner, edge, side)) > 1)
                continue;
            double q = 1 / sqrt(d * d + eps * eps), force = b->mass[j] * q * q * q;
            sum[0] += force * dx;
            sum[1] += force * dy;
            sum[2] -= b->mass[j] * q;
            sum[3] += force * d;
        }
        for (int d = 0; d < 2; d++)
            if (!(fabs(r.acc[d][k] - sum[d]) <= 1e-12 * sum[3]))
                fail_msg("n = %zu, level %d, seed %llu: body %zu feels %.17g, not %.17g", b->n,
                         level, (unsigned long long)first_seed, i, r.acc[d][k], sum[d]);
        assert_true(r.acc[2][k] == 0);
        assert_relative(r.phi[k], sum[2], 1e-12);
        assert_relative(r.scale[k], sum[3], 1e-4);
    }
    orr_reference_release(&r);
}

TEST(near_fields_agree_with_a_plain_loop)
{
    for (size_t n = 2; n < 40; n++)
        for (int level = 0; level <= 4; level++) {
            BODIES b = uneven(n);
            check_near(&b, level, 0.01, -1, 4);
        }
    for (int level = 0; level <= 7; level++) {
        BODIES b = uneven(2300 + (size_t)random_below(100));
        check_near(&b, level, 0.01, -1, 4);
    }
}

/* A domain of their own, smaller than the bodies' extent: those outside belong to the outermost
 * boxes. */
TEST(near_fields_keep_to_the_domain)
{
    for (int level = 0; level <= 5; level++) {
        BODIES b = uneven(300);
        b.corner[0] = b.corner[1] = 0.5;
        b.edge = 2;
        check_near(&b, level, 0.01, 0.5, 2);
    }
}

TEST(near_fields_of_few_places)
{
    BODIES one = uneven(1), same = uneven(50);
    for (int d = 0; d < 2; d++)
        for (size_t i = 0; i < same.n; i++)
            same.pos[d][i] = 0.3;
    for (int level = 0; level <= ORR_MAX_LEVEL; level += 4) {
        check_near(&one, level, 0, -1, 1);
        check_near(&same, level, 0.1, 0.3, 1);
    }
}

/* Accelerations have the same bits where nothing else is wanted. */
TEST(accelerations_alone_are_the_same)
{
    BODIES b = uneven(700);
    b.pos[0][7] += 0.01; /* two at one place need softening */
    for (int soft = 0; soft < 2; soft++) {
        const struct orr_sources sources = orr_reference_sources(&b, b.mass, soft ? 0.01 : 0);
        for (size_t i = 0; i < b.n; i++) {
            struct orr_reference_sums sums[2] = {0};
            const double at[3] = {b.pos[0][i], b.pos[1][i], b.pos[2][i]};
            for (int only = 0; only < 2; only++) {
                orr_reference_pairs_add(&sums[only], &sources, only, at, 0, i);
                orr_reference_pairs_add(&sums[only], &sources, only, at, i + 1, b.n);
            }
            assert_memory_equal(sums[0].acc, sums[1].acc, sizeof sums[0].acc);
        }
    }
}

TEST(few_targets_are_like_many)
{
    BODIES b = uneven(700);
    for (int level = 0; level < 5; level++) {
        RELEASED_BY(orr_reference_release) struct orr_reference all, few;
        const struct orr_targets everyone = {.count = 700},
                                 some = {.count = 5, .seed = seed + (uint64_t)level, .few = true};
        near_reference(&all, &b, 0.01, level, &everyone);
        near_reference(&few, &b, 0.01, level, &some);
        assert_int_equal(few.count, 5);
        for (size_t k = 0; k < few.count; k++) {
            size_t body = few.targets[k];
            assert_true(k == 0 || few.targets[k - 1] < body);
            for (int d = 0; d < 3; d++)
                assert_true(fabs(few.acc[d][k] - all.acc[d][body]) <= 1e-12 * all.scale[body]);
            assert_true(fabs(few.phi[k] - all.phi[body]) <= -1e-12 * all.phi[body]);
            assert_true(fabs(few.scale[k] - all.scale[body]) <= 1e-12 * all.scale[body]);
        }
    }
}

/* Results of more bodies than a core takes together. */
TEST(results_are_taken_whole)
{
    enum { N = 200001 };
    RELEASED_BY(orr_verify_release_forces) struct orr_forces from, to;
    struct orr_verify_image of = {.n = N, .dimensions = 3};
    assert_int_equal(orr_verify_make_forces(&from, N, false), 0);
    assert_int_equal(orr_verify_make_forces(&to, N, true), 0);
    for (size_t i = 0; i < N; i++)
        from.acc[0][i] = from.acc[1][i] = from.acc[2][i] = from.phi[i] = (float)uniform();
    from.has_phi = 1;
    assert_true(orr_verify_take(&to, &from, &of) && to.has_phi);
    float *const *read = to.acc, *const *wrote = from.acc;
    for (int d = 0; d < 3; d++)
        assert_memory_equal(read[d], wrote[d], N * sizeof(float));
    assert_memory_equal(to.phi, from.phi, N * sizeof(float));
    const size_t places[] = {0, 65535, 65536, 131072, N - 1};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        float *value = &from.acc[k % 3][places[k]], kept = *value;
        *value = k % 2 ? INFINITY : NAN;
        assert_false(orr_verify_take(&to, &from, &of));
        *value = kept;
    }
    from.phi[N - 1] = NAN; /* which counts only where a variant has a potential */
    assert_false(orr_verify_take(&to, &from, &of));
    from.has_phi = 0;
    assert_true(orr_verify_take(&to, &from, &of));
    of.shift = 70000; /* of bodies that were lent in another order, and mirrored */
    of.mirrored = 5;
    assert_true(orr_verify_take(&to, &from, &of));
    for (size_t i = 0; i < N; i++) {
        const size_t lent = (i + of.shift) % N;
        assert_true(read[0][i] == -wrote[0][lent] && read[1][i] == wrote[1][lent] &&
                    read[2][i] == -wrote[2][lent]);
    }
    assert_memory_equal(to.phi, from.phi + of.shift, (N - of.shift) * sizeof(float));
}

/* The cache must not hand out one level's reference for another. */
TEST(references_are_kept_by_level_and_domain)
{
    RELEASED_BY(free_text) struct orr_referee_cache *cache = calloc(1, sizeof *cache);
    BODIES b = uneven(200);
    const struct orr_reference *all, *near, *again, *moved;
    struct orr_reference_of of = {
        .bodies = &b, .sha256 = "same", .eps = 0.01, .level = -1, .targets = {.seed = 1}};
    assert_int_equal(orr_referee_cache_reference(cache, &all, &of), 0);
    of.level = 2;
    assert_int_equal(orr_referee_cache_reference(cache, &near, &of), 0);
    assert_ptr_not_equal(all, near);
    assert_int_equal(orr_referee_cache_reference(cache, &again, &of), 0);
    assert_ptr_equal(near, again);
    b.edge = 4;
    assert_int_equal(orr_referee_cache_reference(cache, &moved, &of), 0);
    assert_ptr_not_equal(near, moved);
    orr_referee_cache_release(cache);
}

/* --- errors --- */

/* Errors put there by hand, each kind against its definition, and what shares of the targets
 * exceed. */
TEST(errors_in_three_normalisations)
{
    enum { N = 1001 };
    BODIES b = cloud(N, seed);
    RELEASED_BY(orr_reference_release) struct orr_reference r = reference_of(&b, 0.01);
    RELEASED_BY(orr_verify_release_forces) struct orr_forces f = right_forces(&b, &r);
    struct orr_errors e;
    double mean = 0, relative[N], by_mean[N], by_terms[N];
    for (int i = 0; i < N; i++)
        mean += sqrt(r.acc[0][i] * r.acc[0][i] + r.acc[1][i] * r.acc[1][i] +
                     r.acc[2][i] * r.acc[2][i]) /
                N;
    for (int i = 0; i < N; i++) {
        double size =
            sqrt(r.acc[0][i] * r.acc[0][i] + r.acc[1][i] * r.acc[1][i] + r.acc[2][i] * r.acc[2][i]);
        f.acc[0][i] += (float)(1e-3 * mean * (i + 1));
        double error = sqrt(pow(f.acc[0][i] - r.acc[0][i], 2) + pow(f.acc[1][i] - r.acc[1][i], 2) +
                            pow(f.acc[2][i] - r.acc[2][i], 2));
        relative[i] = error / fmax(size, 1e-3 * r.scale[i]);
        by_mean[i] = error / mean;
        by_terms[i] = error / r.scale[i];
    }
    assert_int_equal(orr_verify_errors(&e, &f, &r, 3), 0);
    const double *const expected[ORR_ERROR_KINDS] = {relative, by_mean, by_terms};
    for (int kind = 0; kind < ORR_ERROR_KINDS; kind++) {
        const struct orr_spread *got = &e.of[kind];
        double ends[2];
        assert_relative(got->median, orr_stats_median(expected[kind], N), 1e-12);
        orr_stats_quantiles(expected[kind], N, (double[]){0.99, 1}, 2, ends);
        assert_relative(got->p99, ends[0], 1e-12);
        assert_relative(got->max, ends[1], 1e-12);
        for (int k = 0; k < ORR_ERROR_SHARES; k++) {
            int above = 0;
            for (int i = 0; i < N; i++)
                above += expected[kind][i] > got->exceeded[k];
            if (abs(above - (int)lrint(orr_verify_shares[k] * (N - 1))) > 1)
                fail_msg("%s: %d of %d exceed %g, not %g of them; seed %llu",
                         orr_verify_kinds[kind], above, N, got->exceeded[k], orr_verify_shares[k],
                         (unsigned long long)seed);
        }
    }
    assert_relative(e.of[ORR_ERROR_BY_MEAN].median, 0.501,
                    1e-4); /* an error of 0.001 (i + 1) of the mean */
}

TEST(the_worst_of_two_verifications_is_kept)
{
    struct orr_errors worst = {0}, a = {.targets = 7, .phi_max = 2},
                      c = {.targets = 7, .phi_max = 1};
    a.of[ORR_ERROR_BY_TERMS] = (struct orr_spread){1, 5, 9, {3}};
    c.of[ORR_ERROR_BY_TERMS] = (struct orr_spread){2, 4, 9, {1, 1}};
    orr_verify_widen(&worst, &a);
    orr_verify_widen(&worst, &c);
    const struct orr_spread *kept = &worst.of[ORR_ERROR_BY_TERMS];
    assert_true(kept->median == 2 && kept->p99 == 5 && kept->max == 9 && kept->exceeded[0] == 3 &&
                kept->exceeded[1] == 1 && worst.phi_max == 2 && worst.targets == 7);
}

/* As many as asked for, beyond the sizes of which every body is one; other targets are another
 * reference. */
TEST(as_many_targets_as_asked_for)
{
    RELEASED_BY(free_text) struct orr_referee_cache *cache = calloc(1, sizeof *cache);
    BODIES b = cloud(3000, 5), few = cloud(50, 5);
    const struct {
        size_t asked, got;
    } cases[] = {{0, ORR_REFERENCE_TARGETS}, {1, 1}, {2500, 2500}, {3000, 3000}, {8192, 3000}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct orr_reference *r;
        struct orr_reference_of of = {
            .bodies = &b, .sha256 = "s", .eps = 0.1, .level = -1, .targets = {cases[k].asked, 1}};
        assert_int_equal(orr_referee_cache_reference(cache, &r, &of), 0);
        assert_int_equal(r->count, cases[k].got);
        for (size_t t = 1; t < r->count; t++)
            assert_true(r->targets[t - 1] < r->targets[t] && r->targets[t] < b.n);
        assert_true(k || (r->targets[0] < 50 && r->targets[r->count - 1] > b.n - 50));
    }
    RELEASED_BY(orr_reference_release) struct orr_reference all;
    struct orr_sources sources = sources_of(&few, 0.1);
    assert_int_equal(
        orr_reference_make(&all, &sources, NULL, &(struct orr_targets){.count = 10, .seed = 1}), 0);
    assert_int_equal(all.count, 50);
    orr_referee_cache_release(cache);
}

int main(void)
{
    first_seed = seed;
    return run_all(NULL, NULL);
}
