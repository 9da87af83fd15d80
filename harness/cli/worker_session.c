#include "cli/worker_session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "error.h"
#include "run/worker.h"

static const double PROBE_TIMEOUT_S = 120;

static int catch_signals(struct orr_attend *attend)
{
    sigset_t caught;
    sigemptyset(&caught);
    sigaddset(&caught, SIGINT);
    sigaddset(&caught, SIGTERM);
    sigaddset(&caught, SIGHUP);
    sigprocmask(SIG_BLOCK, &caught, &attend->child_mask);
    /* A full disk under a size limit, or a reader that went away, is an error code to us and not
     * the end. */
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    attend->signals = signalfd(-1, &caught, SFD_CLOEXEC);
    return attend->signals >= 0
               ? 0
               : orr_fail(ORR_EINTERNAL, "cannot listen for signals: %s", strerror(errno));
}

int orr_attend_begin(struct orr_attend *out)
{
    *out = ORR_ATTEND_INIT;
    int code = catch_signals(out);
    return code ? code : orr_child_start(&out->child, ORR_THIS_PROGRAM, &out->child_mask);
}

static int take_devices(struct orr_attend *attend)
{
    json_t *devices = json_object_get(attend->found, "devices"), *device;
    size_t index;
    attend->devices = calloc(json_array_size(devices) + 1, sizeof *attend->devices);
    if (!attend->devices)
        return orr_fail(ORR_EMEMORY, "no memory for the list of devices");
    json_array_foreach(devices, index, device)
        orr_worker_device_from_json(&attend->devices[attend->device_count++], device);
    return 0;
}

int orr_attend_probe(struct orr_attend *attend)
{
    char reason[512];
    enum orr_heard heard =
        orr_child_ask(&attend->child, json_pack("{s:s}", "ask", "probe"), PROBE_TIMEOUT_S,
                      attend->signals, NULL, NULL, &attend->found);
    if (heard == ORR_HEARD_SIGNAL)
        return orr_fail(ORR_EDEVICE, "interrupted while looking for devices");
    if (heard != ORR_HEARD_MESSAGE) {
        orr_child_bury(&attend->child, reason, sizeof reason);
        return orr_fail(ORR_EDEVICE, "looking for devices failed: %s; `orrery doctor` says more",
                        heard == ORR_HEARD_TIMEOUT ? "timed out" : reason);
    }
    const char *text = json_string_value(json_object_get(attend->found, "text"));
    if (text)
        return orr_fail((int)json_integer_value(json_object_get(attend->found, "code")), "%s",
                        text);
    return take_devices(attend);
}

void orr_attend_release(struct orr_attend *attend, bool busy)
{
    orr_child_dismiss(&attend->child, busy);
    if (attend->signals >= 0)
        close(attend->signals);
    json_decref(attend->found);
    free(attend->devices);
    *attend = ORR_ATTEND_INIT;
}
