/* SPDX-License-Identifier: MIT */
/* The host variants of feng against sums in double precision: direct ones, and those of a plain
 * Barnes-Hut code of its own that builds no tree; every instruction set that this CPU has, several
 * numbers of threads, pathological inputs. */
#include "feng_run.h"

static const struct way ways[] = {{"feng/cpu-naive", NULL, 1},       {"feng/cpu-tuned", "auto", 1},
                                  {"feng/cpu-tuned", "baseline", 2}, {"feng/cpu-tuned", "avx2", 2},
                                  {"feng/cpu-tuned", "avx512f", 2},  {"feng/cpu-tuned", "auto", 3}};
enum { WAYS = sizeof ways / sizeof *ways, NAIVE = 0, TUNED = 1 };

/* False when this CPU has not got the instruction set. */
static bool run_make(struct run *r, const struct way *way, const struct orr_bodies *b, double theta,
                     int steps)
{
    return run_way(r, way, b, filled("theta=%.17g steps=%d dt=0.001", theta, steps));
}

/* Every body, but those for which a decision is within rounding, to `within` of the size of its
 * terms. */
static void check(const struct run *r, const struct way *way, const struct orr_bodies *b,
                  const struct sum *expected, double within, const char *what)
{
    for (size_t i = 0; i < b->n; i++)
        if (!(distance(r->out.acc, expected, i) <= within * expected[i].size + 1e-30) &&
            expected[i].margin > 1e-9)
            fail_msg("%s, %s, %d threads: %s, n = %zu, body %zu: off by %g of %g", way->variant,
                     way->simd ? way->simd : "-", way->threads, what, b->n, i,
                     distance(r->out.acc, expected, i), expected[i].size);
}

static struct orr_bodies square_bodies(size_t n, double side, double eps)
{
    struct orr_bodies b = bodies_made(n, 2);
    for (size_t i = 0; i < n; i++) {
        for (int d = 0; d < 2; d++)
            b.pos[d][i] = side * (uniform() - 0.3);
        b.mass[i] = 0.1 + uniform();
    }
    b.eps = eps;
    orr_bodies_round(&b);
    return b;
}

/* By every way: theta = 0 is the direct sum, and theta = 0.5 near it; what naive does then is
 * exactly the rule. Instruction sets lead along the same curve: tuned ones do the same work. */
static void check_all(struct orr_bodies *b, const char *what)
{
    orr_bodies_round(b);
    struct sum *direct = expect(b, 0), *plain = expect(b, 0.5);
    double work = 0;
    for (const struct way *way = ways; way < ways + WAYS; way++) {
        RUN r = {0};
        const bool naive = way == ways + NAIVE;
        if (!run_make(&r, way, b, 0, 0))
            continue;
        check(&r, way, b, direct, 1e-5, what);
        assert_true(cost_of(&r).interactions == (double)b->n * (double)(b->n - 1));
        run_release(&r);
        run_make(&r, way, b, 0.5, 0);
        check(&r, way, b, naive ? plain : direct, naive ? 1e-5 : 0.2, what);
        work = way == ways + TUNED ? cost_of(&r).interactions : work;
        if (!naive && cost_of(&r).interactions != work)
            fail_msg("%s, %s: %g interactions, not %g", what, way->simd, cost_of(&r).interactions,
                     work);
    }
    free(direct);
    free(plain);
}

TEST(test_sizes)
{
    static const size_t sizes[] = {1, 2, 3, 15, 16, 17, 63, 64, 65, 129, 700};

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        BODIES b = square_bodies(sizes[k], 2, k % 2 ? 0.01 : 0);
        check_all(&b, "sizes");
    }
}

static double error_of(const struct way *way, const struct orr_bodies *b, const struct sum *direct,
                       double theta)
{
    RUN r = {0};

    run_make(&r, way, b, theta, 0);
    return median_error(r.out.acc, direct, b->n);
}

TEST(test_errors_grow_with_theta_and_not_by_tuning)
{
    static const double thetas[] = {0, 0.25, 0.5, 0.9, 2, 5};
    BODIES b = square_bodies(3000, 2048, 1);
    RELEASED_BY(free_text) struct sum *direct = expect(&b, 0);
    double last[2] = {0, 0};

    for (size_t k = 0; k < sizeof thetas / sizeof *thetas; k++) {
        const double naive = error_of(&ways[NAIVE], &b, direct, thetas[k]);
        const double tuned = error_of(&ways[TUNED], &b, direct, thetas[k]);
        assert_true(naive >= last[0] && tuned >= last[1]);
        if (!(tuned <= fmax(naive, 1e-5)) || (k == 0 && naive > 1e-5))
            fail_msg("theta = %g: median error %g of naive, %g of tuned", thetas[k], naive, tuned);
        last[0] = naive;
        last[1] = tuned;
    }
}

