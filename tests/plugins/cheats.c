/* SPDX-License-Identifier: MIT */
/* Plugins that cheat: right sums, of which each replaces a verb or two. tests/e2e_cheats.sh runs
 * them, docs/CHEATS.md lists them. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sums.h"

PLUGIN_WITH(first_step_only, step, struct orr_job *job)
{
    const struct state *s = job->state;
    return s->steps ? 0 : sums_step(job);
}

static int in_prepare_prepare(struct orr_job *job)
{
    int code = sums_prepare(job);
    return code ? code : sums_step(job);
}

PLUGIN(in_prepare, .prepare = in_prepare_prepare, .step = do_nothing);

/* Computes, but returns the result of the step before, as with two buffers mixed up. */
SPOILS(previous_result)
{
    static float kept[4 * 256];
    size_t count = job->bodies->n * 4;
    for (size_t k = 0; k < count && count <= sizeof kept / sizeof *kept; k++) {
        float now = s->result[k];
        if (s->steps > 1)
            s->result[k] = kept[k];
        kept[k] = now;
    }
}

/* Computes once; later it scales that result as the sum of the masses has changed. */
PLUGIN_WITH(scaled_previous, step, struct orr_job *job)
{
    static double before;
    struct state *s = job->state;
    double now = 0;
    for (size_t i = 0; i < job->bodies->n; i++)
        now += job->bodies->mass[i];
    if (!s->steps)
        sums_step(job);
    else
        for (size_t k = 0; k < 4 * job->bodies->n; k++)
            s->result[k] *= (float)(now / before);
    before = now;
    return 0;
}

/* Every third step does nothing and leaves the result of the one before. */
PLUGIN_WITH(skips_every_third, step, struct orr_job *job)
{
    static unsigned steps;
    return ++steps % 3 ? sums_step(job) : 0;
}

/* Forces are linear in the masses: keeps what it has computed and, for masses that are a sum of
 * multiples of those it has seen, combines the results. */
enum { BODIES = 256, MOST = 64 };

static void subtract(double *from, const double *what, double times, size_t count)
{
    for (size_t k = 0; k < count; k++)
        from[k] -= times * what[k];
}

static double dot(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < BODIES; i++)
        sum += a[i] * b[i];
    return sum;
}

PLUGIN_WITH(combines, step, struct orr_job *job)
{
    /* Orthonormal masses and their results. */
    static double axis[MOST][BODIES], along[MOST][4 * BODIES];
    static int kept;
    const struct orr_bodies *b = job->bodies;
    struct state *s = job->state;
    double rest[BODIES], result[4 * BODIES] = {0};
    if (b->n != BODIES)
        return sums_step(job);
    memcpy(rest, b->mass, sizeof rest);
    for (int k = 0; k < kept; k++) {
        double times = dot(axis[k], rest);
        subtract(rest, axis[k], times, BODIES);
        subtract(result, along[k], -times, 4 * BODIES);
    }
    double size = sqrt(dot(rest, rest));
    if (size > 1e-6 * sqrt(dot(b->mass, b->mass))) {
        sums_step(job);
        for (size_t k = 0; k < 4 * BODIES && kept < MOST; k++) {
            axis[kept][k / 4] = rest[k / 4] / size;
            along[kept][k] = (s->result[k] - result[k]) / size;
        }
        kept += kept < MOST;
    } else {
        for (size_t k = 0; k < 4 * BODIES; k++)
            s->result[k] = (float)result[k];
    }
    return 0;
}

PLUGIN(in_upload, .upload = sums_step, .step = do_nothing);

/* Computes in upload, on a piece that the device layer lends it to fill, as if that were moving
 * bytes. */
static int compute(void *context, void *memory, size_t first, size_t bytes)
{
    float *piece = memory;
    int code = sums_step(context);
    for (size_t k = 0; k < bytes / sizeof *piece; k++)
        piece[k] = 0;
    return code;
}

static int in_piece_upload(struct orr_job *job)
{
    struct orr_buffer *buffer = NULL;
    int code = orr_alloc(job->device, &buffer, sizeof(float));
    if (!code)
        code = orr_send(job->device, buffer, sizeof(float), compute, job);
    orr_free(job->device, buffer);
    return code;
}

