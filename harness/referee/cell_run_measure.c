/* SPDX-License-Identifier: MIT */
/* The samples of a run: each of new masses, with a look at a few of its bodies; the last one and
 * another are verified in full. */
#include "referee/cell_run.h"
#include "referee/cell_record.h"
#include "worker/rank_library.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "error.h"
#include "json_member.h"
#include "memory.h"
#include "measure/stats.h"
#include "measure/system_state.h"

/* A sample's steps last at least so long, and are no more than MOST. */
static const double SAMPLE_S = 1e-3;
/* Ranks come from a barrier one after the other, their first exchange waits for the last, and now
 * and then a host wakes milliseconds late. */
static const double SAMPLE_OF_RANKS_S = 5e-2;
enum { MOST = 64, MOST_QUEUED = 1024 };
/* Shorter steps are also queued back to back: at this length a launch and a wait are a few
 * thousandths of a step, so that little depends on which side of it a step lies. */
static const double QUEUED_S = 5e-3;
/* Those of ranks have more launches, of exchanges, and begin with an even share of bodies, not of
 * work. */
static const double QUEUED_BY_RANKS_S = 0.2;
/* Least steps of such a sample, and most single ones beside it. */
enum { LEAST_QUEUED = 2, MOST_BESIDE = 8 };
/* Beside steps back to back a longer upload is made once a sample. */
static const double COSTLY_S = 0.05;
/* Shorter ones are preceded by one that does not count. */
static const double NOTICED_S = 2e-2;

/* --- what is kept of a sample --- */

/* What the sensors said of this sample: null where nothing. */
static void keep_readings(struct orr_measured *to, const json_t *answer)
{
    static const char *const names[] = {"clock_mhz", "memory_clock_mhz", "power_w", "temperature_c",
                                        "throttle"};
    const json_t *sensed = json_object_get(answer, "sensed");
    if (!to->readings)
        to->readings = json_object();
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        json_t *values = json_object_get(to->readings, names[k]),
               *value = json_object_get(sensed, names[k]);
        if (!values)
            json_object_set_new(to->readings, names[k], values = json_array());
        json_array_append_new(values, value ? json_incref(value) : json_null());
    }
}

/* The worker's clock is one that a variant can reach; the referee's is not. Between the two lie
 * messages and what the harness itself does, a few milliseconds: what is more than this, and than a
 * busy machine adds to each call, was work that no clock of the worker's has seen. */
static const double GAP_S = 1e-2, GAP = 0.3;

/* Of the latest question, beyond what it may be. */
static double gap_of(const struct orr_cell_run *run)
{
    const struct orr_referee *referee = run->referee;
    return referee->unexplained_s - GAP_S - GAP * referee->explained_s;
}

static void keep_clocks(struct orr_measured *to)
{
    const struct orr_cell_run *run = to->run;
    const char *name;
    json_t *value, *a = run->answer;
    json_object_foreach (a, name, value) {
        if (json_is_number(value))
            orr_named_times_add(&to->clocks, name, json_number_value(value));
    }
    to->counts_upload |= orr_json_integer(a, "upload_launches") > 0;
    to->counts_fetch |= orr_json_integer(a, "fetch_launches") > 0;
    orr_named_times_add(&to->clocks, "single", run->step_s);
    orr_named_times_add(&to->clocks, "gap", gap_of(run));
    if (isfinite(run->device_s))
        orr_named_times_add(&to->clocks, "device", run->device_s);
    if (to->cold)
        orr_named_times_add(&to->clocks, "cold",
                            json_number_value(json_array_get(json_object_get(a, "step_s"), 0)));
}

/* --- one sample --- */

static int steps_in_a_sample(double step_s, double sample_s, int most)
{
    double steps = step_s < sample_s ? ceil(sample_s / fmax(step_s, 1e-9)) : 1;
    return steps < most ? (int)steps : most;
}

