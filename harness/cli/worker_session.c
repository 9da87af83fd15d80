/* SPDX-License-Identifier: MIT */
/* A worker, its devices and clean shutdown on signals. */
#include <errno.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cli/cli.h"
#include "plan/paper.h"
#include "plugin/plugin.h"
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

/* The variant and device of a question, its settings from NAME=VALUE words and its own members. */
static int make_request(json_t **out, const struct orr_worker_question *q)
{
    json_auto_t *settings = json_object();
    if (orr_plan_check_variant(q->variant) || settings_to_json(settings, q->set))
        return orr_error_failed();
    *out = json_pack("{s:s, s:s, s:s, s:O}", "ask", q->ask, "variant", q->variant, "device",
                     q->device ? q->device : "", "settings", settings);
    json_object_update(*out, q->members);
    orr_program_pass(*out, q->variant);
    return 0;
}

int orr_worker_session_ask(json_t **answer, struct orr_worker_session *session,
                           const struct orr_worker_question *q)
{
    json_t *request = NULL;
    *answer = NULL;
    *session = ORR_WORKER_SESSION_INIT;
    int code = make_request(&request, q);
    if (!code)
        code = orr_worker_session_begin(session, &q->device, q->device != NULL);
    const struct orr_child_wait wait = {q->timeout_s, q->timeout_s, session->signals, q->partial,
                                        q->context};
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
    *session = ORR_WORKER_SESSION_INIT;
}
