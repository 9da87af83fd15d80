/* The step wakes a thread that nobody ever joins and leaves the work to it; upload and fetch wait
 * for its result. Caught by the processor time that the worker spends after the clock stopped. */
#include <pthread.h>
#include <semaphore.h>

#include "cheats.h"

static sem_t wanted, ready;
static struct orr_job *current;
static int begun, owed;

static void *serve(void *unused)
{
    for (;; sem_post(&ready)) {
        sem_wait(&wanted);
        sums_step(current);
    }
    return unused;
}

static int settle(struct orr_job *job)
{
    if (owed)
        sem_wait(&ready);
    owed = 0;
    return 0;
}

static int prepare(struct orr_job *job)
{
    pthread_t thread;
    if (!begun && (sem_init(&wanted, 0, 0) || sem_init(&ready, 0, 0) ||
                   pthread_create(&thread, NULL, serve, NULL)))
        return ORR_FAIL(job, ORR_EIO, "no thread");
    begun = 1;
    current = job;
    return sums_prepare(job);
}

static int step(struct orr_job *job)
{
    owed = 1;
    sem_post(&wanted);
    return 0;
}

static int fetch(struct orr_job *job, struct orr_forces *out)
{
    settle(job);
    return sums_fetch(job, out);
}

static void release(struct orr_job *job)
{
    settle(job);
    sums_release(job);
}

const struct orr_variant orr_variant = {SUMS_VARIANT,       .name = "plugins/never_joined",
                                        .prepare = prepare, .upload = settle,
                                        .step = step,       .fetch = fetch,
                                        .release = release};
