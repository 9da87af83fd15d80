/* What a plugin can change of its process is noticed. */
#include <fenv.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "run/worker.h"
#include "tests/cases.h"

static void change_folder(void)
{
    if (chdir("/"))
        _exit(2);
}

static void clear_environment(void)
{
    clearenv();
}

static void set_a_variable(void)
{
    setenv("OMP_NUM_THREADS", "1", 1);
}

static void lower_a_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit))
        _exit(2);
    limit.rlim_cur = 16;
    if (setrlimit(RLIMIT_NOFILE, &limit))
        _exit(2);
}

static void change_umask(void)
{
    umask(0777);
}

static void block_signals(void)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
}

static void round_up(void)
{
    fesetround(FE_UPWARD);
}

static void flush_to_zero(void)
{
#if defined(__SSE__)
    _mm_setcsr(_mm_getcsr() | 0x8000);
#else
    fesetround(FE_UPWARD);
#endif
}

/* Inexact results set flags of the processor. */
static void compute(void)
{
    volatile double x = 1.0 / 3.0;
    x = sqrt(x) * 1e300 * 1e300;
}

/* In a child: a test must not change its own process. */
static int notices(void (*change)(void))
{
    int status = -1;
    pid_t child = fork();
    if (!child) {
        struct orr_process_state before;
        orr_worker_state_take(&before);
        change();
        _exit(orr_worker_state_changed(&before) != NULL);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(changes_are_noticed)
{
    void (*const changes[])(void) = {change_folder, clear_environment, set_a_variable,
                                     lower_a_limit, change_umask,      block_signals,
                                     round_up,      flush_to_zero};
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++)
        if (notices(changes[k]) != 1)
            fail_msg("change %zu is not noticed", k);
}

TEST(computing_changes_nothing)
{
    assert_int_equal(notices(compute), 0);
}

RUN_TESTS(NULL, NULL)