/* As many steps as make a sample, while the warm-up lasts. Between samples threads fall asleep and
 * caches are used by the referee, which longer steps hardly notice. */
static void set_batch(struct orr_measured *m)
{
    const double single_s = m->single_s;
    const bool ranks = m->run->ranks > 1;
    if (m->warm && m->takes > 0)
        return;
    int queued = steps_in_a_sample(fmin(m->queued_s, single_s),
                                   ranks ? SAMPLE_OF_RANKS_S : SAMPLE_S, MOST_QUEUED);
    m->queue = !m->queues || single_s >= (ranks ? QUEUED_BY_RANKS_S : QUEUED_S) ? 0
               : queued < LEAST_QUEUED                                          ? LEAST_QUEUED
                                                                                : queued;
    bool costly = orr_json_number(m->run->answer, "upload_s") > COSTLY_S;
    m->batch = steps_in_a_sample(single_s, SAMPLE_S, !m->queue ? MOST : costly ? 1 : MOST_BESIDE);
    m->cold = single_s < NOTICED_S && !(m->queue && costly);
}

static bool is_throttled(const struct orr_cell_run *run)
{
    return json_is_true(json_object_get(json_object_get(run->answer, "sensed"), "throttled"));
}

static int step_and_check(struct orr_cell_run *run, const struct orr_cell_steps *how)
{
    return orr_cell_run_step(run, how) || orr_cell_run_check_sample(run) ? orr_error_failed() : 0;
}

/* The same many steps in the device's queue at once, with other masses. */
static int take_queued(struct orr_measured *m, struct orr_sample *out)
{
    struct orr_cell_run *run = m->run;
    if (!m->queue)
        return 0;
    int code = step_and_check(
        run, &(struct orr_cell_steps){.batch = 1, .fresh = true, .queued = m->queue});
    if (code || !isfinite(run->queued_s)) {
        m->queues = false;
        m->queue = 0;
        snprintf(m->odd, sizeof m->odd,
                 "a step without an upload before it does not launch as many kernels");
        return code;
    }
    out->step_s = run->queued_s;
    m->recorded = json_is_true(json_object_get(run->answer, "recorded"));
    const char *transport = orr_json_text(run->about, "transport");
    m->refused = !m->recorded && run->capabilities & ORR_REPLAYS && transport &&
                 !strncmp(transport, "NCCL", strlen("NCCL"));
    m->queued_s = fmin(m->queued_s, run->queued_s);
    out->throttled |= is_throttled(run);
    const json_t *ranks = json_object_get(run->answer, "replayed_ranks");
    if (ranks) {
        orr_rank_library()->keep_times(&m->replayed_ranks, ranks, 1);
        orr_cell_run_add_means(&m->replayed_phases, run, "replayed_phases");
        orr_named_times_add(&m->clocks, "replayed kernel",
                            orr_json_number(run->answer, "replayed_kernel_s"));
    }
    orr_named_times_add(&m->clocks, "queued", run->queued_s);
    orr_named_times_add(&m->clocks, "queued gap", gap_of(run));
    return 0;
}

/* Now and then a batch that counts nowhere ends early, so that nobody knows which of its steps is
 * the one whose result is looked at, and which step of many that is. */
static int end_early(struct orr_measured *m)
{
    enum { SELDOM = 4 };
    struct orr_cell_steps singles = {.batch = 1, .fresh = true}, queued = singles;
    if (orr_stats_random_below(&m->chance, SELDOM))
        return 0;
    singles.batch += (int)orr_stats_random_below(&m->chance, (uint64_t)m->batch);
    int code = m->batch > 1 ? step_and_check(m->run, &singles) : 0;
    if (code || !m->queue)
        return code;
    queued.queued = (int)orr_stats_random_below(&m->chance, (uint64_t)m->queue);
    return step_and_check(m->run, &queued);
}

