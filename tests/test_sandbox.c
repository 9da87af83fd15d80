/* SPDX-License-Identifier: MIT */
/* The sandbox: it is refused where the system lacks a part of it, and holds what it promises. */
#include "tests/cases.h"
#include "home_for_tests.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "plugin/plugin.h"
#include "sandbox.h"

enum { LANDLOCK_CREATE_RULESET = 444, CLONE3 = 435, OPENAT2 = 437, IO_URING_SETUP = 425 };
enum { HELD = 0, NO_LANDLOCK = 255 }; /* how a child ends; otherwise by the line of its complaint */
#define HOLD(condition)      \
    do {                     \
        if (!(condition))    \
            _exit(__LINE__); \
    } while (0)

/* Runs it in a child, which may shut itself in. */
static int in_child(void (*test)(void))
{
    int status = -1;
    pid_t child = fork();
    if (!child) {
        setenv("ORRERY_SANDBOX", "1", 1);
        test();
        _exit(HELD);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void assert_held(int end)
{
    if (end == NO_LANDLOCK) {
        print_message("skipped: this kernel has no Landlock\n");
        skip();
    }
    assert_int_equal(end, HELD);
}

/* From here on this system call fails, as on a system that lacks it, and so does the older way to
 * ask for a filter. */
static void take_away(int call)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_SECCOMP, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program))
        _exit(NO_LANDLOCK);
}

static bool says(const char *text)
{
    return strstr(orr_error_text(), text) != NULL;
}

static void enter(void)
{
    if (orr_sandbox_enter())
        _exit(says("no Landlock") ? NO_LANDLOCK : __LINE__);
}

static void without_landlock(void)
{
    take_away(LANDLOCK_CREATE_RULESET);
    HOLD(orr_sandbox_enter() == ORR_EUNSUPPORTED);
    HOLD(says("no sandbox: this kernel has no Landlock"));
    HOLD(!orr_sandbox_holds());
}

static void without_seccomp(void)
{
    take_away(SYS_seccomp);
    HOLD(orr_sandbox_enter() == ORR_EUNSUPPORTED);
    HOLD(says("no sandbox: seccomp: Function not implemented") || says("no Landlock"));
    HOLD(!orr_sandbox_holds());
}

static void *sleep_long(void *nothing)
{
    pause();
    return nothing;
}

static void with_a_thread(void)
{
    pthread_t thread;
    HOLD(!pthread_create(&thread, NULL, sleep_long, NULL));
    HOLD(orr_sandbox_enter() == ORR_EUNSUPPORTED);
    HOLD(says("no sandbox: a thread was started before it"));
}

static void the_command_learns(void)
{
    take_away(LANDLOCK_CREATE_RULESET);
    HOLD(orr_sandbox_open() == ORR_EUNSUPPORTED);
    HOLD(says("no sandbox: this kernel has no Landlock"));
    HOLD(!getenv("ORRERY_SANDBOX_FOLDER"));
}

static void load_outside(void)
{
    struct orr_plugin plugin;
    HOLD(orr_plugin_load(&plugin, "plugins/good") == ORR_EINTERNAL);
    HOLD(says("would be loaded outside the sandbox"));
}

static void load_inside(void)
{
    struct orr_plugin plugin;
    enter();
    HOLD(orr_plugin_load(&plugin, "plugins/good") == 0);
}

TEST(is_refused)
{
    assert_int_equal(in_child(without_landlock), HELD);
    assert_int_equal(in_child(without_seccomp), HELD);
    assert_int_equal(in_child(with_a_thread), HELD);
    assert_int_equal(in_child(the_command_learns), HELD);
}

TEST(plugins_are_loaded_inside_only)
{
    assert_int_equal(in_child(load_outside), HELD);
    assert_held(in_child(load_inside));
}

#define REFUSED(error, ...) HOLD(syscall(__VA_ARGS__) == -1 && errno == (error))

static void reach_for_calls(void)
{
    char byte = 0, path[] = "/proc/self/exe";
    int pair[2];
    enter();
    HOLD(orr_sandbox_holds());
    REFUSED(EPERM, SYS_socket, AF_INET, SOCK_DGRAM, 0);
    REFUSED(EPERM, SYS_socket, AF_UNIX, SOCK_RAW | SOCK_CLOEXEC, 0);
    REFUSED(EPERM, SYS_connect, 0, NULL, 0);
    REFUSED(EPERM, SYS_socketpair, AF_UNIX, SOCK_DGRAM, 0, pair);
    REFUSED(EPERM, SYS_kill, getppid(), 0);
    REFUSED(EPERM, SYS_kill, 0, 0);
    REFUSED(EPERM, SYS_kill, -1, 0);
    HOLD(!syscall(SYS_kill, getpid(), 0) && !pthread_kill(pthread_self(), 0));
    REFUSED(EPERM, SYS_fcntl, 0, F_SETOWN, getppid());
    REFUSED(EPERM, SYS_prlimit64, getppid(), 0, NULL, NULL);
    REFUSED(EPERM, SYS_ptrace, 0, 0, 0, 0);
    REFUSED(EPERM, SYS_process_vm_writev, getppid(), NULL, 0, NULL, 0, 0);
    REFUSED(EPERM, SYS_shmget, 1, 1, 0);
    REFUSED(EPERM, SYS_truncate, path, 0);
    REFUSED(EPERM, SYS_openat, AT_FDCWD, path, O_RDONLY | O_TRUNC);
    REFUSED(EPERM, SYS_fchmodat, AT_FDCWD, path, 0700);
    REFUSED(EPERM, SYS_fchownat, AT_FDCWD, path, 0, 0, 0);
    REFUSED(EPERM, SYS_setxattr, path, "user.a", &byte, 1, 0);
    REFUSED(EPERM, SYS_utimensat, AT_FDCWD, path, NULL, 0);
    REFUSED(EPERM, SYS_unshare, CLONE_NEWUSER);
    REFUSED(EPERM, SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, 0);
    REFUSED(EPERM, SYS_keyctl, 0, 0, 0, 0, 0);
    REFUSED(EPERM, SYS_bpf, 0, NULL, 0);
    REFUSED(ENOSYS, CLONE3, NULL, 0);
    REFUSED(ENOSYS, OPENAT2, AT_FDCWD, path, NULL, 0);
    REFUSED(ENOSYS, IO_URING_SETUP, 1, NULL);
}

TEST(calls_are_refused)
{
    assert_held(in_child(reach_for_calls));
}

int main(void)
{
    use_test_plugins();
    return run_all(NULL, NULL);
}
