/* SPDX-License-Identifier: MIT */
/* Locks of devices: who shares one, who waits, and what strangers may have put in their place. */
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "json_member.h"
#include "measure/device_lock.h"
#include "tests/cases.h"
#include "tests/folder_for_tests.h"

static const struct orr_device_info
    host = {.id = "host", .kind = ORR_DEVICE_HOST},
    pocl = {.id = "opencl:0.0", .kind = ORR_DEVICE_CPU},
    cuda = {.id = "cuda:0", .kind = ORR_DEVICE_GPU, .uuid = "GPU-00"},
    same = {.id = "opencl:1.0", .kind = ORR_DEVICE_GPU, .uuid = "GPU-00"},
    other = {.id = "opencl:1.1", .kind = ORR_DEVICE_GPU, .pci = "00000000:c3:00.0"},
    /* It tells neither, and is the first device whatever else is installed. */
    nameless = {.id = "opencl:0.0", .kind = ORR_DEVICE_GPU, .name = "Mali-G78 r0"},
    moved = {.id = "opencl:1.0", .kind = ORR_DEVICE_GPU, .name = "Mali-G78 r0"};

static const char *what = "orrery run x/y"; /* the next to take a lock is doing */
static char told[1024];
static int told_times;

static void say(const char *text)
{
    snprintf(told, sizeof told, "%s", text);
    told_times++;
}

static int in_own_folder(void **state)
{
    what = "orrery run x/y";
    told[0] = '\0';
    told_times = 0;
    orr_error_clear();
    if (make_folder(state))
        return -1;
    return setenv("ORRERY_LOCKS", folder, 1);
}

static int drop_folder(void **state)
{
    int code = remove_folder(state);
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    return code;
}

static int take(struct orr_device_locks *locks, bool refuse)
{
    return orr_device_lock_take(locks, &(struct orr_device_lock_options){what, refuse, -1, say});
}

static int take_one(struct orr_device_locks *locks, const struct orr_device_info *device)
{
    *locks = ORR_DEVICE_LOCKS_INIT;
    assert_int_equal(orr_device_lock_add(locks, device), 0);
    return take(locks, true);
}

TEST_AROUND(one_gpu_and_the_cores_are_one_lock_each, in_own_folder, drop_folder)
{
    const struct orr_device_info *const all[] = {&other, &pocl,     &same, &host,
                                                 &cuda,  &nameless, &moved};
    struct orr_device_locks locks = ORR_DEVICE_LOCKS_INIT;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        assert_int_equal(orr_device_lock_add(&locks, all[k]), 0);
    assert_int_equal(locks.count, 4);
    assert_string_equal(locks.locks[0].key, "00000000-c3-00.0");
    assert_string_equal(locks.locks[1].key, "GPU-00");
    assert_string_equal(locks.locks[2].key, "Mali-G78-r0.0");
    assert_string_equal(locks.locks[3].key, "cores");
}

TEST_AROUND(a_second_run_is_refused_and_told_by_whom, in_own_folder, drop_folder)
{
    struct orr_device_locks first, second, third;
    what = "orrery run shan/table3";
    assert_int_equal(take_one(&first, &cuda), 0);
    assert_fails(take_one(&second, &same), ORR_EBUSY,
                 "opencl:1.0 is in use: orrery run shan/table3 (pid ");
    assert_int_equal(take_one(&third, &host), 0);
    orr_device_lock_release(&first);
    assert_int_equal(take(&second, true), 0);
    orr_device_lock_release(&second);
    orr_device_lock_release(&third);
}

