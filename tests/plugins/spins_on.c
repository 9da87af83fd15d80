/* An accident: right, but a thread that it started goes on spinning between the steps, and takes a
 * core from whatever is measured. Caught by the processor time that the worker spends after the
 * clock stopped. */
#include <pthread.h>
#include <stdatomic.h>

#include "cheats.h"

static atomic_int stop;
static pthread_t thread;
static int running;

static void *spin(void *unused)
{
    while (!stop)
        continue;
    return unused;
}

static int prepare(struct orr_job *job)
{
    stop = 0;
    running = !pthread_create(&thread, NULL, spin, NULL);
    return running ? sums_prepare(job) : ORR_FAIL(job, ORR_EIO, "no thread");
}

static void release(struct orr_job *job)
{
    stop = 1;
    if (running)
        pthread_join(thread, NULL);
    running = 0;
    sums_release(job);
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/spins_on",
                                        .prepare = prepare, .release = release};
