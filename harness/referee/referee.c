/* SPDX-License-Identifier: MIT */
#include "referee/referee.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.h"
#include "error.h"
#include "json_member.h"
#include "memory.h"
#include "plugin/plugin.h"
#include "process.h"

int orr_referee_begin(struct orr_referee *out, const char *program)
{
    *out = (struct orr_referee){.program = program,
                                .ranks = 1,
                                .worker = {.log = -1, .channel.fd = -1},
                                .former = {.log = -1, .channel.fd = -1},
                                .small_n = json_object(),
                                .idle = json_object(),
                                .refusals = json_object(),
                                .deadline = INFINITY};
    return orr_shared_buffer_make(&out->shared);
}

/* Kills the worker: a plugin that was let go holds nothing that it would have to give back. A
 * driver takes 0.1 s to end a process with a CUDA context, in which the next one can begin. */
static void dismiss(struct orr_referee *referee)
{
    *referee->plugin = '\0';
    orr_child_shutdown(&referee->former, true);
    if (referee->worker.pid > 0) {
        kill(-referee->worker.pid, SIGKILL);
        kill(referee->worker.pid, SIGKILL);
        referee->former = referee->worker;
        referee->worker = (struct orr_child){.log = -1, .channel.fd = -1};
    }
    if (referee->set)
        orr_rank_library()->shutdown(&referee->set);
}

void orr_referee_end(struct orr_referee *referee)
{
    dismiss(referee);
    orr_child_shutdown(&referee->former, true);
    orr_shared_buffer_release(&referee->shared);
    json_decref(referee->unfinished);
    json_decref(referee->small_n);
    json_decref(referee->idle);
    json_decref(referee->refusals);
}

/* Forgets the last request's fate and replaces a worker that must go. */
static void renew(struct orr_referee *referee, double limit_s)
{
    int running = referee->worker.pid > 0 ? 1 : referee->set ? referee->set_size : 0;
    if (referee->replace || (running && running != referee->ranks) ||
        orr_child_has_more(&referee->worker) ||
        (referee->set && orr_rank_library()->has_more(referee->set)))
        dismiss(referee);
    orr_process_end_orphans(false);
    referee->replace = false;
    referee->outcome = NULL;
    json_decref(referee->unfinished);
    referee->unfinished = NULL;
    referee->limit_s = limit_s;
    referee->deadline = limit_s > 0 ? orr_clock_now() + limit_s : INFINITY;
}

void orr_referee_ready(struct orr_referee *referee, double limit_s)
{
    referee->own_s = 0;
    /* What only earlier requests wanted makes room. */
    referee->cache.begun = referee->cache.clock;
    renew(referee, limit_s);
}

void orr_referee_afresh(struct orr_referee *referee, double limit_s)
{
    double of_cell_s = referee->limit_s, left_s = referee->deadline - orr_clock_now();
    referee->replace = true;
    renew(referee, fmax(1e-3, fmin(limit_s, left_s)));
    referee->limit_s = of_cell_s > 0 ? fmin(limit_s, of_cell_s) : limit_s;
}

static int have_worker(struct orr_referee *referee)
{
    if (referee->outcome)
        return orr_fail(ORR_EINTERNAL, "there is no worker any more");
    if (referee->worker.pid > 0 || referee->set)
        return 0;
    if (referee->ranks > 1) {
        const struct orr_rank_library *ranks = orr_rank_library();
        const struct orr_rank_plan plan = {.size = referee->ranks,
                                           .bodies_fd = referee->shared.readable_fd,
                                           .results_fd = referee->shared.results_fd,
                                           .deadline = referee->deadline};
        referee->set_size = plan.size;
        return ranks ? ranks->start(&referee->set, &plan) : orr_error_code();
    }
    const int inherited[] = {referee->shared.readable_fd, referee->shared.results_fd, -1};
    const struct orr_child_plan plan = {referee->program, "__worker", NULL, inherited};
    return orr_child_start(&referee->worker, &plan);
}

/* Asks all ranks. */
static int ask_ranks(struct orr_referee *referee, json_t *request, json_t **answer)
{
    char reason[512];
    enum orr_heard heard =
        orr_rank_library()->ask(&referee->set, request, referee->deadline, answer);
    if (heard == ORR_HEARD_MESSAGE)
        return orr_child_judge_answer(*answer);
    orr_rank_library()->reap(&referee->set, heard, reason, sizeof reason);
    referee->outcome = heard == ORR_HEARD_TIMEOUT ? "timed out" : "crashed";
    return heard == ORR_HEARD_TIMEOUT
               ? orr_fail(ORR_EDEVICE, "no result within %g s: %s; --timeout S allows more",
                          referee->limit_s, reason)
               : orr_fail(ORR_EINTERNAL, "%s",
                          heard == ORR_HEARD_NOISE ? "crashed: the worker's answer is damaged"
                                                   : reason);
}

