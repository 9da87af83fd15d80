/* The samples of a run: each of new masses, with a digest of its result and a look at a few of its
 * bodies; the last one and another are verified in full. */
#include "run/cell_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "clock.h"
#include "error.h"
#include "json_member.h"
#include "measure/stats.h"
#include "run/cell_motion.h"

/* A sample's steps last at least so long, and are no more than MOST. */
static const double SAMPLE_S = 1e-3;
enum { MOST = 64 };
/* Shorter ones are preceded by one that does not count. */
static const double NOTICED_S = 2e-2;
/* Bodies of each sample that are compared with the reference. */
enum { LOOK = 4 };

/* A sample's result, kept for its verification. */
struct kept {
    struct orr_forces forces;
    double *masses;
    uint64_t seed;
    int sample; /* counted from 1 */
};

struct taking {
    struct orr_measured *measured;
    struct orr_cell_run *run;
    struct kept random;
    int takes; /* since the warm-up */
    bool warm;
    uint64_t chance;
};

/* --- what is kept of a sample --- */

static int copy_result(struct kept *to, const struct taking *taking)
{
    const struct orr_cell_run *run = taking->run;
    size_t n = run->bodies->n;
    int code = to->masses ? 0 : orr_verify_make_forces(&to->forces, n, run->steps > 0);
    if (!code && !to->masses && !(to->masses = malloc(n * sizeof *to->masses)))
        code = orr_fail(ORR_EMEMORY, "no memory to keep the result of %zu bodies", n);
    if (code)
        return code;
    orr_verify_copy_forces(&to->forces, &run->forces, n);
    memcpy(to->masses, run->masses, n * sizeof *to->masses);
    to->seed = run->masses_seed;
    to->sample = taking->takes;
    return 0;
}

static void drop(struct kept *kept)
{
    orr_verify_release_forces(&kept->forces);
    free(kept->masses);
    kept->masses = NULL;
}

static int keep_digest(struct orr_measured *to, const struct orr_cell_run *run)
{
    if (to->digest_count == to->digest_room) {
        int room = to->digest_room ? 2 * to->digest_room : 64;
        uint64_t *more = realloc(to->digests, (size_t)room * sizeof *more);
        if (!more)
            return orr_fail(ORR_EMEMORY, "no memory for %d digests", room);
        to->digests = more;
        to->digest_room = room;
    }
    uint64_t digest = 0;
    for (int d = 0; d < run->dimensions; d++)
        digest = XXH3_64bits_withSeed(run->forces.acc[d], run->bodies->n * sizeof(float), digest);
    to->digests[to->digest_count++] = digest;
    return 0;
}

static int keep_clocks(struct orr_measured *to, const struct orr_cell_run *run)
{
    const json_t *a = run->answer;
    struct orr_named_times_set *clocks = &to->clocks;
    to->counts_upload |= orr_json_integer(a, "upload_launches") > 0;
    to->counts_fetch |= orr_json_integer(a, "fetch_launches") > 0;
    int code = orr_named_times_add(clocks, "upload", orr_json_number(a, "upload_s"));
    if (!code)
        code = orr_named_times_add(clocks, "fetch", orr_json_number(a, "fetch_s"));
    if (!code)
        code = orr_named_times_add(clocks, "own upload", orr_json_number(a, "own_upload_s"));
    if (!code)
        code = orr_named_times_add(clocks, "own fetch", orr_json_number(a, "own_fetch_s"));
    if (!code)
        code = orr_named_times_add(clocks, "heap", orr_json_number(a, "heap_bytes"));
    if (!code)
        code = orr_named_times_add(clocks, "buffers", orr_json_number(a, "buffers"));
    if (!code)
        code = orr_named_times_add(clocks, "buffer bytes", orr_json_number(a, "buffer_bytes"));
    if (!code && to->cold)
        code = orr_named_times_add(
            clocks, "cold", json_number_value(json_array_get(json_object_get(a, "step_s"), 0)));
    return code;
}

/* --- one sample --- */

/* Targets that nobody could know while the step ran. */
static int look(const struct orr_cell_run *run)
{
    struct orr_errors errors;
    struct orr_bound bound = run->bound;
    size_t n = run->bodies->n;
    int code = orr_verify_finite(&run->forces, n, run->dimensions);
    if (code)
        return code;
    struct orr_cell_run only_worst = *run;
    only_worst.bound = (struct orr_bound){INFINITY, INFINITY, bound.max, bound.by_terms};
    return orr_cell_run_verify_with(&errors, &only_worst, &run->forces, run->masses,
                                    n < LOOK ? n : LOOK, orr_cell_run_seed());
}

/* Each sample so far is the random one with the same chance. */
static int keep_result(struct taking *taking)
{
    taking->takes++;
    if (!taking->warm || orr_stats_random_below(&taking->chance, (uint64_t)taking->takes))
        return 0;
    return copy_result(&taking->random, taking);
}

