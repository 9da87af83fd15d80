/* SPDX-License-Identifier: MIT */
/* What others did beside a cell: processor time by a folder that stands for /proc, processes on the
 * GPU by the NVML of tests/drivers; and what share of the time a core was slow. */
#include <sched.h>
#include <sys/wait.h>
#include <sys/prctl.h>
#include <signal.h>

#include "clock.h"
#include "json_member.h"
#include "measure/system_state.h"
#include "tests/cases.h"
#include "tests/folder_for_tests.h"
#include "tests/nvml_for_tests.h"

static struct fake_nvml *nvml;
static int cpu; /* one that this process may use */

/* A process with a name that looks like fields. */
static void put_process(int pid, int parent, long own, long ended_children)
{
    put_file_at(
        filled("%d/stat", pid),
        filled("%d (a) S 1 (b) S %d 1 1 0 -1 4194304 9 9 9 9 %ld 3 %ld 1 20 0 1 0 5 100 100\n", pid,
               parent, own - 3, ended_children - 1));
}

/* Ticks of the core that this process may use, and of one that is not there; the line of all begins
 * with a number that reads like a core's. */
static void put_cores(long user, long system, long idle, long steal)
{
    put_file_at("stat", filled("cpu  %d 9 9 9 9 9 9 9 0 0\ncpu%d %ld 0 %ld %ld 7 0 0 %ld 5 0\n"
                               "cpu%d 90000 0 0 0 0 0 0 0 0 0\nintr 5\n",
                               cpu, cpu, user, system, idle, steal, CPU_SETSIZE + 5));
}

static int make_proc(void **state)
{
    cpu_set_t usable;
    if (make_folder(state) || sched_getaffinity(0, sizeof usable, &usable))
        return -1;
    while (!CPU_ISSET(cpu, &usable))
        cpu++;
    return 0;
}

static struct orr_system_state_of here(void)
{
    return (struct orr_system_state_of){
        .proc = folder, .root = getpid(), .pci = "", .on_cores = true};
}

static double hz(void)
{
    return (double)sysconf(_SC_CLK_TCK);
}

/* The run's tree: the root, its child, and that one's; 7 is nobody's of these. */
TEST(own_processes_are_told_from_others)
{
    struct orr_system_state begun;
    const struct orr_system_state_of of = here();
    int root = getpid();
    put_cores(1000, 200, 5000, 50);
    put_process(root, 1, 100, 10);
    put_process(root + 2, root + 1, 400, 40);
    put_process(root + 1, root, 200, 20);
    put_process(7, 1, 9000, 0);
    put_file_at("not-a-process", "");
    orr_system_state_begin(&begun, &of);
    assert_true(begun.cpu.known);
    assert_int_equal(begun.cpu.cpus, 1);
    assert_true(fabs(begun.cpu.all_s - 1250 / hz()) < 1e-9);
    assert_true(fabs(begun.cpu.own_s - 770 / hz()) < 1e-9);
}

TEST(a_kernel_that_does_not_count_is_not_believed)
{
    struct orr_system_state begun;
    const struct orr_system_state_of of = here();
    put_file_at("stat", filled("cpu%d 0 0 0 0 0 0 0 0 0 0\n", cpu));
    orr_system_state_begin(&begun, &of);
    assert_false(begun.cpu.known);
}

/* Begins, lets the fake clock of the core go on by these ticks, ends. */
static json_t *go_on(char *beside, size_t size, long own, long others)
{
    struct orr_system_state around;
    const struct orr_system_state_of of = here();
    put_cores(1000, 0, 5000, 0);
    put_process(getpid(), 1, 500, 10);
    put_file_at("loadavg", "1.25 1.00 0.90 1/100 1234\n");
    orr_system_state_begin(&around, &of);
    around.since = orr_clock_now() - 10;
    put_cores(1000 + own + others / 2, 0, 5000, others - others / 2);
    put_process(getpid(), 1, 500 + own, 10);
    return orr_system_state_end(&around, beside, size);
}

TEST(others_mark_a_cell_and_its_own_work_does_not)
{
    char beside[160];
    long second = sysconf(_SC_CLK_TCK);
    json_auto_t *quiet = go_on(beside, sizeof beside, 10 * second, second / 2);
    assert_string_equal(beside, "");
    assert_true(orr_json_number(quiet, "load") == 1.25);
    assert_true(fabs(orr_json_number(quiet, "others_cores") - 0.05) < 1e-3);
    json_auto_t *busy = go_on(beside, sizeof beside, second, 5 * second);
    assert_string_equal(beside, "others used 0.5 of 1 core");
    assert_int_equal(orr_json_integer(busy, "cpus"), 1);
}

