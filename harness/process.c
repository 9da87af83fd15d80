/* SPDX-License-Identifier: MIT */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "error.h"
#include "json_member.h"
#include "text.h"

/* A process stuck in a driver may not die at once; it is abandoned after this. */
static const double BURIAL_S = 10, ORPHANS_S = 2;

/* --- what this process started --- */

enum { MOST_OWN = 64 };
static volatile pid_t own[MOST_OWN];
static char children_file[64]; /* the kernel's list of the children that this process adopts */

static bool is_own(pid_t pid)
{
    for (int k = 0; k < MOST_OWN; k++)
        if (own[k] == pid)
            return true;
    return false;
}

static void replace_own(pid_t pid, pid_t by)
{
    for (int k = 0; k < MOST_OWN; k++)
        if (own[k] == pid) {
            own[k] = by;
            return;
        }
}

/* --- orphans --- */

static void kill_one(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, WNOHANG);
}

/* Kills adopted children, with `all` also those started here; returns how many there were. Only
 * async-signal-safe calls. */
static int kill_children(bool all)
{
    char text[1024];
    ssize_t size;
    int count = 0, fd = open(children_file, O_RDONLY | O_CLOEXEC);
    pid_t pid = 0;
    while (fd >= 0 && (size = read(fd, text, sizeof text)) > 0)
        for (ssize_t k = 0; k < size; k++) {
            if (text[k] >= '0' && text[k] <= '9') {
                pid = 10 * pid + text[k] - '0';
            } else if (pid > 0) {
                if (all || !is_own(pid)) {
                    kill_one(pid);
                    count++;
                }
                pid = 0;
            }
        }
    if (fd >= 0)
        close(fd);
    return count;
}

/* The death of one may hand over its children: until there are none. */
void orr_process_end_orphans(bool all)
{
    for (double waited = 0; kill_children(all) > 0 && waited < ORPHANS_S; waited += 1e-3)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

char *orr_process_last_words(int log, char *out, size_t size)
{
    char tail[512] = "";
    const off_t end = lseek(log, 0, SEEK_END), most = (off_t)sizeof tail - 1;
    ssize_t count = end > 0 ? pread(log, tail, (size_t)most, end < most ? 0 : end - most) : 0;
    while (count > 0 && (unsigned char)tail[count - 1] <= ' ')
        tail[--count] = '\0';
    const char *newline = strrchr(tail, '\n');
    snprintf(out, size, "%.200s", newline ? newline + 1 : tail);
    return orr_text_tame(out);
}

/* --- the death of the parent --- */

static int signal_of_parents_death(void)
{
    return SIGRTMAX - 1;
}

static void follow_parent(int number)
{
    (void)number;
    orr_process_end_orphans(true);
    _exit(127);
}

/* SIGKILL, which the kernel sends when the parent dies, would let orphans go. */
static void prepare(void)
{
    static pid_t prepared; /* a forked process is another one */
    int signal_now = 0;
    if (prepared == getpid())
        return;
    prepared = getpid();
    for (int k = 0; k < MOST_OWN; k++)
        own[k] = 0;
    snprintf(children_file, sizeof children_file, "/proc/self/task/%d/children", (int)prepared);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (prctl(PR_GET_PDEATHSIG, &signal_now) || signal_now != SIGKILL)
        return;
    sigset_t unblocked;
    sigemptyset(&unblocked);
    sigaddset(&unblocked, signal_of_parents_death());
    sigaction(signal_of_parents_death(), &(struct sigaction){.sa_handler = follow_parent}, NULL);
    sigprocmask(SIG_UNBLOCK, &unblocked, NULL);
    prctl(PR_SET_PDEATHSIG, signal_of_parents_death());
}

/* --- children --- */

pid_t orr_process_fork(void)
{
    prepare();
    sigset_t death, before;
    sigemptyset(&death);
    sigaddset(&death, signal_of_parents_death());
    sigprocmask(SIG_BLOCK, &death, &before);
    pid_t parent = getpid(), child = fork();
    if (child > 0)
        replace_own(0, child);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(127);
        setsid();
        signal(signal_of_parents_death(), SIG_DFL);
    }
    int error = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return child;
}

int orr_process_watch(pid_t child)
{
    return (int)syscall(SYS_pidfd_open, child, 0);
}

static bool has_ended(pid_t child)
{
    siginfo_t info = {0};
    int failed = waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT);
    return failed ? errno != EINTR : info.si_pid == child;
}

bool orr_process_wait(pid_t child, double limit_s)
{
    double deadline = orr_clock_now() + limit_s;
    struct pollfd ended = {.fd = orr_process_watch(child), .events = POLLIN};
    bool has, late = false;
    while (!(has = has_ended(child)) && !late) {
        int left_ms = (int)ceil(1e3 * fmin(fmax(0, deadline - orr_clock_now()), 1));
        poll(&ended, 1, ended.fd >= 0 || left_ms < 2 ? left_ms : 2);
        late = orr_clock_now() >= deadline;
    }
    if (ended.fd >= 0)
        close(ended.fd);
    return has || has_ended(child);
}

bool orr_process_reap(pid_t child, int *status)
{
    *status = 0;
    if (!has_ended(child))
        kill(child, SIGKILL);
    bool ended = orr_process_wait(child, BURIAL_S);
    /* As long as nobody has waited for the child, the number of its group is not another's. */
    kill(-child, SIGKILL);
    if (ended && waitpid(child, status, 0) != child)
        ended = false;
    replace_own(child, 0);
    orr_process_end_orphans(false);
    return ended;
}