static int take_sample(void *context, struct orr_sample *out)
{
    struct orr_measured *m = context;
    struct orr_cell_run *run = m->run;
    set_batch(m);
    struct orr_cell_steps how = {.batch = m->batch, .cold = m->cold, .fresh = true};
    if (end_early(m) || orr_cell_run_step(run, &how))
        return orr_error_code();
    m->single_s = fmin(m->single_s, run->step_s);
    const json_t *kernel_s = json_object_get(run->answer, "kernel_s"),
                 *ranks = json_object_get(run->answer, "ranks");
    *out = (struct orr_sample){.step_s = run->step_s,
                               .kernel_s = orr_cell_run_mean(kernel_s, run->batch),
                               .throttled = is_throttled(run)};
    orr_cell_run_add_means(&m->phases, run, "phases");
    orr_cell_run_add_means(&m->stages, run, "within");
    keep_clocks(m);
    if (ranks)
        orr_rank_library()->keep_times(&m->ranks, ranks, run->batch);
    if (orr_cell_run_check_sample(run))
        return orr_error_code();
    m->takes++; /* each so far is the random one with the same chance */
    if (m->warm && !orr_stats_random_below(&m->chance, (uint64_t)m->takes)) {
        m->kept = m->takes;
        m->kept_seed = run->masses_seed;
        if (orr_cell_run_keep(run))
            return orr_error_code();
    }
    if (take_queued(m, out))
        return orr_error_code();
    keep_readings(m, run->answer);
    return 0;
}

static void forget_series(struct orr_measured *m)
{
    json_t **const series[] = {&m->phases, &m->stages,         &m->clocks,         &m->readings,
                               &m->ranks,  &m->replayed_ranks, &m->replayed_phases};
    for (size_t k = 0; k < sizeof series / sizeof *series; k++) {
        json_decref(*series[k]);
        *series[k] = NULL;
    }
}

/* What the warm-up left is no sample. */
static void forget_warm_up(void *context)
{
    struct orr_measured *m = context;
    forget_series(m);
    m->counts_upload = m->counts_fetch = false;
    m->takes = 0;
    m->warm = true;
}

/* --- after the last --- */

/* 64 bits as a word: JSON's integers are signed. */
static json_t *word(uint64_t value)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, value);
    return json_string(text);
}

/* One more of `checks`: what was verified in full, and what it takes to do it again. */
static void record_check(json_t *record, int sample, const struct orr_errors *errors,
                         uint64_t targets_seed, uint64_t masses_seed)
{
    const struct orr_spread *error = &errors->of[ORR_ERROR_RELATIVE];
    json_array_append_new(json_object_get(record, "checks"),
                          json_pack("{s:f, s:f, s:f, s:i, s:I, s:o, s:o}", "median", error->median,
                                    "p99", error->p99, "max", error->max, "sample", sample,
                                    "targets", (json_int_t)errors->targets, "targets_seed",
                                    word(targets_seed), "masses_seed", word(masses_seed)));
}

/* In full, on targets drawn now. */
static int verify_sample(struct orr_measured *m, int sample, uint64_t masses_seed,
                         const struct orr_cell_result *result, const struct orr_targets *targets)
{
    const struct orr_cell_run *run = m->run;
    struct orr_cell_motion motion = {0};
    struct orr_errors errors;
    if (orr_cell_run_errors(&errors, run, result, targets))
        return orr_error_code();
    record_check(m->record, sample - 1, &errors, targets->seed, masses_seed);
    return orr_verify_judge(&errors, &run->bound) || orr_cell_motion_check(&motion, run, result)
               ? orr_error_context("sample %d", sample)
               : 0;
}

/* The last one and, unless that is it, the random one. */
static int verify_samples(struct orr_measured *m)
{
    const struct orr_cell_run *run = m->run;
    const struct orr_cell_result last = {&run->forces, run->masses},
                                 kept = {&run->kept_forces, run->kept_masses};
    const struct orr_targets targets = {.seed = orr_cell_run_seed()};
    int code = verify_sample(m, m->takes, run->masses_seed, &last, &targets);
    return code || !m->kept || m->kept == m->takes
               ? code
               : verify_sample(m, m->kept, m->kept_seed, &kept, &targets);
}