static double kernel_mean(const struct orr_cell_run *run)
{
    json_t *seconds = json_object_get(run->answer, "kernel_s");
    size_t count = json_array_size(seconds), first = count - (size_t)run->batch;
    double sum = 0;
    for (size_t k = first; k < count; k++)
        sum += json_number_value(json_array_get(seconds, k));
    return sum / run->batch;
}

/* As many steps as make a sample, while the warm-up lasts; one where each step finds cold caches.
 * Between samples threads fall asleep and
 * caches are used by the referee, which longer steps hardly notice. */
static void set_batch(struct taking *taking)
{
    double step_s = taking->run->step_s;
    if (taking->run->cold || (taking->warm && taking->takes > 0))
        return;
    int batch = step_s < SAMPLE_S ? (int)ceil(SAMPLE_S / fmax(step_s, 1e-9)) : 1;
    taking->measured->batch = batch < MOST ? batch : MOST;
    taking->measured->cold = step_s < NOTICED_S;
}

static int take(void *context, struct orr_sample *out)
{
    struct taking *taking = context;
    struct orr_cell_run *run = taking->run;
    struct orr_measured *measured = taking->measured;
    set_batch(taking);
    int code = orr_cell_run_step(run, &(struct orr_cell_steps){.batch = measured->batch,
                                                               .cold = measured->cold,
                                                               .fresh = true,
                                                               .flush = run->cold});
    if (code)
        return code;
    if (run->cold)
        measured->flushed_bytes = orr_json_number(run->answer, "flushed_bytes");
    *out =
        (struct orr_sample){.step_s = run->step_s,
                            .kernel_s = kernel_mean(run),
                            .throttled = json_is_true(json_object_get(run->answer, "throttled"))};
    code = orr_cell_run_add_means(&measured->phases, run, "phases");
    if (!code)
        code = orr_cell_run_add_means(&measured->stages, run, "within");
    if (!code)
        code = keep_clocks(measured, run);
    if (!code)
        code = keep_digest(measured, run);
    if (!code)
        code = look(run);
    return code ? code : keep_result(taking);
}

/* What the warm-up left is no sample. */
static void begin(void *context)
{
    struct taking *taking = context;
    struct orr_measured *measured = taking->measured;
    orr_named_times_release(&measured->phases);
    orr_named_times_release(&measured->stages);
    orr_named_times_release(&measured->clocks);
    measured->digest_count = 0;
    measured->counts_upload = measured->counts_fetch = false;
    taking->takes = 0;
    taking->warm = true;
}

/* --- after the last --- */