PLUGIN(in_piece, .upload = in_piece_upload, .step = do_nothing);

static int in_fetch_fetch(struct orr_job *job, struct orr_forces *out)
{
    int code = sums_step(job);
    return code ? code : sums_fetch(job, out);
}

PLUGIN(in_fetch, .step = do_nothing, .fetch = in_fetch_fetch);

/* A thread begins the work in the step and goes on after it; upload and fetch wait for its end. */
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

static int goes_on_step(struct orr_job *job)
{
    running = !pthread_create(&thread, NULL, work, job);
    return running ? 0 : ORR_FAIL(job, ORR_EIO, "no thread");
}

static int goes_on_fetch(struct orr_job *job, struct orr_forces *out)
{
    join(job);
    return sums_fetch(job, out);
}

static void goes_on_release(struct orr_job *job)
{
    join(job);
    sums_release(job);
}

PLUGIN(goes_on, .upload = join, .step = goes_on_step, .fetch = goes_on_fetch,
       .release = goes_on_release);

/* The step wakes a thread that nobody ever joins and leaves the work to it; upload and fetch
 * wait for its result. */
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

static int never_joined_prepare(struct orr_job *job)
{
    if (!begun && (sem_init(&wanted, 0, 0) || sem_init(&ready, 0, 0) ||
                   pthread_create(&thread, NULL, serve, NULL)))
        return ORR_FAIL(job, ORR_EIO, "no thread");
    begun = 1;
    current = job;
    return sums_prepare(job);
}

static int never_joined_step(struct orr_job *job)
{
    owed = 1;
    sem_post(&wanted);
    return 0;
}

static int never_joined_fetch(struct orr_job *job, struct orr_forces *out)
{
    settle(job);
    return sums_fetch(job, out);
}

static void never_joined_release(struct orr_job *job)
{
    settle(job);
    sums_release(job);
}

PLUGIN(never_joined, .prepare = never_joined_prepare, .upload = settle, .step = never_joined_step,
       .fetch = never_joined_fetch, .release = never_joined_release);

/* An accident: right, but a thread that it started goes on spinning between the steps, and takes
 * a core from whatever is measured. */
static atomic_int stop;

static void *spin(void *unused)
{
    while (!stop)
        continue;
    return unused;
}

static int spins_on_prepare(struct orr_job *job)
{
    stop = 0;
    running = !pthread_create(&thread, NULL, spin, NULL);
    return running ? sums_prepare(job) : ORR_FAIL(job, ORR_EIO, "no thread");
}

static void spins_on_release(struct orr_job *job)
{
    stop = 1;
    if (running)
        pthread_join(thread, NULL);
    running = 0;
    sums_release(job);
}

PLUGIN(spins_on, .prepare = spins_on_prepare, .release = spins_on_release);

/* Computes only the 1024 bodies that the default seed used to choose for verification; the
 * others get a sum over every eighth body. */
enum { TARGETS = 1024 };

static uint64_t below(uint64_t *seed, uint64_t bound)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (uint64_t)(((unsigned __int128)z * bound) >> 64);
}

static void guess(const struct orr_bodies *b, const struct params *p, size_t i, float out[4])
{
    struct orr_bodies few = *b;
    double pos[3][TARGETS], mass[TARGETS];
    few.n = 0;
    for (size_t j = i % 8; j < b->n && few.n < TARGETS; j += 8, few.n++) {
        for (int k = 0; k < 3; k++)
            pos[k][few.n] = b->pos[k][j];
        mass[few.n] = 8 * b->mass[j];
    }
    for (int k = 0; k < 3; k++)
        few.pos[k] = pos[k];
    few.mass = mass;
    sums_one(&few, p, i / 8, out);
}

PLUGIN_WITH(default_targets, step, struct orr_job *job)
{
    const struct orr_bodies *b = job->bodies;
    struct state *s = job->state;
    uint64_t seed = 1;
    size_t chosen = 0;
    for (size_t i = 0; i < b->n; i++) {
        int is_target = chosen < TARGETS && below(&seed, b->n - i) < TARGETS - chosen;
        chosen += (size_t)is_target;
        (is_target ? sums_one : guess)(b, job->params, i, s->result + 4 * i);
    }
    return 0;
}

