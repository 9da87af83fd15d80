/* Sums on a device, of which each replaces a verb or two. */
#include "device_sums.h"
#include "slowed.h"

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
