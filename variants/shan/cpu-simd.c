/* shan/cpu-simd: the same work as serial with all that a CPU has: every core, vector instructions
 * chosen at run time, and Newton's third law. The honest baseline for speedups.
 *
 * With AVX-512 a vector of pairs takes 17 issue slots of the two ports that do floating point: 2
 * subtractions, 2 FMAs, 3 for the estimate of the root, 4 for the cube, 6 for both sums. That is a
 * ceiling of 3.76 interactions a cycle and core. */
#include <string.h>

#include "kernels/pair.h"
#include "shared/host.h"
#include "shared/tasks.h"

struct params {
    struct shan_common common;
    int32_t simd; /* enum simd */
};

enum { BODIES = 4 }; /* bodies i in registers at once */
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

typedef void serve(struct shan_host *s, struct batch batches[3], struct stream stream, float eps2);
static serve *const serve_by[] = SIMD_ROW(serve);

struct state {
    struct shan_host host;
    struct shan_tasks tasks;
};

static int prepare(struct orr_job *job)
{
    struct state *s = job->state;
    int code = simd_check(job, ((const struct params *)job->params)->simd);

    if (code || (code = shan_host_prepare(job)))
        return code;
    return shan_tasks_make(&s->tasks, job, &s->host.boxes, BODIES);
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
    float eps = (float)p->common.eps;
    int code = orr_phase(job->device, "forces");

    if (code)
        return code;
    forces(job->state, serve_by[simd_chosen(p->simd)], eps * eps, job->host->threads);
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

    shan_tasks_release(&s->tasks);
    shan_host_release(job);
    memset(s, 0, sizeof *s);
}

static const struct orr_param params[] = {SHAN_COMMON_PARAMS(struct params),
                                          SIMD_PARAM(struct params)};

const struct orr_variant orr_variant = {
    .abi = ORR_VARIANT_ABI,
    .size = sizeof(struct orr_variant),
    .name = "shan/cpu-simd",
    .summary = "each pair once, with vector instructions on all cores",
    .capabilities = ORR_RUNS_HOST | ORR_NEAR_FIELD | ORR_THIRD_LAW,
    .dimensions = 2,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(struct params),
    .state_size = sizeof(struct state),
    .build_flags = ORR_BUILD_FLAGS,
    .prepare = prepare,
    .upload = shan_host_upload,
    .step = step,
    .fetch = shan_host_fetch,
    .cost = cost,
    .release = release,
};
