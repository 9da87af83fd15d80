/* SPDX-License-Identifier: MIT */
/* Runs that are killed at any moment, find the disk full, share a folder or see the clock set back:
 * nothing that was acknowledged is lost, and every run can be ended. A short form; ORRERY_TORTURE=N
 * kills N times (`make torture`). */
#include "tests/torture_run.h"

/* Kill the parent, one of the processes below it, or all of them. */
enum victim { PARENT, CHILD, ALL, VICTIMS };
enum { FAR = 4 }; /* cells into a session that a kill comes at the latest */

static double empty_s, cell_s; /* of a session without cells; of a cell */

static int rounds(int usual)
{
    enum { KILLS = 50 };
    const char *given = getenv("ORRERY_TORTURE");
    int kills = given ? atoi(given) : KILLS;
    return kills > KILLS ? usual * kills / KILLS : usual;
}

/* Whether the session outlives it. */
static bool kill_at_random(pid_t session)
{
    pid_t below[MOST_CHILDREN];
    size_t count = add_children(below, 0, session);
    enum victim victim = (enum victim)random_below(VICTIMS);
    if (victim != PARENT && count) {
        size_t first = (size_t)random_below((long long)count);
        for (size_t k = 0; k < (victim == ALL ? count : 1); k++)
            kill(below[(first + k) % count], SIGKILL);
    }
    if (victim != CHILD)
        kill(session, SIGKILL);
    return victim == CHILD;
}

/* Whatever is below it, a parent that lives ends in good order. */
static void assert_ends(pid_t session, int status)
{
    if (status < 0)
        status = wait_until(session, now() + 60);
    if (status < 0)
        kill(session, SIGKILL);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    bool good =
        (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) || code == 0 || code == 4 || code == 5;
    if (!good || status < 0) {
        show_told();
        fail_msg("a session ended with status %#x", (unsigned)status);
    }
    assert_nobody_left();
}

/* How long sessions take, to kill within them. */
static void take_times(void)
{
    struct journal journal = {.path = ""};
    double began = now();
    assert_completes(&journal);
    double whole = now() - began;
    began = now();
    assert_completes(&journal);
    empty_s = now() - began;
    cell_s = (whole - empty_s) / CELLS;
    forget(&journal);
    clear(NULL);
}

TEST_AROUND(kills_lose_nothing, clear, NULL)
{
    struct journal journal = {.path = ""};
    int ok = 0, wanted = rounds(50), runs = 0;
    take_times();
    for (int kills = 0; kills < wanted;) {
        pid_t session = start(journal.path);
        double span = empty_s + (CELLS - ok < FAR ? CELLS - ok : FAR) * cell_s;
        int status;
        do
            status = wait_until(session, now() + span * uniform());
        while (status < 0 && kills++ < wanted && kill_at_random(session));
        assert_ends(session, status);
        ok = check_journal(&journal);
        if (ok < CELLS && kills < wanted)
            continue;
        assert_completes(&journal);
        forget(&journal);
        clear(NULL);
        ok = 0;
        runs++;
    }
    print_message("%d kills, %d runs completed; %.3f s without cells, %.3f s a cell\n", wanted,
                  runs, empty_s, cell_s);
}

/* --- a full disk, a wrong clock --- */

static void plant(const char *fault, long long number)
{
    const char *library = filled("%s/torture_faults.so", getenv("ORRERY_PLUGINS"));
    const char *text = filled("%lld", number);
    setenv("LD_PRELOAD", library, 1);
    setenv(fault, text, 1);
}

static void unplant(const char *fault)
{
    unsetenv("LD_PRELOAD");
    unsetenv(fault);
}

static void starve(const char *fault, long long number)
{
    struct journal journal = {.path = ""};
    plant(fault, number);
    pid_t session = start("");
    int status = wait_until(session, now() + 60);
    unplant(fault);
    if (status && WEXITSTATUS(status) != 2 && WEXITSTATUS(status) != 5) {
        show_told();
        fail_msg("%s=%lld: status %#x", fault, number, (unsigned)status);
    }
    assert_nobody_left();
    check_journal(&journal);
    if (journal.size)
        assert_true(journal.text[journal.size - 1] == '\n');
    assert_completes(&journal);
    forget(&journal);
    clear(NULL);
}

TEST_AROUND(a_full_disk_loses_nothing, clear, NULL)
{
    for (int k = rounds(3); k > 0; k--)
        starve("TORTURE_DISK", random_below(40000));
    for (int k = rounds(2); k > 0; k--)
        starve("TORTURE_SYNC", 1 + random_below(CELLS));
}

TEST_AROUND(a_clock_set_back_loses_nothing, clear, NULL)
{
    for (int k = rounds(1); k > 0; k--) {
        struct journal journal = {.path = ""};
        plant("TORTURE_CLOCK", random_below(2 * CELLS));
        assert_completes(&journal);
        assert_completes(&journal); /* with a clock behind that of the session before */
        unplant("TORTURE_CLOCK");
        forget(&journal);
        clear(NULL);
    }
}

/* --- two at once --- */

TEST_AROUND(two_go_on_with_one_journal, clear, NULL)
{
    for (int k = rounds(1); k > 0; k--) {
        struct journal journal = {.path = ""};
        pid_t first = start("");
        if (wait_until(first, now() + empty_s + CELLS / 2 * cell_s) < 0)
            kill(first, SIGKILL);
        assert_nobody_left();
        check_journal(&journal);
        if (*journal.path) {
            pid_t both[2] = {start(journal.path), start(journal.path)};
            int a = wait_until(both[0], now() + 60), b = wait_until(both[1], now() + 60);
            bool one = (a == 0 || b == 0) && (a == 0 || WEXITSTATUS(a) == 2) &&
                       (b == 0 || WEXITSTATUS(b) == 2);
            if (!one)
                fail_msg("two at once ended with %#x and %#x", (unsigned)a, (unsigned)b);
            assert_nobody_left();
        }
        truncate_said(); /* two wrote to it */
        check_journal(&journal);
        assert_completes(&journal);
        forget(&journal);
        clear(NULL);
    }
}

RUN_TESTS(begin_torture, end_torture)
