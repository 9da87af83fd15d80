/* SPDX-License-Identifier: MIT */
/* Runs that are killed at any moment, find the disk full, share a folder or see the clock set back:
 * nothing that was acknowledged is lost, and every run can be ended. A short form; ORRERY_TORTURE=N
 * kills N times (`make torture`). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include "tests/cases.h"
#include "tests/home_for_tests.h"
#include "tests/random_for_tests.h"

enum { CELLS = 24, MOST_CHILDREN = 64 };
static const double PATIENCE_S = 20; /* until what must end has ended */

static char program[PATH_MAX], results[128], said[128], told[128];

struct journal {
    char path[PATH_MAX];
    char *text; /* as it was after the last session */
    size_t size;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void nap(double seconds)
{
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    while (nanosleep(&t, &t) && errno == EINTR)
        continue;
}

/* --- the program --- */

/* Cells as small as they get; each leaves a file of bodies beside the journal. */
static int begin_torture(void **state)
{
    make_test_home();
    use_test_plugins();
    snprintf(program, sizeof program, "%s/../orrery", getenv("ORRERY_PLUGINS"));
    snprintf(results, sizeof results, "%s/results", test_home);
    snprintf(said, sizeof said, "%s/said", test_home);
    snprintf(told, sizeof told, "%s/told", test_home);
    const char *text =
        filled("paper: plugins\ntitle: T\nauthors: A\nvenue: V\nyear: 2026\n"
               "flops_per_interaction: 38\n"
               "variants:\n  - {name: right, label: right, in: [torture]}\n"
               "experiments:\n  - name: torture\n    shows: T\n    title: T\n    layout: times\n"
               "    keep_bodies: true\n    axes:\n      - {name: dataset, values: random-3d}\n"
               "      - {name: n, values: \"2:%d:+1\"}\n"
               "    bound: {median: 1.0e-5, p99: 1.0e-4, max: 1.0e-2}\n",
               CELLS + 1);
    write_paper("plugins", text);
    setenv("OCL_ICD_VENDORS", "/nonexistent", 1); /* the host is enough, and quicker */
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("ORRERY_SPAN_SECONDS", "0.001", 1); /* most kills would find a ceiling being measured */
    /* Orphans come to us, so that we see whether there are any. */
    return prctl(PR_SET_CHILD_SUBREAPER, 1) ? -1 : 0;
}

static void truncate_said(void)
{
    int fd = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    close(fd);
}

/* No results, and nothing said of them. */
static int clear(void **state)
{
    truncate_said();
    return system(filled("rm -rf %s", results));
}

static int end_torture(void **state)
{
    return system(filled("rm -rf %s", test_home));
}

/* Starts `orrery run` with stdout in `said` and stderr in `told`; `journal` "" begins a new one. */
static pid_t start(const char *journal)
{
    const char *fresh[] = {"orrery",   "run",   "plugins/torture", "--device", "host",
                           "--preset", "smoke", "--json",          "-o",       results,
                           NULL};
    const char *again[] = {"orrery", "run", "--resume", journal, "--failed",
                           "--json", "-o",  results,    NULL};
    fflush(NULL);
    pid_t child = fork();
    if (child)
        return child;
    dup2(open(said, O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    dup2(open(told, O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    execv(program, (char **)(uintptr_t)(*journal ? again : fresh));
    _exit(127);
}

static void show_told(void)
{
    RELEASED_BY(free_text) char *text = file_text(told);
    print_error("%s", text ? text : "");
}

/* Adds the children of a process and theirs. */
static size_t add_children(pid_t *list, size_t count, pid_t of)
{
    char path[96];
    int child;
    snprintf(path, sizeof path, "/proc/%d/task", (int)of);
    DIR *tasks = opendir(path);
    for (struct dirent *task; tasks && (task = readdir(tasks));) {
        snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", (int)of, task->d_name);
        FILE *file = fopen(path, "r");
        while (file && count < MOST_CHILDREN && fscanf(file, "%d", &child) == 1) {
            list[count++] = child;
            count = add_children(list, count, child);
        }
        if (file)
            fclose(file);
    }
    if (tasks)
        closedir(tasks);
    return count;
}

/* Waits until no process of a session is left, killed ones and orphans included. */
static void assert_nobody_left(void)
{
    double deadline = now() + PATIENCE_S;
    pid_t left[MOST_CHILDREN];
    while (waitpid(-1, NULL, WNOHANG) >= 0) {
        if (now() > deadline)
            fail_msg("%zu processes are left, such as %d", add_children(left, 0, getpid()),
                     (int)left[0]);
        nap(0.001);
    }
}

/* The status of the session when it ends before `when`, else -1. */
static int wait_until(pid_t session, double when)
{
    int status;
    for (;;) {
        pid_t ended = waitpid(session, &status, WNOHANG);
        assert_true(ended >= 0);
        if (ended)
            return status;
        if (now() >= when)
            return -1;
        nap(0.0005);
    }
}

/* --- the journal --- */

static char *load_text(const char *path, size_t *size)
{
    char *text = file_text(path);
    if (!text)
        fail_msg("cannot read %s", path);
    *size = strlen(text);
    return text;
}

/* How many names below results/ hold `part`; the last such path goes into `path`. */
static int find_files(char path[PATH_MAX], const char *part)
{
    int count = 0;
    FILE *found = popen(filled("find %s -name '*%s*' 2>/dev/null", results, part), "r");
    assert_non_null(found);
    while (fgets(path, PATH_MAX, found)) {
        path[strcspn(path, "\n")] = '\0';
        count++;
    }
    pclose(found);
    return count;
}

/* A cell as it was told on stdout is in the journal. */
static void assert_kept(json_t *cells, json_t *told_cell, const char *path)
{
    json_t *record = json_object_get(cells, json_string_value(json_object_get(told_cell, "id")));
    size_t k;
    json_t *one;
    json_array_foreach (record, k, one) {
        if (json_equal(json_object_get(one, "wall_s"), json_object_get(told_cell, "wall_s")) &&
            json_equal(json_object_get(one, "outcome"), json_object_get(told_cell, "outcome")))
            return;
    }
    fail_msg("a cell that was told is not in %s", path);
}

static void assert_told_is_kept(json_t *cells, const char *path)
{
    size_t size;
    char *text = load_text(said, &size), *at = text;
    for (char *end; (end = strchr(at, '\n')); at = end + 1) {
        json_auto_t *told_cell = json_loadb(at, (size_t)(end - at), 0, NULL);
        if (!told_cell)
            fail_msg("not JSON on stdout: %.*s", (int)(end - at), at);
        assert_kept(cells, told_cell, path);
    }
    free(text);
}

/* Adds the line's record to the list of its cell: id -> all its records. */
static void add_line(json_t *cells, const char *line, size_t length, const char *path)
{
    json_auto_t *record = json_loadb(line, length, 0, NULL);
    const char *id = json_string_value(json_object_get(record, "id"));
    if (!json_is_object(record))
        fail_msg("%s: a damaged line: %.*s", path, (int)length, line);
    if (id && !json_object_get(cells, id))
        json_object_set_new(cells, id, json_array());
    if (id)
        json_array_append(json_object_get(cells, id), record);
}

/* Cells whose last record is ok. */
static int count_ok(json_t *cells)
{
    const char *id;
    json_t *records;
    int count = 0;
    json_object_foreach (cells, id, records) {
        json_t *last = json_array_get(records, json_array_size(records) - 1);
        const char *outcome = json_string_value(json_object_get(last, "outcome"));
        count += outcome && !strcmp(outcome, "ok");
    }
    return count;
}

static void forget(struct journal *journal)
{
    free(journal->text);
    *journal = (struct journal){.path = ""};
}

/* After a session: how many cells are ok. A journal that has not begun is none. */
static int check_journal(struct journal *journal)
{
    size_t size, at = 0;
    if (!*journal->path && !find_files(journal->path, ".jsonl"))
        return 0;
    char *text = load_text(journal->path, &size);
    if (size < journal->size || memcmp(text, journal->text, journal->size) != 0)
        fail_msg("%s: what was there before has changed", journal->path);
    json_t *cells = json_object();
    while (at < size) {
        const char *end = memchr(text + at, '\n', size - at);
        bool half = journal->size > at && !memchr(journal->text + at, '\n', journal->size - at);
        if (!end) /* being written when the writer died */
            break;
        size_t length = (size_t)(end - (text + at));
        if (half) /* sealed by the next writer */
            assert_int_equal(at + length, journal->size);
        else
            add_line(cells, text + at, length, journal->path);
        at += length + 1;
    }
    assert_told_is_kept(cells, journal->path);
    int ok = count_ok(cells);
    json_decref(cells);
    free(journal->text);
    journal->text = text;
    journal->size = size;
    if (!size) { /* nobody has written its first line */
        unlink(journal->path);
        forget(journal);
    }
    return ok;
}

/* A session that nobody disturbs ends the run: every cell is ok, each has its bodies, and nothing
 * else is left. */
static void assert_completes(struct journal *journal)
{
    char path[PATH_MAX];
    int status = wait_until(start(journal->path), now() + 60);
    if (status)
        show_told();
    assert_int_equal(status, 0);
    assert_nobody_left();
    assert_int_equal(check_journal(journal), CELLS);
    assert_int_equal(find_files(path, ".jsonl"), 1);
    assert_int_equal(find_files(path, ".part"), 0);
    assert_int_equal(find_files(path, ".csv"), CELLS);
}

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
