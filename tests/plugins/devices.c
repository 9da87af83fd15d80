/* SPDX-License-Identifier: MIT */
/* A small variant that computes right forces on an OpenCL device, and plugins that replace a verb
 * of it or change what its kernel writes. */
#include "plugin.h"
#include "slowed.h"
#include "variants/common/device_bodies.h"

struct params {
    double eps;
};

static const struct orr_param params[] = {
    {"eps", ORR_PARAM_FLOAT, offsetof(struct params, eps), NAN, 0, 10, NULL, "softening length"},
};

struct state {
    struct device_bodies device;
    struct orr_program *program;
};

static const struct orr_source sums_source = {
    "sums",
    "__kernel void sums(__global const float4 *body, __global float *acc, int n, float eps,\n"
    "                   int beyond)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    float4 sum = (float4)(0.0f);\n"
    "    for (int j = 0; j < n; j++) {\n"
    "        float4 d = body[j] - body[i];\n"
    "        float r = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + eps * eps);\n"
    "        float phi = j == i ? 0.0f : body[j].w * r;\n"
    "        sum += (float4)(d.x, d.y, d.z, 0.0f) * (phi * r * r);\n"
    "        sum.w -= phi;\n"
    "    }\n"
    "    vstore4(sum, i, acc);\n"
    "    if (i < beyond)\n"
    "        acc[4 * n + i] = 0.0f;\n"
    "}\n"};

static int device_sums_prepare(struct orr_job *job)
{
    static const struct device_bodies_kind kind = {.has_phi = 1};
    struct state *s = job->state;
    int code = device_bodies_prepare(job, &kind, job->bodies->n, 0, 0);
    return code ? code : orr_build(job->device, &s->program, &sums_source, "");
}

/* Of the first `groups` bodies; the kernel writes `beyond` words after the last result. */
static int device_sums_launch(struct orr_job *job, size_t groups, int32_t beyond)
{
    const struct params *p = job->params;
    struct state *s = job->state;
    const struct orr_arg args[] = {ORR_BUF(s->device.body), ORR_BUF(s->device.acc),
                                   ORR_I32((int32_t)s->device.n), ORR_F32((float)p->eps),
                                   ORR_I32(beyond)};
    const struct orr_launch launch = {.kernel = "sums",
                                      .groups = {groups},
                                      .group = {1},
                                      .args = args,
                                      .arg_count = sizeof args / sizeof *args};
    return orr_launch(job->device, s->program, &launch);
}

static int device_sums_step(struct orr_job *job)
{
    const struct state *s = job->state;
    return device_sums_launch(job, s->device.n, 0);
}

static int device_sums_cost(const struct orr_job *job, struct orr_cost *out)
{
    double n = (double)job->bodies->n;
    *out = (struct orr_cost){.interactions = n * (n - 1), .bytes_min = 32 * n};
    return 0;
}

static void device_sums_release(struct orr_job *job)
{
    struct state *s = job->state;
    orr_drop(job->device, s->program);
    s->program = NULL;
    device_bodies_release(job);
}

#define MEMBERS                                                                                   \
    .capabilities = ORR_RUNS_OPENCL, .state_size = sizeof(struct state), .sources = &sums_source, \
    .source_count = 1, .prepare = device_sums_prepare, .upload = device_bodies_upload,            \
    .step = device_sums_step, .fetch = device_bodies_fetch, .cost = device_sums_cost,             \
    .release = device_sums_release

/* Honest: right forces on a device, from a step that returns before the device is done. The twin of
 * launches_in_fetch and overflows_buffer. */
PLUGIN(device_right);

/* Right forces on a device, as late as ORRERY_TEST_SLOW says. */
PLUGIN_WITH(device_slowed, step, struct orr_job *job)
{
    double start = now();
    int code = device_sums_step(job);
    if (!code)
        code = orr_sync(job->device);
    slow_down(start);
    return code;
}

/* Launches its kernel in fetch, which is not part of the step. Caught by the launch: a fetch that
 * works on the device becomes part of the step's time. */
static int launches_in_fetch_fetch(struct orr_job *job, struct orr_forces *out)
{
    int code = device_sums_step(job);
    return code ? code : device_bodies_fetch(job, out);
}

PLUGIN(launches_in_fetch, .step = do_nothing, .fetch = launches_in_fetch_fetch);

/* An accident: its kernel writes one word after the end of the buffer of results. Caught by the
 * zones around each buffer of a device. */
PLUGIN_WITH(overflows_buffer, step, struct orr_job *job)
{
    const struct state *s = job->state;
    return device_sums_launch(job, s->device.n, 1);
}

static int uploaded;

static int upload(struct orr_job *job)
{
    uploaded = 1;
    return device_bodies_upload(job);
}

/* Whether the step is the first since the upload. */
static int is_first(void)
{
    int first = uploaded;
    uploaded = 0;
    return first;
}

/* Does nothing in a step without an upload before it. Caught by the launches: its time is that of
 * single steps. */
static int repeats_nothing_step(struct orr_job *job)
{
    return is_first() ? device_sums_step(job) : 0;
}

PLUGIN(repeats_nothing, .upload = upload, .step = repeats_nothing_step);

/* Launches as many kernels in a step without an upload before it, but for one body; the others have
 * their result already. Caught by the kernels' time: its own is that of single steps. */
static int repeats_little_step(struct orr_job *job)
{
    const struct state *s = job->state;
    return device_sums_launch(job, is_first() ? s->device.n : 1, 0);
}

PLUGIN(repeats_little, .upload = upload, .step = repeats_little_step);
