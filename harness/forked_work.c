#include "forked_work.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "error.h"
#include "process.h"

struct orr_forked_state {
    atomic_size_t next, done;
    atomic_int code; /* of the first failure */
    char why[1024];
};

static void do_pieces(const struct orr_forked_work *work)
{
    struct orr_forked_state *shared = work->shared;
    for (size_t k; !shared->code && (k = shared->next++) < work->count; shared->done++) {
        int none = 0, code = work->work(k, work->context);
        if (code && atomic_compare_exchange_strong(&shared->code, &none, code))
            snprintf(shared->why, sizeof shared->why, "%s", orr_error_text());
    }
}

int orr_forked_work_start(struct orr_forked_work *out, size_t count,
                          int (*work)(size_t k, void *context), void *context)
{
    enum { MOST = sizeof out->workers / sizeof *out->workers };
    cpu_set_t cores;
    *out = (struct orr_forked_work){.count = count, .work = work, .context = context};
    out->shared =
        mmap(NULL, sizeof *out->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (out->shared == MAP_FAILED) {
        out->shared = NULL;
        return orr_fail(ORR_EMEMORY, "no shared memory: %s", strerror(errno));
    }
    int wanted = sched_getaffinity(0, sizeof cores, &cores) ? 1 : CPU_COUNT(&cores);
    fflush(NULL); /* else each worker writes what waits here, too */
    while (out->worker_count < wanted && out->worker_count < MOST) {
        pid_t child = orr_process_fork();
        if (child == 0) {
            do_pieces(out);
            _exit(0);
        }
        if (child < 0)
            break;
        out->workers[out->worker_count++] = child;
    }
    return 0;
}

int orr_forked_work_end(struct orr_forked_work *work, void (*at)(size_t done, void *context))
{
    struct orr_forked_state *shared = work->shared;
    if (!shared)
        return 0;
    int crashed = 0;
    for (int w = 0, status; w < work->worker_count; w++) {
        while (!orr_process_wait(work->workers[w], 0.2))
            at(shared->done, work->context);
        orr_process_reap(work->workers[w], &status);
        crashed = crashed ? crashed : status;
    }
    if (!work->worker_count)
        do_pieces(work);
    int code = shared->code;
    if (code)
        code = orr_fail(code, "%s", shared->why);
    else if (crashed)
        code = orr_fail(ORR_EINTERNAL, "a process that shared the work crashed: %s",
                        WIFSIGNALED(crashed) ? strsignal(WTERMSIG(crashed)) : "it ended early");
    munmap(shared, sizeof *shared);
    work->shared = NULL;
    return code;
}
