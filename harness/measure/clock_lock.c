#include "measure/clock_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "device/gpu.h"
#include "error.h"
#include "process.h"

/* Longer than a driver takes to load; than it takes to reset clocks. */
static const double LOAD_S = 30, RESET_S = 10;
/* NVML's: what it answers, and its word for the base clock. */
enum { NOT_SUPPORTED = 3, NO_PERMISSION = 4 };
static const unsigned BASE_CLOCK = 0xffffff01;

struct answer {
    int code;
    char text[512];
};

/* --- the keeper --- */

static const char *reason_of(orr_cu_enum error)
{
    switch (error) {
    case NO_PERMISSION:
        return "that needs root; run as root, or lock them with `sudo nvidia-smi -lgc MHZ` and "
               "leave out --lock-clocks";
    case NOT_SUPPORTED:
        return "this GPU or driver does not support it; leave out --lock-clocks";
    default:
        return "try another clock (`nvidia-smi -q -d SUPPORTED_CLOCKS`), or leave out "
               "--lock-clocks";
    }
}

static bool can_lock(const struct orr_nvml_api *nvml)
{
    return nvml && nvml->lock_clocks && nvml->reset_clocks;
}

/* Of the first `count`. */
static void reset(const struct orr_device_info *devices, int count)
{
    for (int k = 0; k < count; k++) {
        struct nvmlDevice_st *gpu;
        const struct orr_nvml_api *nvml = orr_gpu_nvml(&devices[k], &gpu);
        if (can_lock(nvml))
            nvml->reset_clocks(gpu);
    }
}

static int lock(const struct orr_device_info *devices, int count, int mhz)
{
    unsigned clock = mhz > 0 ? (unsigned)mhz : BASE_CLOCK;
    int locked = 0;
    for (int k = 0; k < count; k++) {
        struct nvmlDevice_st *gpu;
        const struct orr_nvml_api *nvml = orr_gpu_nvml(&devices[k], &gpu);
        orr_cu_enum error = can_lock(nvml) ? nvml->lock_clocks(gpu, clock, clock) : NOT_SUPPORTED;
        if (!nvml)
            continue;
        if (error) {
            reset(devices, k);
            return orr_fail(ORR_EUNSUPPORTED,
                            "the clocks of %s cannot be locked (NVML error %u): %s", devices[k].id,
                            error, reason_of(error));
        }
        locked++;
    }
    return locked ? 0
                  : orr_fail(ORR_EUNSUPPORTED,
                             "no clocks to lock: NVML knows none of the run's devices; leave out "
                             "--lock-clocks");
}

/* Until the other end of `life` is closed, which happens also when its process is killed. */
static void keep(int life, int tell, const struct orr_device_info *devices, int count, int mhz)
{
    struct answer answer = {0};
    char nothing;
    prctl(PR_SET_PDEATHSIG, 0); /* it outlives who asked, to undo what it did */
    signal(SIGPIPE, SIG_IGN);
    answer.code = lock(devices, count, mhz);
    snprintf(answer.text, sizeof answer.text, "%s", orr_error_text());
    bool told = write(tell, &answer, sizeof answer) == sizeof answer;
    close(tell);
    while (told && !answer.code && read(life, &nothing, 1) < 0 && errno == EINTR)
        ;
    if (!answer.code)
        reset(devices, count);
    _exit(0);
}

/* --- who asks --- */

static int hear(int from)
{
    struct answer answer;
    struct pollfd ready = {.fd = from, .events = POLLIN};
    int polled;
    while ((polled = poll(&ready, 1, (int)(1e3 * LOAD_S))) < 0 && errno == EINTR)
        ;
    if (polled <= 0)
        return orr_fail(ORR_EUNSUPPORTED,
                        "NVML did not lock the clocks within %g s; leave out "
                        "--lock-clocks",
                        LOAD_S);
    if (read(from, &answer, sizeof answer) != sizeof answer)
        return orr_fail(ORR_EUNSUPPORTED,
                        "NVML crashed while it locked the clocks; leave out --lock-clocks");
    answer.text[sizeof answer.text - 1] = '\0';
    return answer.code ? orr_fail(answer.code, "%s", answer.text) : 0;
}

int orr_clock_lock_take(struct orr_clock_lock *out, const struct orr_device_info *devices,
                        int count, int mhz)
{
    int life[2], tell[2];
    *out = (struct orr_clock_lock){0};
    if (pipe2(life, O_CLOEXEC))
        return orr_fail(ORR_EIO, "cannot make a pipe: %s", strerror(errno));
    if (pipe2(tell, O_CLOEXEC)) {
        close(life[0]);
        close(life[1]);
        return orr_fail(ORR_EIO, "cannot make a pipe: %s", strerror(errno));
    }
    pid_t keeper = orr_process_fork();
    if (keeper == 0) {
        close(life[1]);
        close(tell[0]);
        keep(life[0], tell[1], devices, count, mhz);
    }
    close(life[0]);
    close(tell[1]);
    *out = (struct orr_clock_lock){.keeper = keeper > 0 ? keeper : 0, .life = life[1]};
    int code = keeper > 0 ? hear(tell[0])
                          : orr_fail(ORR_EMEMORY, "cannot start a process: %s", strerror(errno));
    close(tell[0]);
    if (code && keeper > 0)
        orr_clock_lock_release(out);
    else if (code)
        close(life[1]);
    return code;
}

void orr_clock_lock_release(struct orr_clock_lock *lock)
{
    int status;
    if (!lock->keeper)
        return;
    close(lock->life);
    orr_process_wait(lock->keeper, RESET_S);
    orr_process_reap(lock->keeper, &status);
    *lock = (struct orr_clock_lock){0};
}
