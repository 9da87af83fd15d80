/* SPDX-License-Identifier: MIT */
/* Requests in words, and what they are planned as or refused with. */
#ifndef PLAN_FOR_TESTS_H
#define PLAN_FOR_TESTS_H

#include "harness/plan/plan.h"
#include "tests/cases.h"

static const struct orr_device_info devices[] = {
    {.id = "cuda:0", .backend = "cuda", .name = "a GPU", .kind = ORR_DEVICE_GPU, .fp64 = true},
    {.id = "opencl:0.0",
     .backend = "opencl",
     .name = "a CPU",
     .kind = ORR_DEVICE_CPU,
     .fp64 = true},
    {.id = "host", .backend = "host", .name = "a CPU", .kind = ORR_DEVICE_HOST, .fp64 = true}};

/* A request in words; lists are NULL-terminated. */
struct ask {
    const char *what[4], *device[4], *set[4], *only[4], *exclude[4];
    const char *preset;
    double timeout_s;
    struct orr_sampling sampling;
    uint64_t seed;
    int hidden; /* the first devices that are not there */
};

static inline int count_of(const char *const *list)
{
    int count = 0;
    while (count < 4 && list[count])
        count++;
    return count;
}

#define LIST(name)                                       \
    {                                                    \
        (char **)(uintptr_t)ask.name, count_of(ask.name) \
    }

static inline int plan_for(struct orr_plan *out, struct ask ask)
{
    struct orr_request request = {.what = LIST(what),
                                  .devices = LIST(device),
                                  .set = LIST(set),
                                  .globs = {LIST(only), LIST(exclude)},
                                  .preset = ask.preset,
                                  .timeout_s = ask.timeout_s,
                                  .sampling = ask.sampling,
                                  .seed = ask.seed};
    return orr_plan_make(out, &request, devices + ask.hidden, 3 - ask.hidden);
}

static struct orr_plan plan;

/* The tear-down of a test. */
static inline int end(void **state)
{
    orr_plan_release(&plan);
    return 0;
}

#define PLANS(expected, ...)                        \
    orr_plan_release(&plan);                        \
    if (plan_for(&plan, (struct ask){__VA_ARGS__})) \
        fail_msg("%s", orr_error_text());           \
    assert_int_equal(plan.count, expected)

#define REFUSES(code, says, ...)                                        \
    orr_plan_release(&plan);                                            \
    assert_int_equal(plan_for(&plan, (struct ask){__VA_ARGS__}), code); \
    assert_null(plan.cells);                                            \
    assert_says(says)

/* Values of --set, and what is said of them. */
struct refused_set {
    const char *set, *says;
};

static inline void refuse_sets(const char *what, const struct refused_set *refused, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        REFUSES(ORR_EUSAGE, refused[k].says, .what = {what}, .set = {refused[k].set});
    }
}

#endif
