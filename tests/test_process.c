/* SPDX-License-Identifier: MIT */
/* Children that leave processes behind, which keep their socket and outlive them: this program
 * plays all parts. Whatever is left holds the writing end of a pipe, which is how it is found. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include "error.h"
#include "process.h"
#include "worker/child.h"
#include "tests/cases.h"
#include "tests/plugins/leaves.h"

static int ends[2];

static int begin(void **state)
{
    orr_error_clear();
    return pipe2(ends, O_CLOEXEC);
}

static int end(void **state)
{
    close(ends[0]);
    return 0;
}

/* Whether nobody holds the pipe any more, once our own end is closed. */
static bool nothing_is_left(void)
{
    struct pollfd pipe_end = {.fd = ends[0]};
    if (ends[1] >= 0)
        close(ends[1]);
    ends[1] = -1;
    return poll(&pipe_end, 1, 20000) == 1 && pipe_end.revents & POLLHUP;
}

/* --- what a plugin might do --- */

static void crash(void)
{
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
}

static int crash_beside_child(json_t **out, void *context)
{
    leave_child();
    crash();
    return 0;
}

static int answer_beside_daemon(json_t **out, void *context)
{
    leave_child();
    leave_daemon();
    *out = json_integer(7);
    return 0;
}

static int hang(json_t **out, void *context)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    leave_daemon();
    sleep(60);
    return 0;
}

/* --- probes --- */

TEST_AROUND(a_probe_that_crashes_is_told, begin, end)
{
    json_t *out;
    assert_int_equal(orr_forked_probe(&out, crash_beside_child, NULL, 30), ORR_EINTERNAL);
    assert_string_equal(orr_error_text(), "crashed: Segmentation fault");
    assert_true(nothing_is_left());
}

TEST_AROUND(a_probe_leaves_nothing, begin, end)
{
    json_t *out;
    assert_int_equal(orr_forked_probe(&out, answer_beside_daemon, NULL, 30), 0);
    assert_int_equal(json_integer_value(out), 7);
    json_decref(out);
    assert_true(nothing_is_left());
}

TEST_AROUND(a_probe_that_hangs_is_ended, begin, end)
{
    json_t *out;
    assert_int_equal(orr_forked_probe(&out, hang, NULL, 0.3), ORR_ETIMEOUT);
    assert_string_equal(orr_error_text(), "did not finish within 0.3 s");
    assert_true(nothing_is_left());
}

/* What is asked of a probe that stays; it crashes when asked for the fourth time. */
static int count_questions(json_t **out, void *context)
{
    static int asked;
    if (++asked == 4)
        crash();
    if (asked == 2)
        return orr_fail(ORR_EUNSUPPORTED, "not %s", (const char *)context);
    *out = json_pack("[i, i]", asked, (int)getpid());
    return 0;
}

TEST_AROUND(a_probe_that_stays_is_one_process, begin, end)
{
    struct orr_probe probe;
    json_t *out;
    int process = 0;
    assert_int_equal(orr_probe_start(&probe, true, count_questions, (void *)"now"), 0);
    for (int k = 1; k <= 3; k++) {
        int code = orr_probe_ask(&probe, &out, 30);
        assert_int_equal(code, k == 2 ? ORR_EUNSUPPORTED : 0);
        if (code) {
            assert_string_equal(orr_error_text(), "not now");
            continue;
        }
        assert_int_equal(json_integer_value(json_array_get(out, 0)), k);
        assert_true(!process || json_integer_value(json_array_get(out, 1)) == process);
        process = (int)json_integer_value(json_array_get(out, 1));
        json_decref(out);
    }
    assert_int_equal(orr_probe_ask(&probe, &out, 30), ORR_EINTERNAL);
    assert_int_equal(probe.child, 0);
    assert_int_equal(orr_probe_ask(&probe, &out, 30), ORR_EINTERNAL);
    assert_int_equal(orr_probe_start(&probe, true, hang, NULL), 0);
    assert_int_equal(orr_probe_ask(&probe, &out, 0.3), ORR_EINTERNAL);
    assert_int_equal(orr_probe_start(&probe, true, answer_beside_daemon, NULL), 0);
    assert_int_equal(orr_probe_ask(&probe, &out, 30), 0);
    json_decref(out);
    orr_probe_end(&probe, NULL, 0);
    assert_true(nothing_is_left());
}

TEST_AROUND(a_waiting_signal_ends_a_probe, begin, end)
{
    json_t *out;
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    raise(SIGINT);
    assert_int_equal(orr_forked_probe(&out, hang, NULL, 30), ORR_EINTERRUPTED);
    int number;
    sigwait(&blocked, &number);
    sigprocmask(SIG_SETMASK, &before, NULL);
    assert_true(nothing_is_left());
}

