/* SPDX-License-Identifier: MIT */
/* shan/cpu-simd: the same work as serial with all that a CPU has: every core, vector instructions
 * chosen at run time, and Newton's third law. The honest baseline for speedups.
 *
 * Lanes are boxes where these hold about equally many bodies (columns.h), else bodies of lists.
 *
 * With AVX-512 a vector of pairs takes 17 issue slots of the two ports that do floating point: 2
 * subtractions, 2 FMAs, 3 for the estimate of the root, 4 for the cube, 6 for both sums. That is a
 * ceiling of 3.76 interactions a cycle and core. */
#include <string.h>

#include "kernels/pair.h"
#include "shared/columns.h"
#include "shared/host.h"
#include "shared/tasks.h"
#include "variants/common/host_bodies.h"

struct params {
    struct shan_common common;
    int32_t threads; /* 0: all */
    int32_t simd;    /* enum simd */
};

enum { BODIES = 4 };    /* bodies i in registers at once */
enum { MOST_ROWS = 8 }; /* of a band of boxes that a thread takes */
/* Bodies j that pass by them, in the first-level cache: a multiple of all vectors' lanes, such that
 * the arrays of a batch are not close to a multiple of 4096 bytes apart, where a load waits for
 * another array's store. */
enum { BATCH = 1216 };

/* Where reading has come to in a task's runs. */
struct cursor {
    const struct shan_run *run, *end;
    uint32_t done; /* bodies of *run */
};

/* Tasks one after the other, cut into batches. */
struct stream {
    const struct shan_task *task, *end;
    const struct shan_run *runs;
    struct cursor cursor; /* in the runs of *task */
    uint32_t passed;      /* bodies before it */
};

/* Copies of bodies j, and what the bodies i do to them. */
struct batch {
    float x[BATCH + 16], y[BATCH + 16], mass[BATCH + 16]; /* with a vector of padding */
    float ax[BATCH + 16], ay[BATCH + 16];
    uint32_t count;
    const struct shan_task *task;
    struct cursor from; /* where they came from */
    int64_t self;       /* body i is number self + i, if it is among them */
} __attribute__((aligned(64)));

static struct stream make_stream(const struct shan_task *task, const struct shan_task *end,
                                 const struct shan_run *runs)
{
    struct stream s = {.task = task, .end = end, .runs = runs};

    if (task < end)
        s.cursor = (struct cursor){runs + task->first_run, runs + task->first_run + task->runs, 0};
    return s;
}

/* At most `room` bodies from the cursor on, without a gap; 0 when there is no room or no body left.
 */
static inline int next_part(struct shan_run *part, struct cursor *c, uint32_t room)
{
    if (c->run == c->end || !room)
        return 0;
    const uint32_t left = c->run->count - c->done;
    *part = (struct shan_run){c->run->first + c->done, left < room ? left : room};
    if (left <= room) {
        c->run++;
        c->done = 0;
    } else {
        c->done += room;
    }
    return 1;
}

/* An empty batch for what comes next in the stream. */
static inline void begin_batch(struct batch *b, struct stream *s)
{
    if (s->cursor.run == s->cursor.end && s->task < s->end)
        *s = make_stream(s->task + 1, s->end, s->runs);
    b->count = 0;
    b->task = s->task;
    b->from = s->cursor;
    if (s->task < s->end)
        b->self = s->task->own ? -(int64_t)s->runs[s->task->first_run].first - s->passed
                               : -BODIES - (int64_t)s->task->to;
}

#define SIMD_TEMPLATE "variants/shan/shared/simd_near.h"
#include "variants/common/simd.h"

/* Masses of columns are multiplied by it once, so that no sum has to be. */
static const float columns_scale = CUBE;

typedef void serve(struct shan_host *s, struct batch batches[3], struct stream stream, float eps2);
static serve *const serve_by[] = SIMD_ROW(serve);
typedef void columns_row(const struct shan_columns *s, uint32_t row, float eps2);
static columns_row *const columns_row_by[] = SIMD_ROW(columns_row);

struct state {
    struct shan_host host;
    struct shan_tasks tasks;
    struct shan_columns columns; /* in place of both, where the boxes suit */
};

static int threads_of(const struct orr_job *job)
{
    return host_bodies_threads(job, ((const struct params *)job->params)->threads);
}

