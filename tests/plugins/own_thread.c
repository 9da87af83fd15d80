/* Honest: another thread does the work of a step, which waits for it. The twin of never_joined. */
#include <pthread.h>

#include "cheats.h"

static void *work(void *job)
{
    sums_step(job);
    return NULL;
}

static int step(struct orr_job *job)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, job))
        return ORR_FAIL(job, ORR_EIO, "no thread");
    pthread_join(thread, NULL);
    return 0;
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/own_thread", .step = step};
