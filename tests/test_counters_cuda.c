/* SPDX-License-Identifier: MIT */
/* Counters by CUPTI's range profiler, against the library of tests/drivers/cupti.c: logical names,
 * passes, the input before each, and the reasons where nothing is counted. */
#include "harness/device/cuda.h"
#include "harness/json_member.h"
#include "harness/measure/counters.h"
#include "harness/referee/cell_run.h"
#include "harness/referee/cell_record.h"
#include "tests/cases.h"

/* What is done to the step, in order: R restores, S steps. */
static char done[256];
static char step_fails;

static int restore(void *context)
{
    strcat(done, "R");
    return *(int *)context;
}

static int step(void *context)
{
    strcat(done, "S");
    return step_fails ? orr_fail(ORR_EDEVICE, "the step fails") : 0;
}

/* Under the profiler that `how` tells of. */
static json_t *count(const struct orr_counter_source *source, const char *groups, const char *how)
{
    static struct cuda_device device = {.base.info = {.id = "cuda:0", .backend = "cuda"}};
    int code = 0;
    const struct orr_counted_step of = {restore, step, &code};
    setenv("FAKE_PROFILER", how, 1);
    done[0] = '\0';
    return orr_counters_count(source, &device.base, orr_counters_wanted(source, groups), &of);
}

static double value(const json_t *answer, const char *name)
{
    return json_number_value(json_object_get(json_object_get(answer, "values"), name));
}

static double length(const char *metric)
{
    return 1000.0 * (double)strlen(metric);
}

/* Each part of a counter's name stands in its metric, and no two count the same. */
TEST(names_say_what_is_counted)
{
    static const char *const says[][2] = {{"fp32_add", "op_fadd_"},
                                          {"fp32_mul", "op_fmul_"},
                                          {"fp32_fma", "op_ffma_"},
                                          {"fp64_add", "op_dadd_"},
                                          {"fp64_mul", "op_dmul_"},
                                          {"fp64_fma", "op_dfma_"},
                                          {"integer", "op_integer_"},
                                          {"_loads", "_op_ld"},
                                          {"_stores", "_op_st"},
                                          {"_atomics", "_op_atom"},
                                          {"_atomic_warps", "_atom.sum"},
                                          {"shared_", "_shared"},
                                          {"global_", "_global_"},
                                          {"special", "_pipe_xu_"},
                                          {"conflicts", "_conflicts_"},
                                          {"sectors", "_sectors_"},
                                          {"l1_", "l1tex__"},
                                          {"l2_", "lts__"},
                                          {"dram_", "dram__"},
                                          {"_bytes", "bytes.sum"},
                                          {"issued", "_issued."},
                                          {"active_threads", "thread_"},
                                          {"cycles", "cycles_elapsed"}};
    int seen = 0;
    for (int kind = 0; kind < ORR_COUNTER_KINDS; kind++)
        for (const struct orr_counter_metric *m = orr_counters_cupti_metrics[kind]; m->name; m++) {
            const bool words = strstr(m->name, "_loads") || strstr(m->name, "_stores") ||
                               strstr(m->name, "_atomics");
            bool told = false;
            for (size_t k = 0; k < sizeof says / sizeof *says; k++) {
                if (!strstr(m->name, says[k][0]))
                    continue;
                told = true;
                if (!strstr(m->term, says[k][1]))
                    fail_msg("%s is %s, without %s", m->name, m->term, says[k][1]);
            }
            if (!told || (words ? 4 : 0) != m->bytes)
                fail_msg("%s is %s by %g", m->name, m->term, m->bytes);
            for (const struct orr_counter_metric *o = m + 1; o->name; o++)
                if (!strcmp(o->term, m->term))
                    fail_msg("%s and %s count the same", m->name, o->name);
            seen++;
        }
    assert_int_equal(seen, 23);
}

