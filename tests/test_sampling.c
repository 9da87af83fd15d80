/* SPDX-License-Identifier: MIT */
/* What the user asks of sampling; how much the caches hold. */
#include "measure/access.h"
#include "plan/plan.h"
#include "tests/cases.h"
#include "tests/folder_for_tests.h"

static struct orr_sampling read_words(struct orr_sampling_words words)
{
    struct orr_sampling out;
    assert_int_equal(orr_request_sampling_read(&out, &words), 0);
    return out;
}

TEST(words_become_numbers)
{
    struct orr_sampling s = read_words((struct orr_sampling_words){
        .min_samples = "20", .precision = "0.5%", .time_limit = "1e-1"});
    assert_true(s.min_samples == 20 && s.precision == 0.005 && s.time_limit_s == 0.1);
    assert_false(s.once);
    s = read_words((struct orr_sampling_words){.precision = "0.02"});
    assert_true(s.precision == 0.02);
    assert_false(orr_request_sampling_is_asked(&(struct orr_sampling){0}));
    assert_true(orr_request_sampling_is_asked(&s));
}

#define REFUSES(option, ...)                                                                   \
    assert_int_equal(orr_request_sampling_read(&s, &(struct orr_sampling_words){__VA_ARGS__}), \
                     ORR_EUSAGE);                                                              \
    assert_says("--" option)

TEST(nonsense_is_refused)
{
    struct orr_sampling s;
    REFUSES("min-samples takes", .min_samples = "0");
    REFUSES("min-samples takes", .min_samples = "-3");
    REFUSES("min-samples takes", .min_samples = "2.5");
    REFUSES("min-samples takes", .min_samples = "1e9");
    REFUSES("min-samples takes", .min_samples = "nan");
    REFUSES("precision takes", .precision = "0");
    REFUSES("precision takes", .precision = "1");
    REFUSES("precision takes", .precision = "101%");
    REFUSES("precision takes", .precision = "-1%");
    REFUSES("precision takes", .precision = "%");
    REFUSES("precision takes", .precision = "1%%");
    REFUSES("precision takes", .precision = "nan");
    REFUSES("time-limit takes", .time_limit = "0");
    REFUSES("time-limit takes", .time_limit = "nan");
    REFUSES("time-limit takes", .time_limit = "soon");
    REFUSES("once takes no samples", .once = true, .time_limit = "1");
}

TEST(a_policy_follows)
{
    const struct orr_policy preset = {5, 40, 0.01, 0.7, 1, false, false};
    struct orr_policy p = preset;
    orr_request_sampling_apply(&p, &(struct orr_sampling){0});
    assert_memory_equal(&p, &preset, sizeof p);
    orr_request_sampling_apply(&p, &(struct orr_sampling){.min_samples = 50});
    assert_true(p.min_samples == 50 && p.max_samples == 50 && p.long_samples == 50);
    assert_true(p.insists);
    p = preset;
    orr_request_sampling_apply(&p, &(struct orr_sampling){.precision = 0.001, .time_limit_s = 9});
    assert_true(p.min_samples == 5 && p.precision == 0.001 && p.time_limit_s == 9);
    assert_true(p.max_samples > 100000); /* precision and time decide */
}

/* A run that was begun with what is gone cannot go on as it began. */
TEST(what_is_gone_is_said)
{
    struct orr_sampling back;
    json_t *cold = json_pack("{s:b}", "cold", 1),
           *locked = json_pack("{s:i}", "lock_clocks_mhz", 0);
    assert_int_equal(orr_request_sampling_from_json(&back, cold), ORR_EUSAGE);
    assert_says("--cold, which is gone");
    assert_int_equal(orr_request_sampling_from_json(&back, locked), ORR_EUSAGE);
    assert_says("--lock-clocks, which is gone");
    json_decref(cold);
    json_decref(locked);
}

static void write_cache(int cpu, int index, const char *level, const char *size, const char *cpus)
{
    const char *const names[] = {"level", "size", "shared_cpu_list"},
                      *texts[] = {level, size, cpus};
    for (int k = 0; k < 3; k++)
        put_file_at(filled("sys/devices/system/cpu/cpu%d/cache/index%d/%s", cpu, index, names[k]),
                    filled("%s\n", texts[k]));
}

/* Two sockets with two cores each, whose last levels are 32 MiB. */
TEST(caches_are_added_up)
{
    const char *root = filled("%s/sys", folder);
    assert_int_equal(orr_access_cache_bytes(root), 0);
    for (int cpu = 0; cpu < 4; cpu++) {
        write_cache(cpu, 0, "1", "48K", cpu == 0 ? "0" : "1");
        write_cache(cpu, 1, "3", "32768K", cpu < 2 ? "0-1" : "2,3");
        write_cache(cpu, 2, "2", "1M", "0");
    }
    assert_int_equal(orr_access_cache_bytes(root), (size_t)64 << 20);
}

RUN_TESTS(make_folder, remove_folder)