/* An upload or a fetch takes time of its own only if that is more than moving its bytes can take:
 * SLOWEST bytes a second after REST, and enough to matter beside the step. */
static const double REST_S = 2e-4, SLOWEST = 2e8, MATTERS = 0.1;
/* A stage has to read back what it found, too; that of a rank waits for the others as often as it
 * asks them, up to 10 ms each where they share a core. */
static const double STAGED_S = 1e-3, STAGED_RANK_S = 1e-2;

static double least_of(const double *seconds, int count)
{
    double least = INFINITY;
    for (int k = 0; k < count; k++)
        least = fmin(least, seconds[k]);
    return least;
}

static bool takes(const struct orr_measured *m, const char *clock, double bytes, double rest_s,
                  double step_s)
{
    const double median = orr_named_times_median(m->clocks, clock);
    return median > rest_s + bytes / SLOWEST && median > step_s;
}

/* Puts that series in the place of the samples, or adds it to `kept` times what they are. */
static void use_clock(struct orr_measured *m, const char *clock, int kept)
{
    const json_t *times = json_object_get(m->clocks, clock);
    double *step_s = m->samples.step_s;
    for (size_t k = 0; k < (size_t)m->samples.count && k < json_array_size(times); k++)
        step_s[k] = kept * step_s[k] + json_number_value(json_array_get(times, k));
}

/* Work that is done where bodies and results only move is timed with the step, and so is a stage
 * that is declared there and takes longer than the step itself. */
static void count_hidden_work(struct orr_measured *m)
{
    const struct orr_cell_run *run = m->run;
    const double work = orr_named_times_median(m->clocks, "work_s"), matters = MATTERS * work,
                 n = (double)run->bodies->n, up = n * ORR_COLUMNS * sizeof(double),
                 down = n * (run->steps > 0 ? ORR_VERIFY_COLUMNS : 4) * sizeof(float);
    m->counts_upload |= takes(m, "own_upload_s", up, REST_S, matters);
    m->counts_fetch |= takes(m, "own_fetch_s", down, REST_S, matters);
    /* A near field's stages are held by the ceiling of its pairs alone: to sort bodies into boxes
     * takes longer than their sums do on a GPU. */
    if (run->level < 0) {
        const double rest_s = run->ranks > 1 ? run->ranks * STAGED_RANK_S : STAGED_S;
        m->counts_upload |= takes(m, "staged_upload_s", up, rest_s, work);
        m->counts_fetch |= takes(m, "staged_fetch_s", down, rest_s, work);
    }
    if (m->counts_upload)
        use_clock(m, "upload_s", 1);
    if (m->counts_fetch)
        use_clock(m, "fetch_s", 1);
}

/* What must be asked again, where the median sample was beyond it: a worker that waits for a busy
 * core answers late, too, but not three times of four. No more is asked after so many seconds. */
enum { AGAIN = 12, LEAST_AGAIN = 4 };
static const double AGAIN_S = 10;

static int check_gap(const struct orr_measured *m, const char *clock,
                     const struct orr_cell_steps *how)
{
    const double end = orr_clock_now() + AGAIN_S;
    double again[AGAIN];
    int count = 0;
    /* Ranks wait for each other. */
    if (!(orr_named_times_median(m->clocks, clock) > 0) || m->run->ranks > 1)
        return 0;
    for (; count < AGAIN && (count < LEAST_AGAIN || orr_clock_now() < end); count++) {
        if (step_and_check(m->run, how))
            return orr_error_code();
        again[count] = gap_of(m->run);
    }
    qsort(again, (size_t)count, sizeof *again, orr_stats_ascending);
    const double least = again[count / 4];
    return least > 0 ? orr_fail(ORR_ESUSPECT,
                                "the referee waits %.0f ms longer for a sample than the variant's "
                                "clock says, beyond the %.0f ms and %.0f %% that it may",
                                1e3 * least, 1e3 * GAP_S, 1e2 * GAP)
                     : 0;
}