/* --- children by their socket --- */

static void start(struct orr_child *child, const char *role, int held)
{
    const int lent[] = {held, -1};
    const struct orr_child_plan plan = {"/proc/self/exe", role, NULL, lent};
    if (orr_child_start(child, &plan))
        abort();
}

static int ask(struct orr_child *child, const char *what, json_t **answer)
{
    const struct orr_child_wait wait = {.timeout_s = 30, .signals = -1};
    return orr_child_ask(child, json_pack("{s:s}", "ask", what), &wait, answer);
}

static json_t *id; /* of the request */

static int tell(struct orr_channel *channel, const char *what)
{
    return orr_child_channel_send(channel, json_pack("{s:s, s:O}", "say", what, "to", id));
}

/* The lowest one; it does what it is asked for. */
static void play_leaf(struct orr_channel *channel, const char *what)
{
    if (strstr(what, "child"))
        leave_child();
    if (strstr(what, "daemon"))
        leave_daemon();
    if (!strstr(what, "silently"))
        tell(channel, "done");
    if (strstr(what, "crash"))
        crash();
}

/* Between the two: asks a leaf of its own. */
static void play_middle(struct orr_channel *channel, struct orr_child *leaf, const char *what)
{
    json_auto_t *answer;
    if (!leaf->pid)
        start(leaf, "__leaf", ORR_CHILD_INHERITED);
    if (!ask(leaf, what, &answer))
        tell(channel, "done");
}

static int play(const char *role)
{
    struct orr_channel channel;
    struct orr_child leaf = {.log = -1, .channel.fd = -1};
    json_t *request;
    orr_child_channel_init(&channel, fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10));
    while (orr_child_channel_receive(&channel, INFINITY, -1, &request) == ORR_HEARD_MESSAGE) {
        const char *what = json_string_value(json_object_get(request, "ask"));
        if (!strcmp(what, "quit"))
            return 0; /* without a farewell to the leaf */
        id = json_object_get(request, "id");
        if (!strcmp(role, "__leaf"))
            play_leaf(&channel, what);
        else
            play_middle(&channel, &leaf, what);
        json_decref(request);
    }
    pause(); /* a parent that dies closes its sockets before its death is told */
    return 0;
}

TEST_AROUND(a_crash_is_told, begin, end)
{
    struct orr_child child;
    json_t *answer;
    start(&child, "__leaf", ends[1]);
    assert_int_equal(ask(&child, "child, daemon, silently crash", &answer), ORR_EINTERNAL);
    assert_string_equal(child.lost, "crashed");
    assert_string_equal(orr_error_text(), "crashed: SIGSEGV");
    assert_true(nothing_is_left());
}

TEST_AROUND(an_answer_before_the_crash_counts, begin, end)
{
    struct orr_child child;
    json_t *answer;
    start(&child, "__leaf", ends[1]);
    assert_int_equal(ask(&child, "child, crash", &answer), 0);
    json_decref(answer);
    assert_int_equal(ask(&child, "crash", &answer), ORR_EINTERNAL);
    assert_true(nothing_is_left());
}

static void say_farewell(void **state, const char *role)
{
    struct orr_child child;
    json_t *answer;
    for (int busy = 0; busy < 2; busy++) {
        start(&child, role, ends[1]);
        assert_int_equal(ask(&child, "child, daemon", &answer), 0);
        json_decref(answer);
        orr_child_shutdown(&child, busy);
        assert_true(nothing_is_left());
        end(state);
        begin(state);
    }
    close(ends[1]);
}

TEST_AROUND(a_farewell_leaves_nothing, begin, end)
{
    say_farewell(state, "__leaf");
}

/* The one in the middle says nothing to its own child: we are left with all of it. */
TEST_AROUND(nothing_is_left_of_two_levels, begin, end)
{
    say_farewell(state, "__middle");
}

/* A run that is killed outright: here a process above the two levels. */
TEST_AROUND(nothing_is_left_of_a_killed_run, begin, end)
{
    int ready[2];
    char byte;
    assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
    pid_t run = fork();
    if (run == 0) {
        struct orr_child child;
        json_t *answer;
        start(&child, "__middle", ends[1]);
        ask(&child, "child, daemon", &answer);
        if (write(ready[1], "", 1) == 1)
            pause();
        _exit(1);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    kill(run, SIGKILL);
    waitpid(run, NULL, 0);
    assert_true(nothing_is_left());
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strncmp(argv[1], "__", 2))
        return play(argv[1]);
    return run_all(NULL, NULL);
}
