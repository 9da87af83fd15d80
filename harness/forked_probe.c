#include "forked_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "error.h"
#include "json_member.h"
#include "process.h"

static void silence(void)
{
    int nothing = open("/dev/null", O_RDWR);
    if (nothing >= 0) {
        dup2(nothing, STDIN_FILENO);
        dup2(nothing, STDOUT_FILENO);
        dup2(nothing, STDERR_FILENO);
    }
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

/* Nothing that the parent has open is lent to what is probed. */
static int close_others(int file)
{
    enum { KEPT = STDERR_FILENO + 1 };
    if (dup2(file, KEPT) < 0)
        return file;
    close_range(KEPT + 1, ~0U, 0);
    return KEPT;
}

/* In the child. Returns the descriptor that is left to it. */
static int become_probe(int lent)
{
    static const int fatal[] = {SIGSEGV, SIGBUS,  SIGABRT, SIGFPE, SIGILL,
                                SIGALRM, SIGPIPE, SIGINT,  SIGTERM};
    for (size_t k = 0; k < sizeof fatal / sizeof *fatal; k++)
        signal(fatal[k], SIG_DFL);
    silence();
    return close_others(lent);
}

/* {"ok": result} or {"code": ..., "text": ...} */
static json_t *answer_of(int (*work)(json_t **, void *), void *context)
{
    json_t *result = NULL;
    orr_error_clear();
    int code = work(&result, context);
    return code ? json_pack("{s:i, s:s}", "code", code, "text", orr_error_text())
                : json_pack("{s:o}", "ok", result);
}

static _Noreturn void serve(int to, int (*work)(json_t **, void *), void *context)
{
    to = become_probe(to);
    json_t *answer = answer_of(work, context);
    _exit(answer && json_dumpfd(answer, to, JSON_COMPACT) == 0 ? 0 : 1);
}

static int describe_end(int status)
{
    if (WIFSIGNALED(status))
        return orr_fail(ORR_EINTERNAL, "crashed: %s", strsignal(WTERMSIG(status)));
    return orr_fail(ORR_EINTERNAL, "ended the process with status %d", WEXITSTATUS(status));
}

/* Takes the reference; without an answer the child ended with `status`. */
static int take_answer(json_t **out, json_t *answer, int status)
{
    json_t *result = json_object_get(answer, "ok");
    const char *text = orr_json_text(answer, "text");
    int code = 0;
    if (result)
        *out = json_incref(result);
    else if (text && (code = (int)orr_json_integer(answer, "code")))
        code = orr_fail(code, "%s", text);
    else
        code = describe_end(status);
    json_decref(answer);
    return code;
}

/* A signal that is blocked here, since it ends the run in good order, waits. */
static bool is_interrupted(void)
{
    sigset_t waiting;
    return !sigpending(&waiting) &&
           (sigismember(&waiting, SIGINT) || sigismember(&waiting, SIGTERM) ||
            sigismember(&waiting, SIGHUP));
}

bool orr_probe_wait(const struct orr_probe *probe, double seconds)
{
    double left = seconds;
    bool ended;
    while (!(ended = orr_process_wait(probe->child, fmin(left, 0.1))) && !is_interrupted() &&
           left > 0)
        left = fmax(0, probe->began + seconds - orr_clock_now());
    return ended;
}

int orr_probe_end(struct orr_probe *probe, json_t **out, double seconds)
{
    int status, code = 0;
    const bool ended = orr_probe_wait(probe, seconds), interrupted = !ended && is_interrupted(),
               gone = orr_process_reap(probe->child, &status);
    *out = NULL;
    if (interrupted)
        code = orr_fail(ORR_EINTERRUPTED, "interrupted");
    else if (!ended)
        code = orr_fail(ORR_ETIMEOUT, "did not finish within %g s%s", seconds,
                        gone ? "" : ", and cannot be ended");
    lseek(probe->answer, 0, SEEK_SET);
    if (!code)
        code = take_answer(out, status ? NULL : json_loadfd(probe->answer, 0, NULL), status);
    close(probe->answer);
    return code;
}

int orr_probe_start(struct orr_probe *out, int (*work)(json_t **out, void *context), void *context)
{
    *out = (struct orr_probe){.answer = memfd_create("orrery-probe", MFD_CLOEXEC),
                              .began = orr_clock_now()};
    if (out->answer < 0)
        return orr_fail(ORR_EIO, "cannot make a memory file: %s", strerror(errno));
    out->child = orr_process_fork();
    if (out->child == 0)
        serve(out->answer, work, context);
    if (out->child > 0)
        return 0;
    orr_fail(ORR_EMEMORY, "cannot start a process: %s", strerror(errno));
    close(out->answer);
    return orr_error_code();
}

int orr_forked_probe(json_t **out, int (*work)(json_t **out, void *context), void *context,
                     double seconds)
{
    struct orr_probe probe;
    *out = NULL;
    int code = orr_probe_start(&probe, work, context);
    return code ? code : orr_probe_end(&probe, out, seconds);
}

/* --- one that stays --- */

enum { LONGEST_ANSWER = 1 << 16 };

static _Noreturn void serve_on(int socket, int (*work)(json_t **, void *), void *context)
{
    char question;
    socket = become_probe(socket);
    while (recv(socket, &question, 1, 0) == 1) {
        json_t *answer = answer_of(work, context);
        char *text = answer ? json_dumps(answer, JSON_COMPACT) : NULL;
        if (!text || send(socket, text, strlen(text), 0) < 0)
            _exit(1);
        free(text);
        json_decref(answer);
    }
    _exit(0);
}

int orr_kept_probe_start(struct orr_kept_probe *out, int (*work)(json_t **out, void *context),
                         void *context)
{
    int ends[2];
    *out = (struct orr_kept_probe){0};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        return orr_fail(ORR_EIO, "cannot make a socket: %s", strerror(errno));
    pid_t child = orr_process_fork();
    if (child == 0)
        serve_on(ends[1], work, context);
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return orr_fail(ORR_EMEMORY, "cannot start a process: %s", strerror(errno));
    }
    *out = (struct orr_kept_probe){.child = child, .socket = ends[0]};
    return 0;
}

int orr_kept_probe_ask(struct orr_kept_probe *probe, json_t **out, double seconds)
{
    static char text[LONGEST_ANSWER];
    struct pollfd answered = {.fd = probe->socket, .events = POLLIN};
    ssize_t length = -1;
    *out = NULL;
    if (probe->child && send(probe->socket, "?", 1, MSG_NOSIGNAL) == 1 &&
        poll(&answered, 1, (int)(1e3 * seconds)) == 1)
        length = recv(probe->socket, text, sizeof text, 0);
    if (length > 0)
        return take_answer(out, json_loadb(text, (size_t)length, 0, NULL), 0);
    orr_kept_probe_end(probe);
    return orr_fail(ORR_EINTERNAL, "crashed, or did not answer within %g s", seconds);
}

void orr_kept_probe_end(struct orr_kept_probe *probe)
{
    int status;
    if (!probe->child)
        return;
    close(probe->socket);
    orr_process_reap(probe->child, &status);
    *probe = (struct orr_kept_probe){0};
}

double orr_forked_probe_limit(double otherwise)
{
    const char *text = getenv("ORRERY_LOAD_SECONDS");
    double given = text ? atof(text) : 0;
    return given > 0 ? given : otherwise;
}

/* --- pieces of work --- */

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