/* The kernel frees what a killed process held. */
TEST_AROUND(a_waiting_run_goes_on_when_the_holder_is_killed, in_own_folder, drop_folder)
{
    struct orr_device_locks locks;
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t holder = fork();
    if (holder == 0) {
        struct orr_device_locks own;
        if (!take_one(&own, &host)) {
            orr_device_lock_tell(&own, 12, 40);
            if (write(ready[1], "x", 1) == 1)
                sleep(1);
        }
        raise(SIGKILL);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    locks = ORR_DEVICE_LOCKS_INIT;
    assert_int_equal(orr_device_lock_add(&locks, &pocl), 0);
    assert_int_equal(take(&locks, false), 0);
    assert_int_equal(told_times, 1);
    HOLDS(told, "waiting for opencl:0.0: orrery run x/y (pid ",
          ", 12 of 40 measurements done) is measuring on it; --no-wait "
          "refuses instead");
    waitpid(holder, NULL, 0);
    orr_device_lock_release(&locks);
    close(ready[0]);
    close(ready[1]);
}

TEST_AROUND(a_signal_ends_the_waiting, in_own_folder, drop_folder)
{
    struct orr_device_locks first, second = ORR_DEVICE_LOCKS_INIT;
    sigset_t caught;
    sigemptyset(&caught);
    sigaddset(&caught, SIGINT);
    sigprocmask(SIG_BLOCK, &caught, NULL);
    int signals = signalfd(-1, &caught, SFD_CLOEXEC);
    assert_int_equal(take_one(&first, &host), 0);
    raise(SIGINT);
    assert_int_equal(orr_device_lock_add(&second, &host), 0);
    const struct orr_device_lock_options options = {"", false, signals, say};
    assert_int_equal(orr_device_lock_take(&second, &options), ORR_EINTERRUPTED);
    orr_device_lock_release(&first);
    struct signalfd_siginfo seen;
    assert_int_equal(read(signals, &seen, sizeof seen), sizeof seen);
    close(signals);
}

/* A link instead of the file would have what it leads to overwritten. */
TEST_AROUND(a_link_is_not_followed, in_own_folder, drop_folder)
{
    struct orr_device_locks locks;
    const char *path = filled("%s/orrery-cores.lock", folder);
    const char *victim = filled("%s/victim", folder);
    for (int hard = 0; hard < 2; hard++) {
        write_text(victim, "mine");
        assert_int_equal(hard ? link(victim, path) : symlink(victim, path), 0);
        assert_int_equal(take_one(&locks, &host), 0);
        assert_non_null(strstr(locks.missing, "host is not locked: "));
        json_auto_t *said = orr_device_lock_to_json(&locks);
        assert_int_equal(json_array_size(json_object_get(said, "held")), 0);
        assert_string_equal(orr_json_text(said, "missing"), locks.missing);
        orr_device_lock_release(&locks);
        RELEASED_BY(free_text) char *text = file_text(victim);
        assert_string_equal(text, "mine");
        unlink(path);
    }
}

/* Users share the file whatever the mask of the one who came first. */
TEST_AROUND(everybody_may_lock, in_own_folder, drop_folder)
{
    RELEASED_BY(orr_device_lock_release) struct orr_device_locks locks;
    struct stat status;
    mode_t mask = umask(077);
    assert_int_equal(take_one(&locks, &host), 0);
    umask(mask);
    assert_int_equal(stat(filled("%s/orrery-cores.lock", folder), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0666);
}

TEST_AROUND(without_a_folder_the_run_goes_on, in_own_folder, drop_folder)
{
    RELEASED_BY(orr_device_lock_release) struct orr_device_locks locks;
    setenv("ORRERY_LOCKS", "/proc/nowhere", 1);
    assert_int_equal(take_one(&locks, &host), 0);
    assert_non_null(strstr(locks.missing, "/proc/nowhere/orrery-cores.lock: No such file"));
}

/* A holder's text comes from another user. */
TEST_AROUND(a_holder_cannot_steer_the_terminal, in_own_folder, drop_folder)
{
    struct orr_device_locks first, second;
    what = "\033[2Jbad\nline";
    assert_int_equal(take_one(&first, &host), 0);
    assert_int_equal(take_one(&second, &host), ORR_EBUSY);
    assert_null(strchr(orr_error_text(), '\033'));
    assert_null(strchr(orr_error_text(), '\n'));
    orr_device_lock_release(&first);
}

RUN_TESTS(NULL, NULL)