/* --- work that may crash or hang --- */

enum { PASSED = STDERR_FILENO + 1, OTHER };

/* In the child: what is probed has no output, no core dump, and nothing that the parent has open
 * but these two, which it is left as the first behind stderr; `other` may be -1. */
static void become_probe(int passed, int other)
{
    static const int fatal[] = {SIGSEGV, SIGBUS,  SIGABRT, SIGFPE, SIGILL,
                                SIGALRM, SIGPIPE, SIGINT,  SIGTERM};
    const int nothing = open("/dev/null", O_RDWR), kept = fcntl(passed, F_DUPFD, OTHER + 1),
              socket = fcntl(other, F_DUPFD, OTHER + 1);
    for (size_t k = 0; k < sizeof fatal / sizeof *fatal; k++)
        signal(fatal[k], SIG_DFL);
    for (int to = STDIN_FILENO; nothing >= 0 && to <= STDERR_FILENO; to++)
        dup2(nothing, to);
    dup2(kept, PASSED);
    dup2(socket, OTHER);
    close_range(socket < 0 ? OTHER : OTHER + 1, ~0U, 0);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
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

/* Answers into the file, at once or whenever the socket, unless it is -1, asks. */
static _Noreturn void serve(int file, int socket, int (*work)(json_t **, void *), void *context)
{
    char question = '?';
    become_probe(file, socket);
    while (socket < 0 || recv(OTHER, &question, 1, 0) == 1) {
        json_t *answer = answer_of(work, context);
        if (!answer || ftruncate(PASSED, 0) || lseek(PASSED, 0, SEEK_SET) ||
            json_dumpfd(answer, PASSED, JSON_COMPACT))
            _exit(1);
        json_decref(answer);
        if (socket < 0 || send(OTHER, &question, 1, 0) != 1)
            break;
    }
    _exit(0);
}

static int describe_end(int status)
{
    if (WIFSIGNALED(status))
        return orr_fail(ORR_EINTERNAL, "crashed: %s", strsignal(WTERMSIG(status)));
    return orr_fail(ORR_EINTERNAL, "ended the process with status %d", WEXITSTATUS(status));
}

/* What is in the file, if the child has not ended with a `status`. */
static int take_answer(json_t **out, int file, int status)
{
    lseek(file, 0, SEEK_SET);
    json_auto_t *answer = status ? NULL : json_loadfd(file, 0, NULL);
    const char *text = orr_json_text(answer, "text");
    const int code = (int)orr_json_integer(answer, "code");
    *out = json_incref(json_object_get(answer, "ok"));
    return *out ? 0 : text && code ? orr_fail(code, "%s", text) : describe_end(status);
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
    if (!probe->child)
        return 0;
    const bool ended = out && orr_probe_wait(probe, seconds),
               interrupted = !ended && is_interrupted(),
               gone = orr_process_reap(probe->child, &status);
    if (out)
        *out = NULL;
    if (out && interrupted)
        code = orr_fail(ORR_EINTERRUPTED, "interrupted");
    else if (out && !ended)
        code = orr_fail(ORR_ETIMEOUT, "did not finish within %g s%s", seconds,
                        gone ? "" : ", and cannot be ended");
    else if (out)
        code = take_answer(out, probe->answer, status);
    close(probe->answer);
    close(probe->socket);
    *probe = (struct orr_probe){0};
    return code;
}

int orr_probe_start(struct orr_probe *out, bool stays, int (*work)(json_t **out, void *context),
                    void *context)
{
    int ends[2] = {-1, -1}, code = 0;
    *out = (struct orr_probe){0};
    if (stays && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        return orr_fail(ORR_EIO, "cannot make a socket: %s", strerror(errno));
    const double began = orr_clock_now();
    const int answer = memfd_create("orrery-probe", MFD_CLOEXEC);
    const pid_t child = answer < 0 ? -1 : orr_process_fork();
    if (child == 0)
        serve(answer, ends[1], work, context);
    if (answer < 0)
        code = orr_fail(ORR_EIO, "cannot make a memory file: %s", strerror(errno));
    else if (child < 0)
        code = orr_fail(ORR_EMEMORY, "cannot start a process: %s", strerror(errno));
    close(ends[1]);
    if (!code)
        *out = (struct orr_probe){child, answer, ends[0], began};
    else
        close(answer), close(ends[0]);
    return code;
}

int orr_forked_probe(json_t **out, int (*work)(json_t **out, void *context), void *context,
                     double seconds)
{
    struct orr_probe probe;
    *out = NULL;
    int code = orr_probe_start(&probe, false, work, context);
    return code ? code : orr_probe_end(&probe, out, seconds);
}

int orr_probe_ask(struct orr_probe *probe, json_t **out, double seconds)
{
    char question = '?';
    struct pollfd answered = {.fd = probe->socket, .events = POLLIN};
    *out = NULL;
    if (probe->child && send(probe->socket, &question, 1, MSG_NOSIGNAL) == 1 &&
        poll(&answered, 1, (int)(1e3 * seconds)) == 1 && recv(probe->socket, &question, 1, 0) == 1)
        return take_answer(out, probe->answer, 0);
    orr_probe_end(probe, NULL, 0);
    return orr_fail(ORR_EINTERNAL, "crashed, or did not answer within %g s", seconds);
}

double orr_forked_probe_limit(double otherwise)
{
    const char *text = getenv("ORRERY_LOAD_SECONDS");
    double given = text ? atof(text) : 0;
    return given > 0 ? given : otherwise;
}
