#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"

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
static void end_orphans(bool all)
{
    for (double waited = 0; kill_children(all) > 0 && waited < ORPHANS_S; waited += 1e-3)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

void orr_process_end_orphans(void)
{
    end_orphans(false);
}

/* --- the death of the parent --- */

static int signal_of_parents_death(void)
{
    return SIGRTMAX - 1;
}

static void follow_parent(int number)
{
    (void)number;
    end_orphans(true);
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
    end_orphans(false);
    return ended;
}
