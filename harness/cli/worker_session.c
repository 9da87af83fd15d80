#include "cli/worker_session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "error.h"
#include "json_member.h"
#include "plan/paper.h"
#include "run/worker.h"

static const double PROBE_TIMEOUT_S = 120;

static int catch_signals(struct orr_worker_session *session)
{
    sigset_t caught;
    sigemptyset(&caught);
    sigaddset(&caught, SIGINT);
    sigaddset(&caught, SIGTERM);
    sigaddset(&caught, SIGHUP);
    sigprocmask(SIG_BLOCK, &caught, &session->child_mask);
    /* A file size limit or a closed pipe becomes an error code instead of a fatal signal. */
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    session->signals = signalfd(-1, &caught, SFD_CLOEXEC);
    return session->signals >= 0
               ? 0
               : orr_fail(ORR_EINTERNAL, "cannot listen for signals: %s", strerror(errno));
}

int orr_worker_session_begin(struct orr_worker_session *out)
{
    *out = ORR_WORKER_SESSION_INIT;
    int code = catch_signals(out);
    const struct orr_child_plan plan = {ORR_THIS_PROGRAM, "__worker", &out->child_mask, NULL};
    return code ? code : orr_child_start(&out->child, &plan);
}

static int take_devices(struct orr_worker_session *session)
{
    json_t *devices = json_object_get(session->found, "devices"), *device;
    size_t index;
    session->devices = calloc(json_array_size(devices) + 1, sizeof *session->devices);
    if (!session->devices)
        return orr_fail(ORR_EMEMORY, "no memory for the list of devices");
    json_array_foreach(devices, index, device)
        orr_worker_device_from_json(&session->devices[session->device_count++], device);
    return 0;
}

int orr_worker_session_probe(struct orr_worker_session *session)
{
    char reason[512];
    enum orr_heard heard =
        orr_child_ask(&session->child, json_pack("{s:s}", "ask", "probe"), PROBE_TIMEOUT_S,
                      session->signals, NULL, NULL, &session->found);
    if (heard == ORR_HEARD_SIGNAL)
        return orr_fail(ORR_EDEVICE, "interrupted while looking for devices");
    if (heard != ORR_HEARD_MESSAGE) {
        orr_child_reap(&session->child, reason, sizeof reason);
        return orr_fail(ORR_EDEVICE, "looking for devices failed: %s; `orrery doctor` says more",
                        heard == ORR_HEARD_TIMEOUT ? "timed out" : reason);
    }
    const char *text = orr_json_text(session->found, "text");
    if (text)
        return orr_fail((int)orr_json_integer(session->found, "code"), "%s", text);
    return take_devices(session);
}

static int settings_to_json(json_t *to, const struct orr_words *set)
{
    for (int k = 0; k < set->count; k++) {
        char name[32];
        const char *equals = strchr(set->items[k], '=');
        size_t length = equals ? (size_t)(equals - set->items[k]) : 0;
        if (!length || length >= sizeof name || !equals[1] || strlen(equals + 1) >= 64)
            return orr_fail(ORR_EUSAGE, "--set takes NAME=VALUE, not '%s'", set->items[k]);
        snprintf(name, sizeof name, "%.*s", (int)length, set->items[k]);
        json_object_set_new(to, name, json_string(equals + 1));
    }
    return 0;
}

int orr_worker_session_request(json_t **out, const char *ask, const char *variant,
                               const char *device, const struct orr_words *set)
{
    json_t *settings = json_object();
    int code = orr_catalogue_check_variant(variant);
    if (!code)
        code = settings_to_json(settings, set);
    *out = code ? NULL
                : json_pack("{s:s, s:s, s:s, s:O}", "ask", ask, "variant", variant, "device",
                            device ? device : "", "settings", settings);
    json_decref(settings);
    return code || *out ? code : orr_fail(ORR_EMEMORY, "no memory for a request");
}

int orr_worker_session_answer(struct orr_worker_session *session, enum orr_heard heard,
                              json_t *answer, double timeout_s)
{
    char reason[512];
    const char *say = orr_json_text(answer, "say");
    if (heard == ORR_HEARD_SIGNAL)
        return 0;
    if (heard == ORR_HEARD_TIMEOUT)
        return orr_fail(ORR_EDEVICE, "no result within %g s; --timeout S allows more", timeout_s);
    if (heard != ORR_HEARD_MESSAGE) {
        const char *outcome = orr_child_reap(&session->child, reason, sizeof reason);
        return orr_fail(!strcmp(outcome, "no memory") ? ORR_EMEMORY : ORR_EINTERNAL, "%s", reason);
    }
    if (!say || strcmp(say, "done"))
        return orr_fail((int)orr_json_integer(answer, "code"), "%s", orr_json_text(answer, "text"));
    json_object_del(answer, "say");
    json_object_del(answer, "lost");
    return 0;
}

void orr_worker_session_release(struct orr_worker_session *session, bool busy)
{
    orr_child_shutdown(&session->child, busy);
    if (session->signals >= 0)
        close(session->signals);
    json_decref(session->found);
    free(session->devices);
    *session = ORR_WORKER_SESSION_INIT;
}
