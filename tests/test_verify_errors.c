/* SPDX-License-Identifier: MIT */
/* The three normalisations of an error, its distribution, and how many bodies are compared. */
#include "measure/stats.h"
#include "run/verify.h"
#include "run/referee_cache.h"
#include "tests/cases.h"
#include "tests/random_for_tests.h"
#include "tests/verify_for_tests.h"

/* Errors put there by hand, each kind against its definition, and what shares of the targets
 * exceed. */
TEST(errors_in_three_normalisations)
{
    enum { N = 1001 };
    RELEASED_BY(orr_bodies_release) struct orr_bodies b = cloud(N, seed);
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
        close_to(got->median, orr_stats_median(expected[kind], N), 1e-12);
        orr_stats_quantiles(expected[kind], N, (double[]){0.99, 1}, 2, ends);
        close_to(got->p99, ends[0], 1e-12);
        close_to(got->max, ends[1], 1e-12);
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
    close_to(e.of[ORR_ERROR_BY_MEAN].median, 0.501,
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
    RELEASED_BY(orr_bodies_release) struct orr_bodies b = cloud(3000, 5), few = cloud(50, 5);
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
    }
    struct orr_reference all;
    struct orr_sources sources = sources_of(&few, 0.1);
    assert_int_equal(
        orr_reference_make(&all, &sources, &(struct orr_targets){.count = 10, .seed = 1}), 0);
    assert_int_equal(all.count, 50);
    orr_reference_release(&all);
    orr_referee_cache_release(cache);
}

RUN_TESTS(NULL, NULL)
