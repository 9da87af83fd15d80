/* SPDX-License-Identifier: MIT */
/* What the real libcupti says of chips that are not here: that they have the metrics of the logical
 * names, and in how many passes these are counted. Skipped without libcupti (ORRERY_CUPTI names
 * it). */
#include "harness/measure/counters.h"
#include "tests/cases.h"

static const char *const chips[] = {"GA100", "AD102", "GH100", "GB202"};
enum { CHIPS = sizeof chips / sizeof *chips };

/* libcupti is not here, or says nothing without a driver. */
static void need_cupti(void)
{
#ifdef __SANITIZE_ADDRESS__
    print_message("skipped: libcupti loads its host library in a way that the sanitizer refuses\n");
    skip();
#endif
    RELEASED_BY(orr_counters_cupti_release_plan) struct orr_counter_plan plan;
    if (!orr_counters_cupti_plan(&plan, chips[0], NULL, ORR_COUNTER_PATCHED, 1))
        return;
    print_message("skipped: %s\n", orr_error_text());
    orr_error_clear();
    skip();
}

TEST(every_group_takes_one_pass)
{
    need_cupti();
    for (int c = 0; c < CHIPS; c++)
        for (int kind = 0; kind < ORR_COUNTER_KINDS; kind++)
            for (int k = 0; orr_counters_cupti_groups[kind][k].name; k++) {
                RELEASED_BY(orr_counters_cupti_release_plan) struct orr_counter_plan plan;
                uint32_t wanted = UINT32_C(1) << k;
                assert_done(orr_counters_cupti_plan(&plan, chips[c], NULL,
                                                    (enum orr_counter_kind)kind, wanted));
                assert_int_equal(plan.names.count, plan.asked);
                assert_int_equal(plan.passes, 1);
            }
}

/* "auto": all patched metrics in one step, all of the hardware in two. */
TEST(all_groups_take_three_passes)
{
    need_cupti();
    for (int c = 0; c < CHIPS; c++)
        for (int kind = 0; kind < ORR_COUNTER_KINDS; kind++) {
            RELEASED_BY(orr_counters_cupti_release_plan) struct orr_counter_plan plan;
            assert_done(orr_counters_cupti_plan(&plan, chips[c], NULL, (enum orr_counter_kind)kind,
                                                UINT32_MAX));
            assert_true(plan.passes <= (kind == ORR_COUNTER_PATCHED ? 1 : 2));
        }
}

RUN_TESTS(NULL, NULL)
