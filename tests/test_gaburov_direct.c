/* SPDX-License-Identifier: MIT */
/* gaburov/direct and gaburov/direct-fp64: accuracy, launches that take part of the bodies each,
 * shapes, odd bodies. */
#include "space_run.h"

#include "datasets/dataset.h"

/* Of the sum of the lengths of all terms. */
static double bound_of(const struct orr_variant *variant)
{
    return variant->capabilities & ORR_NEEDS_FP64 ? 1e-7 : 3e-6;
}

static void run_and_check(const struct orr_variant *variant, struct orr_device *device,
                          const struct orr_bodies *b, const char *settings)
{
    RUN r = run_made(variant, device, b, settings);
    check_within(&r, settings, bound_of(variant), 1e-38);
    run_step(&r, false);
    check_within(&r, "a second step", bound_of(variant), 1e-38);
}

/* `settings` without the third law and, where the variant knows it, with it. */
static void both_ways(const struct orr_variant *variant, struct orr_device *device,
                      const struct orr_bodies *b, const char *settings)
{
    char text[128];

    if (!(variant->capabilities & ORR_NEEDS_FP64)) {
        run_and_check(variant, device, b, settings);
        return;
    }
    snprintf(text, sizeof text, "third_law=no %s", settings);
    run_and_check(variant, device, b, text);
    snprintf(text, sizeof text, "third_law=yes %s", settings);
    run_and_check(variant, device, b, text);
}

TEST_EVERYWHERE(test_awkward_sizes)
{
    static const size_t counts[] = {1, 2, 3, 31, 64, 65, 127, 128, 129, 1003};

    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (int softened = 0; softened < 2; softened++) {
            BODIES b = random_bodies(counts[k], softened ? 0.01 : 0);
            both_ways(variant, device, &b, "");
        }
}

enum kind { COINCIDENT, PAIRS, LINE, ONE_FAR_AWAY, HUGE_RANGE, TINY_RANGE, MASSLESS, KINDS };

static void place(struct orr_bodies *b, enum kind kind)
{
    for (size_t i = 0; i < b->n; i++) {
        for (int k = 0; k < 3; k++) {
            double *x = b->pos[k];
            x[i] *= kind == HUGE_RANGE ? 1e9 : kind == TINY_RANGE ? 1e-9 : 1;
            if (kind == COINCIDENT || (kind == LINE && k))
                x[i] = 0.5;
            if (kind == PAIRS && i % 2)
                x[i] = x[i - 1];
        }
        if (kind == MASSLESS && i % 3)
            b->mass[i] = 0;
    }
    if (kind == ONE_FAR_AWAY)
        b->pos[0][b->n - 1] = 1e9;
    b->eps *= kind == HUGE_RANGE ? 1e9 : kind == TINY_RANGE ? 1e-9 : 1;
    orr_bodies_round(b);
}

/* Bodies at one place act on each other with softening, and on nobody without. */
TEST_EVERYWHERE(test_odd_bodies)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (int softened = 0; softened < 2; softened++) {
            BODIES b = random_bodies(201, softened ? 0.01 : 0);
            place(&b, (enum kind)kind);
            both_ways(variant, device, &b, "");
        }
}

/* Launches over parts of the bodies j, in every shape of the threads: no pair is lost or met twice.
 */
TEST_EVERYWHERE(test_launches_over_parts)
{
    static const char *const settings[] = {"sources=1",
                                           "sources=128",
                                           "sources=500",
                                           "sources=1000 bodies=1",
                                           "sources=300 block=1",
                                           "sources=129 bodies=3",
                                           "sources=700 bodies=16"};
    BODIES b = random_bodies(1003, 0.01);

    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
        both_ways(variant, device, &b, settings[k]);
}

/* One launch and many: but for the last digits of single precision, one result. launches: 0 where
 * they depend on how wide the device's vectors are. */