static bool all_zero(const struct orr_cell_run *run)
{
    for (int d = 0; d < run->dimensions; d++)
        for (size_t i = 0; i < run->bodies->n; i++)
            if (run->forces.acc[d][i] != 0)
                return false;
    return true;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* New masses give new accelerations, unless nothing acts. */
static int check_digests(const struct orr_measured *measured, const struct orr_cell_run *run)
{
    size_t count = (size_t)measured->digest_count;
    uint64_t *sorted = malloc((count + 1) * sizeof *sorted);
    if (!sorted)
        return orr_fail(ORR_EMEMORY, "no memory for %zu digests", count);
    if (count)
        memcpy(sorted, measured->digests, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_value);
    int code = 0;
    for (size_t k = 1; k < count && !code; k++)
        if (sorted[k] == sorted[k - 1] && !all_zero(run))
            code = orr_fail(ORR_EWRONG,
                            "two samples have the same result, though their masses differ");
    free(sorted);
    return code;
}

static int verify_kept(struct taking *taking, const struct kept *kept)
{
    struct orr_measured *measured = taking->measured;
    struct orr_cell_check *check = &measured->checks[measured->check_count++];
    *check = (struct orr_cell_check){
        .sample = kept->sample - 1, .masses = kept->seed, .targets = orr_cell_run_seed()};
    int code = orr_cell_run_verify_with(&check->errors, taking->run, &kept->forces, kept->masses, 0,
                                        check->targets);
    struct orr_cell_motion motion = {0};
    if (!code)
        code = orr_cell_motion_check(&motion, taking->run, &kept->forces, kept->masses,
                                     check->targets);
    return code ? orr_error_context("sample %d", check->sample + 1) : 0;
}

/* The last one and, unless that is it, the random one. */
static int verify_samples(struct taking *taking)
{
    const struct orr_cell_run *run = taking->run;
    struct kept last = {run->forces, run->masses, run->masses_seed, taking->takes};
    int code = verify_kept(taking, &last);
    if (!code && taking->random.masses && taking->random.sample < taking->takes)
        code = verify_kept(taking, &taking->random);
    return code;
}

/* An upload or a fetch takes time of its own only if that is more than moving its bytes can take:
 * SLOWEST bytes a second after REST, and enough to matter beside the step. */
static const double REST_S = 2e-4, SLOWEST = 2e8, MATTERS = 0.1;

static bool does_work(const struct orr_measured *measured, const char *clock, double bytes)
{
    struct orr_named_times own = orr_named_times_of(&measured->clocks, clock);
    double median = orr_stats_median(own.seconds, (size_t)own.count),
           step = orr_stats_median(measured->samples.step_s, (size_t)measured->samples.count);
    return median > REST_S + bytes / SLOWEST && median > MATTERS * step;
}

static void add_clock(struct orr_measured *measured, const char *clock)
{
    struct orr_named_times times = orr_named_times_of(&measured->clocks, clock);
    for (int k = 0; k < measured->samples.count && k < times.count; k++)
        measured->samples.step_s[k] += times.seconds[k];
}

/* Work that is done where bodies and results only move is timed with the step. */
static void count_hidden_work(struct orr_measured *measured, const struct orr_cell_run *run)
{
    double values = (double)run->bodies->n * (run->steps > 0 ? ORR_VERIFY_COLUMNS : 4);
    measured->counts_upload |=
        does_work(measured, "own upload", (double)run->bodies->n * ORR_COLUMNS * sizeof(double));
    measured->counts_fetch |= does_work(measured, "own fetch", values * sizeof(float));
    if (measured->counts_upload)
        add_clock(measured, "upload");
    if (measured->counts_fetch)
        add_clock(measured, "fetch");
}

/* The median over the samples of what is more than the sample before, a step. */
static double growth(const struct orr_measured *measured, const char *what)
{
    struct orr_named_times of = orr_named_times_of(&measured->clocks, what);
    double *more = of.count > 2 ? malloc((size_t)of.count * sizeof *more) : NULL, median;
    if (!more)
        return 0;
    for (int i = 1; i < of.count; i++)
        more[i - 1] = of.seconds[i] - of.seconds[i - 1];
    median = orr_stats_median(more, (size_t)of.count - 1);
    free(more);
    return median / (measured->batch + measured->cold);
}

/* One more step, after which nothing may go on: a variant that did all its work while the first one
 * was watched is watched again. Not among the samples, since it costs OpenMP its threads. */
static int watch_last(struct orr_cell_run *run)
{
    if (run->step_s > ORR_LONG_STEP_S)
        return 0;
    int code = orr_cell_run_step(run, &(struct orr_cell_steps){.fresh = true, .idle = true});
    return code ? code : look(run);
}

/* One more step under the host's counters. */
static int count_step(struct orr_measured *out, struct orr_cell_run *run)
{
    const char *kind = orr_json_text(run->about, "device_kind");
    if (!kind || strcmp(kind, "host") || run->step_s > ORR_LONG_STEP_S)
        return 0;
    int code = orr_cell_run_step(run, &(struct orr_cell_steps){.counters = true});
    if (!code)
        out->counters = json_incref(json_object_get(run->answer, "counters"));
    return code;
}

static int sense(struct orr_cell_run *run, bool stop, json_t **out)
{
    json_t *answer;
    int code = orr_referee_ask(run->referee, json_pack("{s:s, s:b}", "ask", "sense", "stop", stop),
                               &answer);
    if (out)
        *out = json_incref(json_object_get(answer, "sensors"));
    json_decref(answer);
    return code;
}

int orr_cell_run_measure(struct orr_measured *out, struct orr_cell_run *run,
                         const struct orr_policy *policy)
{
    out->batch = 1;
    struct taking taking = {.measured = out, .run = run, .chance = orr_cell_run_seed()};
    struct orr_sampler sampler = {policy, run->step_s, take, begin, &taking};
    int code = sense(run, false, NULL);
    if (!code)
        code = orr_sampler_run(&sampler, &out->samples);
    if (!code)
        code = sense(run, true, &out->sensors);
    if (!code)
        code = check_digests(out, run);
    if (!code)
        code = verify_samples(&taking);
    drop(&taking.random);
    if (code)
        return code;
    count_hidden_work(out, run);
    out->leaked_bytes = growth(out, "heap");
    out->leaked_buffers = growth(out, "buffers");
    out->leaked_buffer_bytes = growth(out, "buffer bytes");
    code = watch_last(run);
    return code ? code : count_step(out, run);
}

void orr_cell_run_release_measured(struct orr_measured *measured)
{
    orr_sampler_release(&measured->samples);
    orr_named_times_release(&measured->phases);
    orr_named_times_release(&measured->stages);
    orr_named_times_release(&measured->clocks);
    free(measured->digests);
    json_decref(measured->sensors);
    json_decref(measured->counters);
    *measured = (struct orr_measured){0};
}