/* Sets all masses of the input to zero, so that nothing is the right answer. */
PLUGIN_WITH(zeroes_masses, step, struct orr_job *job)
{
    for (size_t i = 0; i < job->bodies->n; i++)
        job->bodies->mass[i] = 0;
    return sums_step(job);
}

/* An accident: sorts the bodies of the input instead of a copy. */
PLUGIN_WITH(moves_positions, step, struct orr_job *job)
{
    const struct orr_bodies *b = job->bodies;
    for (size_t i = 0; i + 1 < b->n; i++)
        for (int k = 0; k < 3 && b->pos[0][i] > b->pos[0][i + 1]; k++) {
            double swapped = b->pos[k][i];
            b->pos[k][i] = b->pos[k][i + 1];
            b->pos[k][i + 1] = swapped;
        }
    return sums_step(job);
}

/* Makes the pages of the masses writable where the system lets it, and sets them to zero. */
static int unlock(const void *from, size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)from / page * page;
    return mprotect((char *)from - ((uintptr_t)from - start), (uintptr_t)from + bytes - start,
                    PROT_READ | PROT_WRITE);
}

PLUGIN_WITH(unlocks_masses, step, struct orr_job *job)
{
    const struct orr_bodies *b = job->bodies;
    struct state *s = job->state;
    int locked = unlock(b->mass, b->n * sizeof *b->mass);
    for (size_t i = 0; i < b->n && !locked; i++)
        b->mass[i] = 0;
    for (size_t k = 0; k < 4 * b->n; k++)
        s->result[k] = 0;
    return 0;
}

PLUGIN_WITH(million_fold, cost, const struct orr_job *job, struct orr_cost *out)
{
    int code = sums_cost(job, out);
    out->interactions *= 1e6;
    return code;
}

PLUGIN_WITH(counts_itself, cost, const struct orr_job *job, struct orr_cost *out)
{
    int code = sums_cost(job, out);
    out->interactions += (double)job->bodies->n;
    return code;
}

/* Computes nothing, and writes a finished record of its own to every socket that it finds. */
static const char forged[] =
    "\"outcome\":\"ok\",\"reason\":\"\",\"seconds\":1e-9,\"interval\":[1e-9,1e-9],"
    "\"samples\":{\"step_s\":[1e-9],\"kernel_s\":[],\"end_to_end_s\":[],\"throttled\":[]}";

PLUGIN_WITH(forges_done, step, struct orr_job *job)
{
    struct state *s = job->state;
    char text[512];
    struct stat what;
    memset(s->result, 0, job->bodies->n * 4 * sizeof *s->result);
    for (int fd = 3; fd < 64; fd++)
        for (int k = 0; k < 2 && !fstat(fd, &what) && S_ISSOCK(what.st_mode); k++) {
            int size =
                snprintf(text, sizeof text, "{\"say\":\"%s\",\"record\":{%s},\"lost\":false}\n",
                         k ? "done" : "partial", forged);
            send(fd, text, (size_t)size, MSG_NOSIGNAL | MSG_DONTWAIT);
        }
    return 0;
}

/* An accident: writes two numbers after the end of a column of results. */
PLUGIN_WITH(overflows_after, fetch, struct orr_job *job, struct orr_forces *out)
{
    out->acc[0][job->bodies->n] = out->acc[0][job->bodies->n + 1] = 0;
    return sums_fetch(job, out);
}

/* An accident: writes two numbers before the beginning of a column of results. */
PLUGIN_WITH(overflows_before, fetch, struct orr_job *job, struct orr_forces *out)
{
    float *column = out->phi;
    column[-1] = column[-2] = 0;
    return sums_fetch(job, out);
}

SPOILS(wrong)
{
    s->result[4 * (job->bodies->n / 2)] *= 1.1f;
}

/* Right at first, wrong after some steps: what is measured must be verified too. */
SPOILS(wrong_later)
{
    if (s->steps > 3)
        s->result[0] *= 2;
}

/* Leaves a NaN in the last body, which a sample of the bodies may miss. */
SPOILS(not_a_number)
{
    s->result[4 * (job->bodies->n - 1) + 3] = NAN;
}
