/* SPDX-License-Identifier: MIT */
/* Counters of the processor, where a virtual machine has none: events of the kernel's own stand for
 * those of the hardware, so that PAPI, its sets, threads and passes are the real ones. */
#include <omp.h>
#include <pthread.h>
#include <time.h>

#include "clock.h"
#include "process.h"
#include "measure/counters.h"
#include "tests/cases.h"
#include "tests/perf_for_tests.h"

/* --- Intel's events of floating point --- */

int PAPI_add_named_event(int set, const char *name);

/* By those that stand for the processor's, all of which count the same. */
int PAPI_add_named_event(int set, const char *name)
{
    static const char *const stands_for[][2] = {
        {"FP_ARITH_INST_RETIRED:SCALAR_SINGLE", "perf::CYCLES"},
        {"FP_ARITH_INST_RETIRED:128B_PACKED_SINGLE", "perf::INSTRUCTIONS"},
        {"FP_ARITH_INST_RETIRED:256B_PACKED_SINGLE", "perf::BRANCHES"},
        {"FP_ARITH_INST_RETIRED:512B_PACKED_SINGLE", "perf::BRANCH-MISSES"}};
    int (*real)(int, const char *);
    void *found = dlsym(RTLD_NEXT, "PAPI_add_named_event");
    memcpy(&real, &found, sizeof found);
    for (size_t k = 0; k < sizeof stands_for / sizeof *stands_for; k++)
        if (!strcmp(name, stands_for[k][0]))
            name = stands_for[k][1];
    return real(set, name);
}

static double processor_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What a process finds of counters is found once, so each of these has its own. */
static json_t *in_a_process(int (*what)(json_t **out, void *context), void *context)
{
    json_t *out = NULL;
    assert_done(orr_forked_probe(&out, what, context, 60));
    return out;
}

static int look(json_t **out, void *context)
{
    json_t *rows = json_array();
    *out = json_pack("{s:s, s:o}", "missing", orr_counters_papi_start(rows), "names", rows);
    return 0;
}

static const char *text(const json_t *of, const char *name)
{
    return json_string_value(json_object_get(of, name));
}

/* Where the kernel refuses counters, as in most containers; where tests are run for a change, they
 * must not go unnoticed. */
static void skip_without_papi(const json_t *found)
{
    const char *missing = text(found, "missing");
    if (!missing || !*missing)
        return;
    if (getenv("CI") && !strstr(missing, "this build has no PAPI"))
        fail_msg("%s", missing);
    print_message("skipped: %s\n", missing);
    skip();
}