/* Whether others that use so many cores for an hour mark a cell. */
static bool marks(int cpus, bool on_cores, double cores)
{
    enum { SECONDS = 3600 };
    char beside[160];
    const struct orr_system_state begun = {
        .of = {.proc = folder, .root = getpid(), .pci = "", .on_cores = on_cores},
        .since = orr_clock_now() - SECONDS,
        .cpu = {.known = true, .cpus = cpus}};
    FILE *stat = fopen(filled("%s/stat", folder), "w");
    for (int k = 0; k < cpus; k++)
        fprintf(stat, "cpu%d %.0f 0 0 1 0 0 0 0 0 0\n", cpu, k ? 0 : cores * SECONDS * hz());
    fclose(stat);
    put_process(getpid(), 1, 10, 10);
    json_decref(orr_system_state_end(&begun, beside, sizeof beside));
    return *beside != '\0';
}

TEST(a_gpu_cell_needs_two_cores_left)
{
    static const struct {
        int cpus;
        bool on_cores;
        double limit;
    } cases[] = {{16, false, 14}, {2, false, 0.1}, {2, true, 0.1}, {128, true, 0.64}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_false(marks(cases[k].cpus, cases[k].on_cores, 0.99 * cases[k].limit));
        assert_true(marks(cases[k].cpus, cases[k].on_cores, 1.02 * cases[k].limit));
    }
}

static void on_gpu(char *beside, size_t size, json_t **out)
{
    struct orr_system_state around;
    static const char *const spelt[] = {"00000000:1b:00.0", "00000000:1B:00.0"};
    static int
        times; /* another address is asked for by another process, which knows what is said */
    struct orr_system_state_of of = here();
    of.pci = spelt[times++ % 2];
    of.on_cores = false;
    put_file_at("stat", "");
    put_process(getpid(), 1, 500, 10);
    put_process(getpid() + 1, getpid(), 1, 1);
    put_process(7, 1, 1, 1);
    orr_system_state_begin(&around, &of);
    *out = orr_system_state_end(&around, beside, size);
}

TEST(other_processes_on_the_gpu_mark_a_cell)
{
    char beside[160];
    json_auto_t *found;
    const struct orr_nvml_process worker = {.pid = (unsigned)getpid() + 1, .bytes = 1U << 30},
                                  other = {.pid = 7, .bytes = 420U << 20},
                                  unknown = {.pid = 999999, .bytes = 1U << 20};
    nvml->processes[0] = worker;
    nvml->process_count = 1;
    on_gpu(beside, sizeof beside, &found);
    assert_string_equal(beside, "");
    assert_done(json_integer_value(json_array_get(json_object_get(found, "gpu_processes"), 0)));
    json_decref(found);
    nvml->processes[1] = other;
    nvml->process_count = 2;
    on_gpu(beside, sizeof beside, &found);
    assert_string_equal(beside, "1 other process on the GPU, 420 MiB");
    json_decref(found);
    /* In a container the worker has another number. */
    nvml->processes[0] = unknown;
    nvml->process_count = 1;
    on_gpu(beside, sizeof beside, &found);
    assert_string_equal(beside, "");
    assert_non_null(json_object_get(found, "gpu_processes"));
    json_decref(found);
    nvml->process_count = 0;
    on_gpu(beside, sizeof beside, &found);
    assert_null(json_object_get(found, "gpu_processes"));
}

/* --- what share of the time a core was slow --- */

static double slow_of(size_t count, double seconds[])
{
    return orr_system_state_slow(seconds, count);
}
#define SLOW(...) slow_of(sizeof(double[]){__VA_ARGS__} / sizeof(double), (double[]){__VA_ARGS__})

TEST(a_steady_core_is_never_slow)
{
    assert_true(orr_system_state_slow(NULL, 0) == 0);
    assert_true(SLOW(3) == 0);
    assert_true(SLOW(1, 1, 1, 1) == 0);
    assert_true(SLOW(1, 1.2, 1.1, 1.24) == 0);
}

TEST(half_speed_counts_by_its_time)
{
    assert_true(SLOW(1, 2) == 2.0 / 3);
    assert_true(SLOW(2, 1, 1, 2, 1, 1) == 0.5);
}

TEST(a_single_quick_pass_says_nothing_of_the_others)
{
    assert_true(SLOW(0.5, 1, 1, 1, 1, 1) == 0);
}

/* Two threads on one core hold it in turns, whatever else the machine does. */
TEST(a_busy_loop_on_the_same_core_is_found)
{
    cpu_set_t before, one;
    CPU_ZERO(&one);
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_SET(sched_getcpu(), &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    const pid_t busy = fork();
    assert_true(busy >= 0);
    if (!busy) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (volatile unsigned spins = 0;; spins++)
            ;
    }
    const double slow = orr_system_state_unsteadiness();
    kill(busy, SIGKILL);
    waitpid(busy, NULL, 0);
    sched_setaffinity(0, sizeof before, &before);
    assert_true(slow > 0.1 && slow < 1);
}

int main(void)
{
    nvml = use_fake_nvml();
    return run_all(make_proc, remove_folder);
}
