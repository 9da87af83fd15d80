#include "measure/perf_events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "error.h"

/* From this number on the kernel leaves users no events of their own. */
enum { PARANOID = 3 };

static int refused(const struct orr_perf_events_state *state)
{
    if (*state->paranoid && atoi(state->paranoid) >= PARANOID)
        return orr_fail(ORR_EUNSUPPORTED,
                        "kernel.perf_event_paranoid is %s, which keeps hardware events from users; "
                        "as root: sysctl kernel.perf_event_paranoid=2, or give the program "
                        "CAP_PERFMON",
                        state->paranoid);
    return orr_fail(ORR_EUNSUPPORTED,
                    "perf_event_open is refused although kernel.perf_event_paranoid is %s, as "
                    "containers do; start this one with --cap-add PERFMON and a seccomp profile "
                    "that allows the call",
                    *state->paranoid ? state->paranoid : "not known");
}

int orr_perf_events_fail(int error, const struct orr_perf_events_state *state)
{
    switch (error) {
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case EOPNOTSUPP:
        return state->virtual
                   ? orr_fail(ORR_EUNSUPPORTED,
                              "this virtual machine has no performance counters; run on "
                              "the machine itself, or have its hypervisor pass them on "
                              "(QEMU/KVM: -cpu host,pmu=on)")
                   : orr_fail(ORR_EUNSUPPORTED, "the kernel knows no performance counters of this "
                                                "processor; a newer kernel may");
    case EACCES:
    case EPERM:
        return refused(state);
    case ENOSYS:
        return orr_fail(ORR_EUNSUPPORTED,
                        "this kernel has no perf events, or a container hides them; use a kernel "
                        "with CONFIG_PERF_EVENTS, outside of the container");
    default:
        return orr_fail(ORR_EUNSUPPORTED,
                        "perf_event_open fails: %s; see whether perf stat counts here",
                        strerror(error));
    }
}

/* Its first line. */
static void read_line(char *out, size_t size, const char *path)
{
    FILE *file = fopen(path, "re");
    *out = '\0';
    if (file && fgets(out, (int)size, file))
        out[strcspn(out, "\n")] = '\0';
    if (file)
        fclose(file);
}

static bool is_virtual(void)
{
    char line[4096];
    bool found = false;
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file && !found && fgets(line, sizeof line, file))
        found = !strncmp(line, "flags", strlen("flags")) && strstr(line, " hypervisor");
    if (file)
        fclose(file);
    return found;
}

int orr_perf_events_try(void)
{
    struct perf_event_attr cycles = {.type = PERF_TYPE_HARDWARE,
                                     .size = sizeof cycles,
                                     .config = PERF_COUNT_HW_CPU_CYCLES,
                                     .disabled = 1,
                                     .exclude_kernel = 1,
                                     .exclude_hv = 1};
    long fd = syscall(SYS_perf_event_open, &cycles, 0, -1, -1, 0UL);
    int error = errno;
    char paranoid[32];
    if (fd >= 0) {
        close((int)fd);
        return 0;
    }
    read_line(paranoid, sizeof paranoid, "/proc/sys/kernel/perf_event_paranoid");
    return orr_perf_events_fail(error, &(struct orr_perf_events_state){paranoid, is_virtual()});
}