TEST(values_go_by_logical_names)
{
    json_auto_t *patched = count(&orr_counters_cupti_patched, "auto", ""),
                *hardware = count(&orr_counters_cupti_hardware, "auto", "");
    assert_null(orr_json_text(patched, "reason"));
    assert_string_equal(orr_json_text(patched, "source"), "cupti");
    assert_true(value(patched, "fp32_fma") ==
                length("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"));
    assert_true(value(patched, "shared_loads") ==
                length("smsp__sass_data_bytes_mem_shared_op_ld.sum") / 4);
    assert_true(value(patched, "global_atomics") ==
                (length("smsp__sass_data_bytes_mem_global_op_atom.sum") +
                 length("smsp__sass_data_bytes_mem_global_op_red.sum")) /
                    4);
    assert_true(value(hardware, "active_threads") ==
                length("smsp__thread_inst_executed.sum") / length("smsp__inst_executed.sum"));
    assert_true(value(hardware, "dram_bytes") == length("dram__bytes.sum"));
    assert_int_equal(json_object_size(json_object_get(patched, "values")), 14);
    assert_int_equal(json_object_size(json_object_get(hardware, "values")), 9);
    assert_true(json_is_number(
        json_object_get(json_object_get(hardware, "raw"), "smsp__inst_executed.sum")));
}

TEST(groups_are_what_was_asked_for)
{
    json_auto_t *answer = count(&orr_counters_cupti_patched, "shared,issue", "");
    const json_t *groups = json_object_get(answer, "groups");
    assert_int_equal(json_array_size(groups), 1);
    assert_string_equal(json_string_value(json_array_get(groups, 0)), "shared");
    assert_int_equal(json_object_size(json_object_get(answer, "values")), 4);
    assert_int_equal(orr_counters_wanted(&orr_counters_cupti_patched, "issue"), 0);
    assert_int_equal(orr_counters_wanted(&orr_counters_cupti_hardware, "none"), 0);
    assert_int_equal(orr_counters_wanted(&orr_counters_cupti_hardware, "cupti"), 31);
    assert_int_equal(orr_counters_check("fp32,shared,cupti"), 0);
    assert_fails(orr_counters_check("fp32,sharde"), ORR_EUSAGE, "shared");
}