TEST(test_every_kind_of_bodies)
{
    for (int kind = 0; kind < KINDS; kind++) {
        BODIES b = make_bodies((enum kind)kind, 257, true);
        check_all(&b, kind_names[kind]);
    }
}

/* What waits to act in cpu-tuned, 512 sources, is filled to the last one: as many bodies at one
 * place that are not of the group (64 of them walk together), a leaf that is opened 16 at a time.
 * Then come more cells that act as one body than there is room beyond: clumps far from one another,
 * any two of which are too many for a leaf. */
TEST(test_no_room_left)
{
    enum { SIDE = 8, CLUMPS = SIDE * SIDE - 1, CLUMP = 9, CROWD = 512 + 64 };
    BODIES b = square_bodies(CROWD + CLUMPS * CLUMP, 1, 0.01);

    for (size_t i = 0; i < b.n; i++) {
        const size_t at = i < CROWD ? 0 : 1 + (i - CROWD) / CLUMP;
        b.pos[0][i] = (double)(at % SIDE) + (i < CROWD ? 0 : 0.3 + 1e-5 * (double)(i % CLUMP));
        b.pos[1][i] = (double)(at / SIDE) + (i < CROWD ? 0 : 0.3);
    }
    orr_bodies_round(&b);
    RELEASED_BY(free_text) struct sum *direct = expect(&b, 0);
    for (const struct way *way = ways + TUNED; way < ways + WAYS; way++) {
        RUN r = {0};
        if (!run_make(&r, way, &b, 0.01, 0))
            continue;
        check(&r, way, &b, direct, 1e-5, "no room left");
    }
}

/* Enough bodies for a top above the parts that threads build. */
TEST(test_threads_change_no_bit)
{
    BODIES b = square_bodies(20000, 1, 0.001);
    RUN one = {0}, many = {0};

    run_make(&one, &ways[TUNED], &b, 0.7, 2);
    run_make(&many, &ways[WAYS - 1], &b, 0.7, 2);
    assert_same_forces(&one, &many, "other threads");
    assert_true(cost_of(&one).interactions == cost_of(&many).interactions &&
                cost_of(&one).interactions > 0);
}

/* Bodies that move along with the curve for a while come back to their places. */
TEST(test_long_runs_settle)
{
    BODIES b = square_bodies(1 + (size_t)random_below(9000), 1, 0.1);
    RUN naive = {0};

    for (size_t i = 0; i < b.n; i++)
        for (int d = 0; d < 2; d++)
            b.vel[d][i] = 20 * (uniform() - 0.5) * (i % 16 ? 1 : 10);
    orr_bodies_round(&b);
    run_make(&naive, &ways[NAIVE], &b, 0, 7);
    for (const struct way *way = ways + TUNED; way < ways + WAYS; way++) {
        RUN r = {0};
        if (!run_make(&r, way, &b, 0, 7))
            continue;
        for (size_t i = 0; i < b.n; i++)
            for (int d = 0; d < 2; d++)
                if (!(fabs((double)(r.out.pos[d][i] - naive.out.pos[d][i])) <= 1e-4) ||
                    !(fabs((double)(r.out.vel[d][i] - naive.out.vel[d][i])) <= 1e-4 * (double)b.n))
                    fail_msg("%s, %zu bodies: body %zu is at %g instead of %g", way->simd, b.n, i,
                             (double)r.out.pos[d][i], (double)naive.out.pos[d][i]);
    }
}

/* Softened bodies meet themselves like others; those that are not softened are left out. The pairs
 * are the same, also where a cell acts on its own bodies. */
TEST(test_meeting_oneself_counts_nothing)
{
    static const double thetas[] = {0, 0.7, 5, 50};
    BODIES b = square_bodies(1 + (size_t)random_below(5000), 1, 0.01);

    for (const struct way *way = ways + TUNED; way < ways + WAYS; way++)
        for (size_t k = 0; k < sizeof thetas / sizeof *thetas; k++) {
            RUN softened = {0}, hard = {0};
            b.eps = 0.01;
            if (!run_make(&softened, way, &b, thetas[k], 0))
                break;
            b.eps = 0;
            run_make(&hard, way, &b, thetas[k], 0);
            if (cost_of(&softened).interactions != cost_of(&hard).interactions)
                fail_msg("%s, %zu bodies, theta = %g: %g interactions and %g", way->simd, b.n,
                         thetas[k], cost_of(&softened).interactions, cost_of(&hard).interactions);
        }
}

RUN_TESTS_OF("feng/cpu-naive", "feng/cpu-tuned")