static void one_and_many_by(const struct orr_variant *variant, struct orr_device *device,
                            const char *how, int launches)
{
    BODIES b = random_bodies(3000, 0);
    char text[2][64];

    snprintf(text[0], sizeof text[0], "sources=3072%s", how);
    snprintf(text[1], sizeof text[1], "sources=256%s", how);
    RUN one = run_made(variant, device, &b, text[0]);
    RUN many = run_made(variant, device, &b, text[1]);
    assert_non_null(strstr(one.job.note, "launches 1"));
    const char *said = strstr(many.job.note, "launches ");
    assert_non_null(said);
    const int found = atoi(said + strlen("launches "));
    if (launches ? found != launches : found < 2 || found > 12)
        fail_msg("%s: not %d", many.job.note, launches);
    for (size_t i = 0; i < b.n; i++) {
        double off = 0, size = 0;
        for (int k = 0; k < 3; k++) {
            off += pow((double)one.out.acc[k][i] - (double)many.out.acc[k][i], 2);
            size += pow((double)one.out.acc[k][i], 2);
        }
        assert_true(sqrt(off) <= 10 * bound_of(variant) * sqrt(size));
        assert_true(fabs((double)one.out.phi[i] - (double)many.out.phi[i]) <=
                    bound_of(variant) * fabs((double)one.out.phi[i]));
    }
}

TEST_EVERYWHERE(test_one_launch_and_many)
{
    if (variant->capabilities & ORR_NEEDS_FP64) {
        one_and_many_by(variant, device, " third_law=no", 12);
        one_and_many_by(variant, device, " third_law=yes", 0);
    } else {
        one_and_many_by(variant, device, "", 12);
    }
}

/* Unsoftened, with a cusp: what single precision loses against double. */
static void errors_of_a_galaxy(struct orr_device *device)
{
    struct orr_bodies b;
    struct run single, twice;
    double errors = 0;

    if (!orr_plugin_runs_on(plugins[1].variant, &device->info))
        return;
    assert_done(orr_dataset_make(&b, "milky-way", 8000, 1 + (uint64_t)random_below(1 << 30)));
    single = run_made(plugins[0].variant, device, &b, "");
    twice = run_made(plugins[1].variant, device, &b, "");
    for (size_t i = 0; i < b.n; i++) {
        double off = 0, size = 0;
        for (int k = 0; k < 3; k++) {
            off += pow((double)single.out.acc[k][i] - (double)twice.out.acc[k][i], 2);
            size += pow((double)twice.out.acc[k][i], 2);
        }
        errors += sqrt(off / size) > 1e-6;
    }
    if (errors > 0.01 * (double)b.n)
        fail_msg("%s: %g of %zu bodies are off by more than 1e-6", device->info.id, errors, b.n);
    run_release(&single);
    run_release(&twice);
    orr_bodies_release(&b);
}

TEST(test_errors_of_a_galaxy)
{
    for (int d = 0; d < device_count; d++)
        errors_of_a_galaxy(devices[d]);
}

TEST_EVERYWHERE(test_refusals)
{
    BODIES b = random_bodies(10, 0.01);

    b.dt = 0;
    assert_refused(variant, device, &b, "steps=3", ORR_EUSAGE, "needs a time step");
    if (device->info.max_group && device->info.max_group < 1024)
        assert_refused(variant, device, &b, "block=1024", ORR_EUNSUPPORTED, "groups of at most");
}

TEST_EVERYWHERE(test_costs)
{
    BODIES b = random_bodies(100, 0.01);

    RUN r = run_made(variant, device, &b, "steps=2");
    const struct orr_cost cost = cost_of(&r);
    assert_true(cost.interactions == 3 * 100 * 99.0 &&
                cost.flops_convention == 38 * cost.interactions);
    assert_int_equal(cost.figure_count, 1);
    assert_string_equal(cost.figures[0].name, "leaf interactions");
    assert_true(cost.figures[0].value == cost.interactions);
}

RUN_TESTS_OF("gaburov/direct", "gaburov/direct-fp64")