TEST(a_kernel_that_gives_none_is_no_counter)
{
    static const struct {
        int refusal;
        const char *missing;
    } cases[] = {{ENOENT, "performance counters"}, {EACCES, "perf_event"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        refusal = cases[k].refusal;
        json_auto_t *found = in_a_process(look, NULL);
        refusal = 0;
        assert_non_null(strstr(text(found, "missing"), cases[k].missing));
        assert_int_equal(json_array_size(json_object_get(found, "names")), 0);
    }
}

TEST(what_starts_is_listed)
{
    json_auto_t *found = in_a_process(look, NULL);
    skip_without_papi(found);
    assert_string_equal(text(found, "missing"), "");
    RELEASED_BY(free_text) char *names = json_dumps(json_object_get(found, "names"), 0);
    assert_non_null(strstr(names, "\"cycles\""));
    assert_non_null(strstr(names, "\"branches\""));
}

/* --- a step --- */

enum { THREADS = 3 };
static double worked_s;

static void *spin(void *unused)
{
    for (double start = processor_s(); processor_s() - start < 0.1;)
        ;
    return unused;
}

static int nothing(void *unused)
{
    return 0;
}

static int step(void *unused)
{
    pthread_t threads[THREADS];
    double start = processor_s();
    for (int k = 0; k < THREADS; k++)
        pthread_create(&threads[k], NULL, spin, NULL);
    for (int k = 0; k < THREADS; k++)
        pthread_join(threads[k], NULL);
    worked_s = processor_s() - start;
    return 0;
}

/* What is counted, where, and in which step. */
struct counting {
    const char *groups;
    enum orr_device_kind kind;
    int (*step)(void *);
};

static int count(json_t **out, void *context)
{
    const struct counting *what = context;
    struct orr_device device = {.info = {.kind = what->kind}};
    omp_set_num_threads(THREADS);
    const char *missing = orr_counters_papi_start(NULL);
    if (!*missing)
        *out = orr_counters_count(&orr_counters_papi, &device,
                                  orr_counters_wanted(&orr_counters_papi, what->groups),
                                  &(struct orr_counted_step){nothing, what->step, NULL});
    else
        *out = json_object();
    json_object_set_new(*out, "worked_s", json_real(worked_s));
    json_object_set_new(*out, "missing", json_string(missing));
    return 0;
}

/* The answer of a process of its own; the test is skipped where nothing can be counted. */
static json_t *counted_by(int (*how)(json_t **out, void *context), struct counting what)
{
    json_t *counted = in_a_process(how, &what);
    skip_without_papi(counted);
    return counted;
}

static double value(const json_t *counted, const char *name)
{
    return json_number_value(json_object_get(json_object_get(counted, "values"), name));
}

/* In nanoseconds, as long as the threads worked. */
static void assert_worked(const json_t *counted, const char *name)
{
    double worked = json_number_value(json_object_get(counted, "worked_s")),
           seconds = 1e-9 * value(counted, name);
    if (!(seconds > 0.8 * worked && seconds < 1.2 * worked))
        fail_msg("%s: %g s of %g s", name, seconds, worked);
}

static void assert_counted(const json_t *counted)
{
    if (text(counted, "reason"))
        fail_msg("%s", text(counted, "reason"));
}

/* All of its threads, in each of the passes that it takes to count more than AT_ONCE events. */
TEST(a_step_is_counted_with_its_threads)
{
    static const char *const names[] = {"cycles", "instructions", "branches", "branch_misses"};
    json_auto_t *counted =
        counted_by(count, (struct counting){"cycles,branches", ORR_DEVICE_HOST, step});
    assert_counted(counted);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        assert_worked(counted, names[k]);
    assert_non_null(json_object_get(json_object_get(counted, "raw"), "perf::CYCLES"));
}

/* An instruction of 16 numbers is 16 operations. */
TEST(operations_are_summed_by_width)
{
    json_auto_t *counted = counted_by(count, (struct counting){"fp32", ORR_DEVICE_HOST, step});
    assert_counted(counted);
    double sum = value(counted, "fp32_scalar") + 4 * value(counted, "fp32_128bit") +
                 8 * value(counted, "fp32_256bit") + 16 * value(counted, "fp32_512bit");
    assert_true(sum > 0 && value(counted, "fp32_operations") == sum);
    assert_true(value(counted, "fp32_512bit") > 0);
    assert_null(json_object_get(json_object_get(counted, "values"), "fp64_operations"));
    assert_null(json_object_get(json_object_get(counted, "raw"), "fp32_operations"));
}

TEST(threads_of_a_driver_are_a_reason)
{
    json_auto_t *counted = counted_by(count, (struct counting){"auto", ORR_DEVICE_CPU, step});
    assert_non_null(strstr(text(counted, "reason"), "threads of a driver"));
    assert_true(json_is_true(json_object_get(counted, "refused"))); /* whatever the step */
}

static pthread_barrier_t leave;

static void *stay(void *unused)
{
    pthread_barrier_wait(&leave);
    return unused;
}

static int count_beside_a_thread(json_t **out, void *context)
{
    pthread_t thread;
    pthread_barrier_init(&leave, NULL, 2);
    pthread_create(&thread, NULL, stay, NULL);
    int code = count(out, context);
    pthread_barrier_wait(&leave);
    pthread_join(thread, NULL);
    return code;
}

TEST(threads_from_before_are_a_reason)
{
    json_auto_t *counted = counted_by(count_beside_a_thread,
                                      (struct counting){"cycles,branches", ORR_DEVICE_HOST, step});
    assert_null(json_object_get(counted, "values"));
    assert_non_null(strstr(text(counted, "reason"), "1 thread that is already there"));
}

/* --- a virtual machine --- */

static int spin_in_openmp(void *unused)
{
    double start = processor_s();
#pragma omp parallel num_threads(THREADS)
    spin(NULL);
    worked_s = processor_s() - start;
    return 0;
}

static json_t *without_hardware(int (*step_of)(void *))
{
    no_hardware = 1;
    json_t *counted = in_a_process(count, &(struct counting){"auto", ORR_DEVICE_HOST, step_of});
    no_hardware = 0;
    skip_without_papi(counted);
    return counted;
}

/* In all threads of OpenMP, although PAPI lets no set count threads to come. */
TEST(the_kernel_counts_where_the_processor_does_not)
{
    json_auto_t *counted = without_hardware(spin_in_openmp);
    const json_t *values = json_object_get(counted, "values");
    assert_counted(counted);
    assert_worked(counted, "task_clock");
    assert_non_null(json_object_get(values, "page_faults"));
    assert_null(json_object_get(values, "cycles"));
}

TEST(what_the_kernel_cannot_count_is_a_reason)
{
    json_auto_t *counted = without_hardware(step);
    assert_null(json_object_get(counted, "values"));
    assert_non_null(strstr(text(counted, "reason"), "threads that are not OpenMP's"));
}

RUN_TESTS(NULL, NULL)
