/* SPDX-License-Identifier: MIT */
/* A small variant that computes right forces on a device, and plugins that replace a verb of it
 * or change what its kernel writes. */
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

/* OpenCL C and CUDA C++ in one, without kernels/dialect.h, as a plugin of somebody else's may
 * be. */
static const struct orr_source sums_source = {
    "sums",
    "#ifdef ORR_CUDA\n"
    "#define KERNEL extern \"C\" __global__ void\n"
    "#define GLOBAL\n"
    "#define RSQRT rsqrtf\n"
    "#define OWN (int)(blockIdx.x * blockDim.x + threadIdx.x)\n"
    "#else\n"
    "#define KERNEL __kernel void\n"
    "#define GLOBAL __global\n"
    "#define RSQRT rsqrt\n"
    "#define OWN (int)get_global_id(0)\n"
    "#endif\n"
    "KERNEL sums(GLOBAL const float4 *body, GLOBAL float *acc, int n, float eps, int beyond)\n"
    "{\n"
    "    int i = OWN;\n"
    "    float ax = 0.0f, ay = 0.0f, az = 0.0f, phi = 0.0f;\n"
    "    for (int j = 0; j < n; j++) {\n"
    "        float x = body[j].x - body[i].x, y = body[j].y - body[i].y,\n"
    "              z = body[j].z - body[i].z, r = RSQRT(x * x + y * y + z * z + eps * eps),\n"
    "              w = j == i ? 0.0f : body[j].w * r;\n"
    "        ax += x * w * r * r;\n"
    "        ay += y * w * r * r;\n"
    "        az += z * w * r * r;\n"
    "        phi -= w;\n"
    "    }\n"
    "    acc[4 * i] = ax;\n"
    "    acc[4 * i + 1] = ay;\n"
    "    acc[4 * i + 2] = az;\n"
    "    acc[4 * i + 3] = phi;\n"
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

#define MEMBERS                                                                             \
    .capabilities = ORR_RUNS_OPENCL | ORR_RUNS_CUDA, .state_size = sizeof(struct state),    \
    .sources = &sums_source, .source_count = 1, .prepare = device_sums_prepare,             \
    .upload = device_bodies_upload, .step = device_sums_step, .fetch = device_bodies_fetch, \
    .cost = device_sums_cost, .release = device_sums_release

/* Honest: right forces on a device, from a step that returns before the device is done. */
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

/* Launches its kernel in fetch, which is not part of the step. */
static int launches_in_fetch_fetch(struct orr_job *job, struct orr_forces *out)
{
    int code = device_sums_step(job);
    return code ? code : device_bodies_fetch(job, out);
}

PLUGIN(launches_in_fetch, .step = do_nothing, .fetch = launches_in_fetch_fetch);

/* An accident: its kernel writes one word after the end of the buffer of results. */
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

/* Does nothing in a step without an upload before it. */
static int repeats_nothing_step(struct orr_job *job)
{
    return is_first() ? device_sums_step(job) : 0;
}

PLUGIN(repeats_nothing, .upload = upload, .step = repeats_nothing_step);

/* Launches as many kernels in a step without an upload before it, but for one body; the others
 * have their result already. */
static int repeats_little_step(struct orr_job *job)
{
    const struct state *s = job->state;
    return device_sums_launch(job, is_first() ? s->device.n : 1, 0);
}

PLUGIN(repeats_little, .upload = upload, .step = repeats_little_step);
