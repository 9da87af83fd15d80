/* SPDX-License-Identifier: MIT */
/* Plugins that are right, or go wrong by accident: right sums, of which each replaces a verb or
 * two. tests/planted.txt says what comes of each. */
#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "sums.h"
#include "slowed.h"
#include "leaves.h"

PLUGIN(right);

/* Honest: OpenMP's threads share the work of a step. They spin for about a millisecond after it,
 * which is no work that goes on. */
PLUGIN_WITH(openmp, step, struct orr_job *job)
{
    struct state *s = job->state;
#pragma omp parallel for num_threads(job->host->threads)
    for (size_t i = 0; i < job->bodies->n; i++)
        sums_one(job->bodies, job->params, i, s->result + 4 * i);
    return 0;
}

/* Honest: another thread does the work of a step, which waits for it. */
static void *work(void *job)
{
    sums_step(job);
    return NULL;
}

PLUGIN_WITH(own_thread, step, struct orr_job *job)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, job))
        return ORR_FAIL(job, ORR_EIO, "no thread");
    pthread_join(thread, NULL);
    return 0;
}

/* Honest: orders the bodies in upload and declares it as a stage, which is timed and shown
 * apart. */
PLUGIN_WITH(stage_in_upload, upload, struct orr_job *job)
{
    const struct orr_bodies *b = job->bodies;
    static volatile size_t rank[256];
    orr_stage(job, "sort");
    for (size_t i = 0; i < b->n && b->n <= 256; i++) {
        rank[i] = 0;
        for (size_t j = 0; j < b->n; j++)
            rank[i] += b->pos[0][j] < b->pos[0][i];
    }
    orr_stage(job, NULL);
    return 0;
}

/* Honest: takes memory and buffers in each step and gives them back; what the first step keeps
 * is kept once. */
PLUGIN_WITH(scratch, step, struct orr_job *job)
{
    static void *volatile kept;
    struct orr_buffer *buffer;
    int code = orr_alloc(job->device, &buffer, 65536);
    char *memory = malloc(65536);
    if (memory)
        memset(memory, 1, 65536);
    if (!kept)
        kept = memory;
    else
        free(memory);
    orr_free(job->device, buffer);
    return code ? code : sums_step(job);
}

/* Says something that is not UTF-8 and has no end. */
SPOILS(odd_note)
{
    orr_stage(job, "gr\xfc\xdf");
    memset(job->note, 0xfc, sizeof job->note);
    orr_stage(job, NULL);
}

/* Cuts the memory that it is lent short, so that whoever reads it crashes. */
SPOILS(cuts_memory)
{
    struct stat about;
    for (int fd = 3; fd < 64; fd++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        if (fstat(fd, &about) || about.st_size < 1 << 20)
            continue;
        int again = open(path, O_RDWR);
        if (again >= 0 && !ftruncate(again, 1))
            abort();
        close(again);
    }
}

/* Closes every descriptor, as a daemon does. */
SPOILS(closes_descriptors)
{
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
}

/* A library that it calls ends the process, and calls that a success. */
SPOILS(exits)
{
    exit(0);
}

/* Says the same for ever to every socket that it finds. */
static void talk(const char *text, size_t size)
{
    struct stat what;
    for (bool heard = true; heard;) {
        heard = false;
        for (int fd = 3; fd < 64; fd++)
            if (!fstat(fd, &what) && S_ISSOCK(what.st_mode))
                heard |= send(fd, text, size, MSG_NOSIGNAL) > 0;
    }
}

SPOILS(endless_line)
{
    static const char part[4096] = {[0 ... 4095] = ' '};
    talk(part, sizeof part);
}

SPOILS(stops_itself)
{
    if (s->steps > 1)
        raise(SIGSTOP);
}

/* Sends answers to questions that nobody asked, for ever. */
SPOILS(talks_on)
{
    static const char answer[] = "{\"say\":\"done\",\"to\":1}\n";
    talk(answer, sizeof answer - 1);
}

/* Each step leaves 64 KiB of memory behind. */
SPOILS(leaks_host)
{
    static void *volatile lost;
    lost = malloc(65536);
    if (lost)
        memset(lost, 1, 65536);
}