static int prepare(struct orr_job *job)
{
    struct state *s = job->state;
    int code = simd_check(job, ((const struct params *)job->params)->simd, threads_of(job));

    if (code || (code = shan_host_prepare(job)) ||
        (code = shan_columns_prepare(&s->columns, job, &s->host.boxes)))
        return code;
    return s->columns.memory ? ORR_OK : shan_tasks_make(&s->tasks, job, &s->host.boxes, BODIES);
}

static int upload(struct orr_job *job)
{
    struct state *s = job->state;

    if (!s->columns.memory)
        return shan_host_upload(job);
    shan_columns_upload(&s->columns, job, &s->host.boxes, columns_scale);
    return ORR_OK;
}

static int fetch(struct orr_job *job, struct orr_forces *out)
{
    const struct state *s = job->state;

    if (!s->columns.memory)
        return shan_host_fetch(job, out);
    shan_columns_fetch(&s->columns, job, &s->host.boxes, out);
    return ORR_OK;
}

static void clear_row(const struct shan_columns *s, uint32_t row)
{
    const size_t at = shan_columns_at(s, row, 0),
                 bytes = (size_t)s->most * s->width * sizeof(float);

    memset(s->ax + at, 0, bytes);
    memset(s->ay + at, 0, bytes);
}

/* Rows in bands: those of even number first, since a row writes to the one above it. A row's sums
 * begin just before they are written to. */
static void columns_forces(const struct shan_columns *s, columns_row *of, float eps2, int threads)
{
    const uint32_t share = s->side / (8 * (uint32_t)threads), rows = share < 1 ? 1
                                                                     : share < MOST_ROWS
                                                                         ? share
                                                                         : MOST_ROWS;

    for (uint32_t odd = 0; odd < 2; odd++) {
#pragma omp parallel for schedule(dynamic) num_threads(threads)
        for (uint32_t from = odd * rows; from < s->side; from += 2 * rows)
            for (uint32_t row = from; row < from + rows && row < s->side; row++) {
                if (!odd && row == from)
                    clear_row(s, row);
                if (row + 1 < s->side && (!odd || row + 1 < from + rows))
                    clear_row(s, row + 1);
                of(s, row, eps2);
            }
    }
}

static void forces(struct state *s, serve *of, float eps2, int threads)
{
    const struct shan_tasks *t = &s->tasks;
    struct shan_host *host = &s->host;

#pragma omp parallel num_threads(threads)
    {
        struct batch batches[3];

#pragma omp for
        for (size_t k = 0; k < host->boxes.n; k++)
            host->ax[k] = host->ay[k] = 0;
        for (uint32_t phase = 0; phase < t->phases; phase++) {
#pragma omp for schedule(dynamic)
            for (uint32_t k = t->phase_start[phase]; k < t->phase_start[phase + 1]; k++)
                of(host, batches,
                   make_stream(t->tasks + t->item_start[k], t->tasks + t->item_start[k + 1],
                               t->runs),
                   eps2);
        }
    }
}

static int step(struct orr_job *job)
{
    const struct params *p = job->params;
    struct state *s = job->state;
    const enum simd simd = simd_chosen(p->simd);
    float eps = (float)p->common.eps;
    int code = orr_phase(job->device, "forces");

    if (code)
        return code;
    if (s->columns.memory)
        columns_forces(&s->columns, columns_row_by[simd], eps * eps, threads_of(job));
    else
        forces(s, serve_by[simd], eps * eps, threads_of(job));
    return orr_phase(job->device, NULL);
}

static int cost(const struct orr_job *job, struct orr_cost *out)
{
    const struct state *s = job->state;

    shan_cost(out, &s->host.boxes, PAIR2_BOTH_FLOPS_TRUE / 2.0);
    return ORR_OK;
}

static void release(struct orr_job *job)
{
    struct state *s = job->state;

    shan_columns_release(&s->columns);
    shan_tasks_release(&s->tasks);
    shan_host_release(job);
    memset(s, 0, sizeof *s);
}

static const struct orr_param params[] = {SHAN_COMMON_PARAMS(struct params),
                                          THREADS_PARAM(struct params), SIMD_PARAM(struct params)};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "shan/cpu-simd",
    .summary = "each pair once, with vector instructions on all cores or one",
    .capabilities = ORR_RUNS_HOST | ORR_NEAR_FIELD | ORR_THIRD_LAW,
    .dimensions = 2,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct params),
    .state_size = sizeof(struct state),
    .build_flags = ORR_BUILD_FLAGS,
    .prepare = prepare,
    .upload = upload,
    .step = step,
    .fetch = fetch,
    .cost = cost,
    .release = release,
};
