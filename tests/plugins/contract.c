/* SPDX-License-Identifier: MIT */
/* Plugins that break the contract, or keep it and compute nothing. */
#include <signal.h>
#include <unistd.h>

#include "base.h"
#include "leaves.h"

/* Nothing is wrong with this one. */
PLUGIN(good);

/* A parameter that lies outside the parameter struct. */
static const struct orr_param broken[] = {
    {"far", ORR_PARAM_INT, sizeof(struct params), 0, 0, 1, NULL, "beyond the end"}};

PLUGIN(bad_parameter, .params = broken, .param_count = 1);

/* In the plane, but knows nothing of boxes. */
PLUGIN(flat, .dimensions = 2, .param_count = 1 /* eps */);

/* Runs on devices only; has no `mode`. */
static const struct orr_source sources[] = {{"nothing", "__kernel void nothing(void) {}"}};

PLUGIN(kernels, .capabilities = ORR_RUNS_OPENCL | ORR_RUNS_CUDA,
       .param_count = sizeof params / sizeof *params - 1, .sources = sources, .source_count = 1);

/* Built for another version of the contract. */
PLUGIN(wrong_abi, .abi = ORR_VARIANT_ABI + 1);

/* Lies about its name. */
PLUGIN(wrong_name, .name = "plugins/another");

/* Runs without a complaint and returns nothing. */
PLUGIN_WITH(writes_nothing, fetch, struct orr_job *job, struct orr_forces *out)
{
    return 0;
}

/* Asks for more memory than there is. */
PLUGIN_WITH(no_memory, prepare, struct orr_job *job)
{
    return ORR_FAIL(job, ORR_EMEMORY, "%zu bodies need 1e15 bytes and the device has 1e9",
                    job->bodies->n);
}

/* Loads well, then dies in the timed step. */
PLUGIN_WITH(crash_in_step, step, struct orr_job *job)
{
    raise(SIGSEGV);
    return 0;
}

/* Starts a process that keeps every descriptor of the worker, then dies in the timed step. */
PLUGIN_WITH(crash_with_child, step, struct orr_job *job)
{
    leave_child();
    raise(SIGSEGV);
    return 0;
}

/* Loads well, then never comes back from the timed step. */
PLUGIN_WITH(hang_in_step, step, struct orr_job *job)
{
    while (pause())
        ;
    return 0;
}