PLUGIN_WITH(leaks_buffer, step, struct orr_job *job)
{
    struct orr_buffer *lost;
    int code = orr_alloc(job->device, &lost, 65536);
    return code ? code : sums_step(job);
}

SPOILS(prints)
{
    printf("{\"say\":\"done\"}\nstep %d on stdout\n", s->steps);
    fprintf(stderr, "step %d on stderr\n", s->steps);
    fflush(stdout);
}

/* Blocks every signal and ignores those that end a process, as some runtimes do. */
SPOILS(ignores_signals)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGPIPE, SIGCHLD, SIGSEGV, SIGABRT};
    sigset_t all;
    for (size_t k = 0; k < sizeof ending / sizeof *ending; k++)
        signal(ending[k], SIG_IGN);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
}

/* Leaves the processor rounding up, with small numbers flushed to zero. Its own
 * sums are still within the bound; references are made in another process. */
SPOILS(rounds_up)
{
    fesetround(FE_UPWARD);
#if defined(__SSE__)
    _mm_setcsr(_mm_getcsr() | 0x8040); /* flush to zero, denormals are zero */
#endif
}

/* Changes what a process has for itself - its folder, its environment, the limits
 * on its files and descriptors. */
PLUGIN_WITH(changes_surroundings, step, struct orr_job *job)
{
    struct rlimit files, descriptors;
    if (chdir("/") || clearenv() || getrlimit(RLIMIT_FSIZE, &files) ||
        getrlimit(RLIMIT_NOFILE, &descriptors))
        return ORR_FAIL(job, ORR_EIO, "nothing can be changed");
    umask(0777);
    files.rlim_cur = 0;
    descriptors.rlim_cur = 64;
    if (setrlimit(RLIMIT_FSIZE, &files) || setrlimit(RLIMIT_NOFILE, &descriptors))
        return ORR_FAIL(job, ORR_EIO, "no limit can be set");
    return sums_step(job);
}

/* Computes right forces, but leaves a child that writes to where the results were, also while
 * the next variant runs. */
static float *column;
static size_t bodies;

static int leaves_child_fetch(struct orr_job *job, struct orr_forces *out)
{
    column = out->acc[0];
    bodies = job->bodies->n;
    return sums_fetch(job, out);
}

static void leaves_child_release(struct orr_job *job)
{
    if (column && fork() == 0)
        for (;;)
            for (size_t i = 0; i < bodies; i++)
                ((volatile float *)column)[i] = NAN;
    sums_release(job);
}

PLUGIN(leaves_child, .fetch = leaves_child_fetch, .release = leaves_child_release);

/* Computes right forces, but leaves a daemon behind: a session of its own, deaf to signals. It
 * makes the file TEST_DAEMON. */
SPOILS(leaves_daemon)
{
    if (s->steps > 1)
        return;
    leave_daemon();
    const char *file = getenv("TEST_DAEMON");
    if (file)
        close(open(file, O_WRONLY | O_CREAT, 0600));
}

/* Its process is killed from outside, as the system does when memory runs out. */
SPOILS(killed)
{
    raise(SIGKILL);
}

/* Right in the first process that steps, which makes the file TEST_FIRST; another one that finds
 * it there dies, or is wrong with TEST_WRONG. */
SPOILS(counted_apart)
{
    static bool first;
    const char *file = getenv("TEST_FIRST");
    if (!file || first)
        return;
    int fd = open(file, O_WRONLY | O_CREAT | O_EXCL, 0600);
    first = fd >= 0;
    if (first)
        close(fd);
    else if (getenv("TEST_WRONG"))
        s->result[0] *= 2;
    else
        raise(SIGSEGV);
}

/* Right forces on the host, as late as ORRERY_TEST_SLOW says, without the sleep of the others,
 * which takes longer than a short step. */
PLUGIN_WITH(slowed, step, struct orr_job *job)
{
    const struct state *s = job->state;
    double start = now();
    for (size_t i = 0; i < job->bodies->n; i++)
        sums_one(job->bodies, job->params, i, s->result + 4 * i);
    slow_down(start);
    return 0;
}