/* What three samples of four have more than the sample before, a step: of few samples every one,
 * since what is taken once, a stream's buffer, say, is no leak. */
static double growth(const struct orr_measured *m, const char *what)
{
    const json_t *of = json_object_get(m->clocks, what);
    const size_t count = json_array_size(of);
    if (count < 3)
        return 0;
    double *more = orr_memory_get(count * sizeof *more);
    for (size_t i = 1; i < count; i++)
        more[i - 1] =
            json_number_value(json_array_get(of, i)) - json_number_value(json_array_get(of, i - 1));
    qsort(more, count - 1, sizeof *more, orr_stats_ascending);
    double least = more[(count - 2) / 4];
    free(more);
    return least / (m->batch + m->cold + (m->queue ? 1 + m->queue : 0));
}

/* What an allocator or a driver keeps for itself grows by less. */
static const double LEAK_BYTES = 256, DRIVER_LEAK_BYTES = 16384;

static void remark_leaks(const struct orr_measured *m)
{
    const double buffers = growth(m, "buffers"), buffer_bytes = growth(m, "buffer_bytes"),
                 bytes = growth(m, "heap_bytes");
    if (buffers > 0 || buffer_bytes > 0)
        orr_cell_record_remark(m->record, "a step leaks %.3g device buffers of %.0f bytes", buffers,
                               buffer_bytes);
    else if (bytes >= (m->run->on_host ? LEAK_BYTES : DRIVER_LEAK_BYTES))
        orr_cell_record_remark(m->record, "a step leaks %.0f bytes of memory", bytes);
}

static int switch_sensors(struct orr_measured *m, bool stop)
{
    json_t *answer;
    int code = orr_referee_ask(m->run->referee,
                               json_pack("{s:s, s:b}", "ask", "sense", "stop", stop), &answer);
    if (stop)
        json_object_set(m->record, "sensors", json_object_get(answer, "sensors"));
    json_decref(answer);
    return code;
}

/* --- which steps count --- */

/* Steps back to back do the work of single ones, whose masses are new and whose results are
 * verified: they take no less than the kernels of these, but for what a clock may err and a warmer
 * cache save. */
static const double SAME_WORK = 0.8, SAME_WORK_S = 1e-6;
static const double KERNELS = 0.5;

/* Of the ranks' samples the shortest in which the busiest was busy, by device events: what it
 * waited for, and exchanged, is left out. */
static double least_busy(const json_t *ranks)
{
    static const char *const less[] = {"exchange_s", "wait_s"};
    double least = INFINITY;
    const size_t count = json_array_size(json_object_get(json_array_get(ranks, 0), "kernel_s"));
    for (size_t k = 0; k < count; k++) {
        double most = 0;
        for (size_t r = 0; r < json_array_size(ranks); r++) {
            const json_t *rank = json_array_get(ranks, r);
            double busy = json_number_value(json_array_get(json_object_get(rank, "kernel_s"), k));
            for (size_t m = 0; m < sizeof less / sizeof *less; m++)
                busy -= json_number_value(json_array_get(json_object_get(rank, less[m]), k));
            most = fmax(most, busy);
        }
        least = fmin(least, most);
    }
    return least;
}

/* What the kernels of a single step take at least; INFINITY: not known. Timestamps of OpenCL are
 * events, too. */