/* Each pass begins with the input as it is, and CUPTI may want more than it planned. */
TEST(passes_restore_the_input)
{
    const struct {
        const char *how, *done;
    } cases[] = {{"", "RS"}, {"passes=3", "RSRSRS"}, {"passes=2,more=1", "RSRSRS"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        json_auto_t *answer = count(&orr_counters_cupti_hardware, "auto", cases[k].how);
        assert_null(orr_json_text(answer, "reason"));
        assert_string_equal(done, cases[k].done);
    }
    json_auto_t *endless = count(&orr_counters_cupti_hardware, "auto", "more=1000");
    assert_non_null(strstr(orr_json_text(endless, "reason"), "more than 32 passes"));
}

TEST(a_chip_may_lack_metrics)
{
    json_auto_t *answer = count(&orr_counters_cupti_hardware, "auto", "lacks=dram");
    assert_null(orr_json_text(answer, "reason"));
    assert_null(json_object_get(json_object_get(answer, "values"), "dram_bytes"));
    assert_true(value(answer, "l2_bytes") > 0);
    json_decref(answer);
    answer = count(&orr_counters_cupti_patched, "fp32", "lacks=sass");
    assert_non_null(strstr(orr_json_text(answer, "reason"), "no metric is there"));
}

TEST(a_refusal_says_what_to_do)
{
    const struct {
        const char *how, *why;
        bool before; /* the step was never taken */
    } cases[] = {
        {"cuptiProfilerGetCounterAvailability=35", "NVreg_RestrictProfilingToAdminUsers=0", true},
        {"cuptiRangeProfilerEnable=35", "ERR_NVGPUCTRPERM", true},
        {"cuptiRangeProfilerStart=35", "ERR_NVGPUCTRPERM", false},
        {"cuptiProfilerInitialize=15", "libnvperf_host.so", true},
        {"cuptiRangeProfilerSetConfig=26", "dcgmi profile --pause", true},
        {"cuptiProfilerHostInitialize=46", "install a newer one", true},
        {"cuptiRangeProfilerEnable=43", "MIG", true},
        {"vgpu=1", "virtual GPU has no counters", true},
        {"vgpu=2", "have its administrator enable profiling", true},
        {"cuptiRangeProfilerStop=999", "(999)", false},
        {"drop=1", "dropped 1", false},
        {"zero=1", "counted no instruction", false},
        {"cuptiProfilerHostEvaluateToGpuValues=1", "the values of the counters", false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        json_auto_t *answer = count(&orr_counters_cupti_hardware, "auto", cases[k].how);
        const char *reason = orr_json_text(answer, "reason");
        assert_non_null(reason);
        if (!strstr(reason, cases[k].why))
            fail_msg("%s: %s", cases[k].how, reason);
        assert_int_equal(json_is_true(json_object_get(answer, "refused")), cases[k].before);
        assert_int_equal(*done == '\0', cases[k].before);
        assert_null(json_object_get(answer, "values"));
        assert_int_equal(orr_error_code(), 0);
    }
}

/* That is no reason of the counters. */
TEST(a_step_that_fails_is_its_own_fault)
{
    step_fails = 1;
    assert_null(count(&orr_counters_cupti_hardware, "auto", ""));
    assert_int_equal(orr_error_code(), ORR_EDEVICE);
    step_fails = 0;
}

/* A profiler that is left on would slow down what comes after it. */
TEST(what_was_begun_is_ended)
{
    char path[] = "/tmp/orrery-profiler-XXXXXX";
    close(mkstemp(path));
    setenv("FAKE_PROFILER_LOG", path, 1);
    json_decref(count(&orr_counters_cupti_hardware, "auto", "cuptiRangeProfilerPushRange=1"));
    RELEASED_BY(free_text) char *text = file_text(path);
    unsetenv("FAKE_PROFILER_LOG");
    unlink(path);
    assert_non_null(strstr(text, "cuptiRangeProfilerDisable"));
    assert_non_null(strstr(strstr(text, "cuptiRangeProfilerDisable"), "HostDeinitialize"));
}

/* What a worker says is a list of sources; what is damaged is left out. */
TEST(the_record_takes_what_is_sound)
{
    json_auto_t *record = json_object(),
                *said =
                    json_pack("[{s:s, s:[s], s:{s:f, s:f, s:s}, s:{}}, {s:s, s:[s], s:s, s:b}, {}]",
                              "source", "cupti", "groups", "fp32", "values", "fp32_fma", 12.0,
                              "fp32_add", -1.0, "fp32_mul", "many", "raw", "source", "gpm",
                              "groups", "gpm", "reason", "no NVML", "refused", 1);
    orr_cell_record_counters(record, said);
    RELEASED_BY(free_text)
    char *text = json_dumps(json_object_get(record, "counters"), JSON_COMPACT | JSON_SORT_KEYS);
    assert_string_equal(text, "[{\"groups\":[\"fp32\"],\"raw\":{},\"source\":\"cupti\",\"values\":"
                              "{\"fp32_fma\":12.0}},{\"groups\":[\"gpm\"],\"reason\":\"no NVML\","
                              "\"source\":\"gpm\"}]");
}

/* Without a worker: it is never asked. */
TEST(a_long_step_is_not_counted)
{
    struct orr_referee referee = {.replace = false};
    struct orr_cell_run run = {.referee = &referee,
                               .variant = "p/v",
                               .step_s = 12,
                               .about = json_pack("{s:{s:s, s:s, s:i}}", "found", "id", "cuda:0",
                                                  "backend", "cuda", "kind", ORR_DEVICE_GPU)};
    const struct orr_cell cell = {.counters = "fp32,issue"};
    json_auto_t *record = json_object();
    orr_referee_cell_counters(record, &run, &cell);
    json_t *sources = json_object_get(record, "counters");
    assert_int_equal(json_array_size(sources), 2);
    assert_string_equal(orr_json_text(json_array_get(sources, 1), "reason"),
                        "a step takes 12 s; those beyond 10 s are not counted");
    json_decref(run.about);
}

/* --- kernels' own times from CUPTI's records: what is summed, and what is not believed --- */

static const double MANY_S = 1; /* events around the launches */

static double sum(const char *records, int launches, double span_s, const char **why)
{
    setenv("FAKE_CUPTI", records, 1);
    orr_cuda_trace_clear(0);
    return orr_cuda_trace_sum(launches, span_s, why);
}

TEST(durations_are_summed)
{
    const char *why;
    assert_int_equal(orr_cuda_trace_switch(true), 0);
    assert_true(fabs(sum("1000-3500,4000-4500", 2, MANY_S, &why) - 3e-6) < 1e-15);
    assert_null(why);
    assert_true(fabs(sum("x,1000-3500,x", 1, MANY_S, &why) - 2.5e-6) < 1e-15);
    /* Of the span alone, not of those before it. */
    assert_true(fabs(sum("5000-6000", 1, MANY_S, &why) - 1e-6) < 1e-15);
    /* What is not handed out at once is asked for. */
    assert_true(fabs(sum("1000-2000/3000-5000", 2, MANY_S, &why) - 3e-6) < 1e-15);
}

/* Those of an upload that launches kernels, say. */
TEST(records_of_before_are_fetched_and_forgotten)
{
    const char *why;
    assert_int_equal(orr_cuda_trace_switch(true), 0);
    setenv("FAKE_CUPTI", "!100-200,300-400", 1);
    orr_cuda_trace_clear(2);
    assert_null(getenv("FAKE_CUPTI"));
    setenv("FAKE_CUPTI", "!1000-3000", 1);
    assert_true(fabs(orr_cuda_trace_sum(1, MANY_S, &why) - 2e-6) < 1e-15);
}

TEST(other_records_are_not_believed)
{
    const struct {
        const char *records, *why;
        int launches;
        double span_s;
    } cases[] = {
        {"1000-2000", "not those of the launches", 2, MANY_S},
        {"1000-2000,3000-4000", "not those of the launches", 1, MANY_S},
        {"", "not those of the launches", 1, MANY_S},
        {"1000-2000,0-0", "no times", 2, MANY_S},
        {"2000-1000", "no times", 1, MANY_S},
        {"1000-90001000", "longer than the events", 1, 80e-6},
    };
    assert_int_equal(orr_cuda_trace_switch(true), 0);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *why = NULL;
        assert_true(isnan(sum(cases[k].records, cases[k].launches, cases[k].span_s, &why)));
        assert_non_null(why);
        assert_non_null(strstr(why, cases[k].why));
    }
}

TEST(nothing_comes_when_it_is_off)
{
    const char *why;
    assert_int_equal(orr_cuda_trace_switch(true), 0);
    assert_int_equal(orr_cuda_trace_switch(false), 0);
    assert_true(isnan(sum("1000-2000", 1, MANY_S, &why)));
}

TEST(a_refusal_of_records_has_its_reason)
{
    setenv("FAKE_CUPTI", "refuse", 1);
    assert_fails(orr_cuda_trace_switch(true), ORR_EUNSUPPORTED, "MULTIPLE_SUBSCRIBERS");
}

int main(void)
{
    const char *build = getenv("BUILD");
    setenv("ORRERY_CUPTI", filled("%s/tests/drivers/cupti.so", build ? build : "build"), 1);
    return run_all(NULL, NULL);
}
