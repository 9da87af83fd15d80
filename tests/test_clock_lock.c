/* Locked clocks are set free again, whatever becomes of who locked them; by the NVML of
 * tests/drivers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "device/gpu.h"
#include "error.h"
#include "measure/clock_lock.h"
#include "process.h"
#include "tests/error_for_tests.h"
#include "tests/nvml_for_tests.h"

static struct fake_nvml *nvml;
static const struct orr_device_info host = {.id = "host", .backend = "host"},
                                    gpu = {.id = "cuda:0", .backend = "cuda", .pci = FAKE_NVML_PCI};

/* What was done to the clocks since the log was opened. */
static const char *done(void)
{
    static char text[256];
    ssize_t size = pread(nvml->log, text, sizeof text - 1, 0);
    text[size > 0 ? size : 0] = '\0';
    return text;
}

static int open_log(void **state)
{
    (void)state;
    nvml->refusal = 0;
    nvml->log = memfd_create("clocks", 0);
    return nvml->log > 0 ? 0 : -1;
}

static int close_log(void **state)
{
    (void)state;
    close(nvml->log);
    return 0;
}

static void clocks_are_locked_and_reset(void **state)
{
    (void)state;
    const struct orr_device_info both[] = {host, gpu};
    struct orr_clock_lock lock;
    assert_int_equal(orr_clock_lock_take(&lock, both, 2, 1500), 0);
    assert_string_equal(done(), "lock 1500 1500\n");
    orr_clock_lock_release(&lock);
    assert_string_equal(done(), "lock 1500 1500\nlock 0 0\n");
    orr_clock_lock_release(&lock);
    assert_int_equal(orr_clock_lock_take(&lock, &gpu, 1, 0), 0);
    orr_clock_lock_release(&lock);
    assert_string_equal(done() + 24, "lock 4294967041 4294967041\nlock 0 0\n"); /* the base */
}

static void refusals_say_what_to_do(void **state)
{
    (void)state;
    struct orr_clock_lock lock;
    const struct orr_device_info two[] = {gpu, gpu};
    nvml->refusal = 4;
    assert_int_equal(orr_clock_lock_take(&lock, &gpu, 1, 0), ORR_EUNSUPPORTED);
    assert_says("the clocks of cuda:0 cannot be locked (NVML error 4): that needs root");
    nvml->refusal = 3;
    assert_int_equal(orr_clock_lock_take(&lock, two, 2, 0), ORR_EUNSUPPORTED);
    assert_says("does not support it; leave out --lock-clocks");
    assert_int_equal(orr_clock_lock_take(&lock, &host, 1, 0), ORR_EUNSUPPORTED);
    assert_says("NVML knows none of the run's devices");
    assert_string_equal(done(), "");
    orr_clock_lock_release(&lock);
}

/* A process that dies in the middle of a run, without a word. */
static void a_crash_sets_them_free(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        struct orr_clock_lock lock;
        if (orr_clock_lock_take(&lock, &gpu, 1, 900))
            _exit(1);
        raise(SIGKILL);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    for (int k = 0; k < 1000 && !strstr(done(), "lock 0 0"); k++)
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    assert_string_equal(done(), "lock 900 900\nlock 0 0\n");
}

/* The end of another child, with all that it left, is not the keeper's. */
static void other_children_end_without_it(void **state)
{
    (void)state;
    struct orr_clock_lock lock;
    int status;
    assert_int_equal(orr_clock_lock_take(&lock, &gpu, 1, 900), 0);
    pid_t other = orr_process_fork();
    if (other == 0)
        _exit(0);
    orr_process_reap(other, &status);
    orr_process_end_orphans();
    assert_string_equal(done(), "lock 900 900\n");
    assert_int_equal(kill(lock.keeper, 0), 0);
    orr_clock_lock_release(&lock);
    assert_string_equal(done(), "lock 900 900\nlock 0 0\n");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_log, close_log)
    const struct CMUnitTest tests[] = {TEST(clocks_are_locked_and_reset),
                                       TEST(refusals_say_what_to_do), TEST(a_crash_sets_them_free),
                                       TEST(other_children_end_without_it)};
    nvml = use_fake_nvml();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