static double least_of_kernels(const struct orr_measured *m)
{
    const struct orr_cell_run *run = m->run;
    const int timed = orr_named_times_count(m->clocks, "device");
    const char *id = orr_json_text(run->about, "device");
    const bool gpu = orr_json_is(run->about, "device_kind", "gpu"),
               cuda = id && !strncmp(id, "cuda:", 5);
    size_t k;
    json_t *value;
    double least = INFINITY;
    json_array_foreach (json_object_get(m->clocks, "device"), k, value) {
        least = fmin(least, json_number_value(value));
    }
    if (!timed && run->kernels_s > 0)
        return run->kernels_s;
    if (!gpu || (timed && cuda))
        return least;
    if (!timed)
        least =
            run->ranks > 1 ? least_busy(m->ranks) : least_of(m->samples.kernel_s, m->samples.count);
    return fmax(least - ORR_LAUNCHING_S * (double)orr_json_integer(run->answer, "launches"),
                KERNELS * least);
}

/* What ranks took is told of the steps that are timed. */
static void use_replayed(struct orr_measured *m)
{
    const json_t *kernel = json_object_get(m->clocks, "replayed kernel");
    json_t *phases = m->phases, *ranks = m->ranks;
    if (json_array_size(kernel) != (size_t)m->samples.count)
        return;
    for (int k = 0; k < m->samples.count; k++)
        m->samples.kernel_s[k] = json_number_value(json_array_get(kernel, (size_t)k));
    m->phases = m->replayed_phases;
    m->ranks = m->replayed_ranks;
    m->replayed_phases = phases;
    m->replayed_ranks = ranks;
}

/* Those back to back, where they do the same and no work is done outside of steps. */
static void choose_steps(struct orr_measured *m)
{
    const double least = least_of_kernels(m), median = orr_named_times_median(m->clocks, "queued");
    const int queued = orr_named_times_count(m->clocks, "queued");
    if (!isfinite(least) || !queued || queued != m->samples.count)
        return;
    bool same = median >= SAME_WORK * least - SAME_WORK_S;
    if (!same)
        snprintf(m->odd, sizeof m->odd,
                 "steps back to back take %.3g s, the kernels of a single one %.3g s", median,
                 least);
    m->back_to_back = same && !m->counts_upload && !m->counts_fetch;
    if (m->back_to_back) {
        use_clock(m, "queued", 0);
        use_replayed(m);
    }
}

/* --- the kernels' own times, and what they come from --- */

/* Steps whose kernels are traced: so many batches, or as many as begin within that time, or within
 * that of sampling. */
enum { TRACED = 20 };
static const double TRACED_S = 1;
/* Where none of so many batches has been traced, none will be. */
enum { HOPELESS = 4 };

/* Where timestamps slow launches down, steps apart from the samples are traced, after them all. Now
 * and then a record comes late, and its batch is left out. */
static int trace_kernels(struct orr_measured *m)
{
    struct orr_cell_run *run = m->run;
    const struct orr_cell_steps how = {
        .batch = m->batch, .cold = m->cold, .fresh = true, .traced = true};
    const double end = orr_clock_now() + fmin(TRACED_S, m->policy->time_limit_s);
    int code = 0, known = 0;
    run->referee->replace = true; /* tracing may leave something behind */
    for (int k = 0; !code && k < (known ? TRACED : HOPELESS) && (!k || orr_clock_now() < end);
         k++) {
        code = step_and_check(run, &how);
        if (!code && !isfinite(run->device_s)) {
            json_object_set(m->record, "kernel_clock_reason",
                            json_object_get(run->answer, "unknown"));
        } else if (!code) {
            orr_named_times_add(&m->clocks, "device", run->device_s);
            known++;
        }
    }
    return code;
}

/* Fills in the kernel clock and, where the samples do not hold them, the kernels' own times, from
 * steps of their own. Nothing is timed after that in this worker, which is to be replaced. */
static int time_kernels(struct orr_measured *m)
{
    struct orr_cell_run *run = m->run;
    const bool host = run->on_host;
    int code = 0, known = orr_named_times_count(m->clocks, "device");
    if (!known && run->ranks < 2 && !host && !(run->kernels_s > 0) &&
        orr_json_integer(run->answer, "launches") > 0)
        code = trace_kernels(m);
    known = orr_named_times_count(m->clocks, "device");
    if (known)
        json_object_del(m->record, "kernel_clock_reason");
    m->kernel_clock = host                 ? "host clock"
                      : known              ? "kernel timestamps"
                      : run->kernels_s > 0 ? NULL
                                           : "events";
    return code;
}

