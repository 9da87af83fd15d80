/* SPDX-License-Identifier: MIT */
/* A worker, its devices and clean shutdown on signals. */
#include <errno.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cli/cli.h"
#include "machine.h"
#include "plan/paper.h"
#include "plugin/plugin.h"
#include "referee/cell_record.h"
#include "worker/worker.h"
#include "sandbox.h"

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

int orr_worker_session_begin(struct orr_worker_session *out, const char *const *wanted,
                             int wanted_count)
{
    *out = ORR_WORKER_SESSION_INIT;
    bool host_only = wanted_count > 0;
    for (int k = 0; k < wanted_count; k++)
        host_only &= !strcmp(wanted[k], "host");
    if (orr_sandbox_open() || catch_signals(out) || orr_cli_probe_devices(&out->devices, host_only))
        return orr_error_code();
    const struct orr_child_plan plan = {ORR_CHILD_PROGRAM, "__referee", &out->child_mask, NULL};
    return orr_child_start(&out->child, &plan);
}

void orr_worker_session_describe(struct orr_worker_session *session)
{
    const struct orr_device_probe *found = &session->devices;
    struct orr_machine machine;
    char name[128];
    orr_machine_describe(&machine);
    orr_machine_name(name, sizeof name, &machine, *found->gpu ? found->gpu : NULL);
    json_t *devices = json_array();
    for (int k = 0; k < found->count; k++) {
        json_t *device = orr_worker_device_to_json(&found->devices[k]);
        char identity[17];
        orr_cell_record_identity(identity, device);
        json_object_set_new(device, "identity", json_string(identity));
        json_array_append_new(devices, device);
    }
    session->found =
        json_pack("{s:o, s:o}", "devices", devices, "machine", orr_machine_to_json(&machine, name));
}

static int settings_to_json(json_t *to, const struct orr_words *set)
{
    for (int k = 0; k < set->count; k++) {
        char name[32], value[64], end;
        if (sscanf(set->items[k], "%31[^=]=%63[^\n]%c", name, value, &end) != 2)
            return orr_fail(ORR_EUSAGE, "--set takes NAME=VALUE, not '%s'", set->items[k]);
        json_object_set_new(to, name, json_string(value));
    }
    return 0;
}

int orr_worker_session_request(json_t **out, const char *ask, const char *variant,
                               const char *device, const struct orr_words *set)
{
    json_auto_t *settings = json_object();
    *out = NULL;
    if (orr_plan_check_variant(variant) || settings_to_json(settings, set))
        return orr_error_failed();
    *out = json_pack("{s:s, s:s, s:s, s:O}", "ask", ask, "variant", variant, "device",
                     device ? device : "", "settings", settings);
    orr_program_pass(*out, variant);
    return 0;
}

int orr_worker_session_ask(json_t **answer, struct orr_worker_session *session, json_t *request,
                           const char *device, double timeout_s,
                           void (*partial)(json_t *message, void *context), void *context)
{
    *answer = NULL;
    int code = orr_worker_session_begin(session, &device, device != NULL);
    const struct orr_child_wait wait = {timeout_s, timeout_s, session->signals, partial, context};
    if (code)
        json_decref(request);
    else
        code = orr_child_ask(&session->child, request, &wait, answer);
    orr_worker_session_release(session, code == ORR_EINTERRUPTED);
    json_object_del(*answer, "say");
    if (!code)
        return 0;
    json_decref(*answer);
    *answer = NULL;
    return code;
}

void orr_worker_session_release(struct orr_worker_session *session, bool busy)
{
    orr_child_shutdown(&session->child, busy);
    orr_sandbox_close();
    if (session->signals >= 0)
        close(session->signals);
    json_decref(session->found);
    *session = ORR_WORKER_SESSION_INIT;
}
