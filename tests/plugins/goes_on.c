/* A thread begins the work in the step and goes on after it; upload and fetch wait for its end.
 * Caught by the processor time that the worker spends after the clock stopped. */
#include <pthread.h>

#include "cheats.h"

static pthread_t thread;
static int running;

static void *work(void *job)
{
    sums_step(job);
    return NULL;
}

static int join(struct orr_job *job)
{
    if (running)
        pthread_join(thread, NULL);
    running = 0;
    return 0;
}

static int step(struct orr_job *job)
{
    running = !pthread_create(&thread, NULL, work, job);
    return running ? 0 : ORR_FAIL(job, ORR_EIO, "no thread");
}

static int fetch(struct orr_job *job, struct orr_forces *out)
{
    join(job);
    return sums_fetch(job, out);
}

static void release(struct orr_job *job)
{
    join(job);
    sums_release(job);
}

const struct orr_variant orr_variant = {SUMS_VARIANT,   .name = "plugins/goes_on",
                                        .upload = join, .step = step,
                                        .fetch = fetch, .release = release};