static int ask_worker(struct orr_referee *referee, json_t *request, json_t **answer)
{
    *answer = NULL;
    if (have_worker(referee)) {
        json_decref(request);
        return orr_error_code();
    }
    double start = orr_clock_now(), left_s = referee->deadline - start;
    json_int_t steps = orr_json_integer(request, "times") + orr_json_integer(request, "queued");
    json_t *asked = json_pack("{s:O, s:I}", "ask", json_object_get(request, "ask"), "steps", steps);
    const struct orr_child_wait wait = {.timeout_s = isfinite(left_s) ? fmax(left_s, 1e-3) : 0,
                                        .limit_s = referee->limit_s,
                                        .signals = -1};
    int code;
    if (referee->set) {
        code = ask_ranks(referee, request, answer);
    } else {
        code = orr_child_ask(&referee->worker, request, &wait, answer);
        referee->outcome = referee->worker.lost;
    }
    if (referee->outcome && !strcmp(referee->outcome, "timed out")) {
        json_object_set_new(asked, "seconds", json_real(orr_clock_now() - start));
        referee->unfinished = json_incref(asked);
    }
    json_decref(asked);
    referee->own_s += orr_json_number(*answer, "own_s");
    referee->replace |= json_is_true(json_object_get(*answer, "lost"));
    referee->replace |= code == ORR_EWRONG; /* it wrote where it must not */
    if (!code)
        return 0;
    json_decref(*answer);
    *answer = NULL;
    return code;
}

int orr_referee_ask(struct orr_referee *referee, json_t *request, json_t **answer)
{
    const char *plugin = orr_json_text(request, "variant");
    /* What a worker holds of another plugin outlives no cell of its own. */
    if (plugin && *referee->plugin && strcmp(referee->plugin, plugin))
        dismiss(referee);
    if (plugin)
        snprintf(referee->plugin, sizeof referee->plugin, "%s", plugin);
    /* To load a plugin and to open a device take as long as a driver's end of a process. */
    if (!plugin && !orr_json_is(request, "ask", "open"))
        orr_child_shutdown(&referee->former, true);
    double start = orr_clock_now(), own_s = referee->own_s;
    json_t *unwanted = NULL;
    int code = ask_worker(referee, request, answer ? answer : &unwanted);
    json_decref(unwanted);
    referee->explained_s = referee->own_s - own_s;
    referee->unexplained_s = orr_clock_now() - start - referee->explained_s;
    return code;
}

/* --- the loop --- */

static json_t *serve(struct orr_referee *referee, json_t *request, struct orr_channel *channel)
{
    static const struct {
        const char *ask;
        json_t *(*answer)(struct orr_referee *, json_t *);
    } verbs[] = {
        {"cell", orr_referee_cell}, {"compile", orr_referee_compile}, {"eval", orr_referee_eval}};
    json_t *answer;
    orr_program_receive(request);
    orr_program_receive(json_object_get(request, "cell"));
    for (size_t k = 0; k < sizeof verbs / sizeof *verbs; k++)
        if (orr_json_is(request, "ask", verbs[k].ask))
            return verbs[k].answer(referee, request);
    if (orr_json_is(request, "ask", "frames"))
        return orr_referee_frames(referee, request, channel);
    if (orr_json_is(request, "ask", "round")) { /* which a worker of its own measures */
        referee->replace = true;
        return json_object();
    }
    if (orr_json_is(request, "ask", "ceiling") || orr_json_is(request, "ask", "access")) {
        referee->ranks = 1;
        orr_referee_ready(referee, 0); /* only a worker can tell */
        return orr_referee_ask(referee, json_deep_copy(request), &answer) ? NULL : answer;
    }
    const char *ask = orr_json_text(request, "ask");
    orr_fail(ORR_EINTERNAL, "a referee was asked for '%s'", ask ? ask : "nothing");
    return NULL;
}

int orr_referee_serve(void)
{
    struct orr_channel channel;
    struct rlimit limit;
    if (orr_child_take_socket(&channel, "__referee"))
        return ORR_EXIT_USAGE;
    /* A limit on the size of files would hold for the memory that is lent, too. */
    if (!getrlimit(RLIMIT_FSIZE, &limit)) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    struct orr_referee *referee = orr_memory_get(sizeof *referee);
    bool go_on = !orr_referee_begin(referee, ORR_CHILD_PROGRAM);
    while (go_on) {
        json_t *request, *reply = NULL;
        orr_child_channel_receive(&channel, INFINITY, -1, &request); /* NULL without a message */
        orr_error_clear();
        go_on = orr_json_text(request, "ask") && !orr_json_is(request, "ask", "quit");
        if (go_on)
            reply = orr_child_channel_reply(serve(referee, request, &channel), request);
        if (referee->replace) /* it ends while the program writes the answer down */
            dismiss(referee);
        go_on = go_on && !orr_child_channel_send(&channel, reply);
        json_decref(request);
    }
    orr_referee_end(referee);
    _exit(ORR_EXIT_OK);
}