/* --- energy --- */

/* Energy counters tick every few milliseconds, some of them every hundred. */
static const double WINDOW_S = 0.5, WINDOW_OF_LONG_S = 1, LONG_S = 0.1;
/* Between two looks at the clock. */
static const double BURST_S = 0.02;

/* Steps as the times are of, under the energy counter, verified like a sample. Where the cell's
 * time would not do for twice as many, it is left out. */
static int measure_joules(struct orr_measured *m)
{
    struct orr_cell_run *run = m->run;
    const double step_s = orr_stats_median(m->samples.step_s, (size_t)m->samples.count),
                 seconds = step_s < LONG_S ? WINDOW_S : WINDOW_OF_LONG_S;
    if (run->referee->deadline - orr_clock_now() < 2 * (step_s + seconds)) {
        m->joules = json_pack("{s:s}", "reason", "the time of the cell is nearly over");
        return 0;
    }
    const int queued = step_s < BURST_S ? (int)(BURST_S / fmax(step_s, 1e-6)) : 1;
    const int code = orr_cell_run_joules(run, seconds, queued, &m->joules);
    return code || !json_object_get(m->joules, "steps") ? code : orr_cell_run_check_sample(run);
}

/* --- all of it --- */

static int take_samples(struct orr_measured *m)
{
    struct orr_cell_run *run = m->run;
    struct orr_sampler sampler = {m->policy, run->step_s, take_sample, forget_warm_up, m};
    struct orr_system_state around;
    char beside[160];
    const char *pci = orr_json_text(run->about, "device_pci");
    const struct orr_system_state_of of = {
        .proc = "/proc",
        .root = getppid(), /* a referee's parent is the run's first process */
        .pci = pci ? pci : "",
        .on_cores = !orr_json_is(run->about, "device_kind", "gpu")};
    orr_system_state_begin(&around, &of);
    if (switch_sensors(m, false) || orr_sampler_run(&sampler, &m->samples) ||
        switch_sensors(m, true))
        return orr_error_code();
    json_object_set_new(m->record, "surroundings",
                        orr_system_state_end(&around, beside, sizeof beside));
    if (*beside)
        json_object_set_new(m->record, "beside", json_string(beside));
    return verify_samples(m);
}

int orr_cell_run_measure(struct orr_measured *m)
{
    struct orr_cell_run *run = m->run;
    m->chance = orr_cell_run_seed();
    m->single_s = m->queued_s = run->step_s;
    m->queues = !run->on_host;
    if (take_samples(m))
        return orr_error_code();
    const struct orr_cell_steps single = {.batch = m->batch, .cold = m->cold, .fresh = true},
                                queued = {.batch = 1, .fresh = true, .queued = m->queue},
                                last = {.fresh = true, .idle = true};
    if (check_gap(m, "gap", &single) || check_gap(m, "queued gap", &queued))
        return orr_error_code();
    use_clock(m, "single", 0);
    count_hidden_work(m);
    remark_leaks(m);
    /* One more step, after which nothing may go on: a variant that did all its work while the first
     * one was watched is watched again. Not among the samples, since it costs OpenMP its threads.
     */
    if ((run->step_s <= ORR_LONG_STEP_S && step_and_check(run, &last)) || time_kernels(m))
        return orr_error_code();
    choose_steps(m);
    return m->policy->joules ? measure_joules(m) : 0;
}

void orr_cell_run_release_measured(struct orr_measured *m)
{
    orr_sampler_release(&m->samples);
    forget_series(m);
    json_decref(m->joules);
    *m = (struct orr_measured){0};
}
