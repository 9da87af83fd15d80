/* orrery watch: a run as it goes on, by its journal. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/text_table.h"
#include "cli/watch_parts.h"
#include "error.h"
#include "report/report.h"
#include "terminal.h"

enum { LOOK_MS = 1000, JOB_MS = 100 };

/* --- the terminal --- */

/* The other screen of the terminal: what stood there comes back. Lines do not wrap, so that a
 * character wider than it was counted spoils nothing. */
static void enter_screen(void)
{
    fputs("\033[?1049h\033[?7l\033[?25l", stdout);
    fflush(stdout);
}

static void leave_screen(void)
{
    fputs("\033[?25h\033[?7h\033[?1049l", stdout);
    fflush(stdout);
}

static int draw(struct orr_watch *watch)
{
    const struct orr_watch_size size = {orr_terminal_columns(stdout) - 1, orr_terminal_rows(stdout),
                                        orr_terminal_colours(stdout), true};
    fputs("\033[H", stdout);
    int code = orr_watch_picture(stdout, watch, &size);
    fputs("\033[J", stdout);
    fflush(stdout);
    return code;
}

static int draw_once(struct orr_watch *watch)
{
    const struct orr_watch_size size = {orr_terminal_columns(stdout), SIZE_MAX,
                                        orr_terminal_colours(stdout), false};
    return orr_watch_picture(stdout, watch, &size);
}

/* --- a line a measurement --- */

struct telling {
    bool begun;
    size_t told; /* serial of the newest item that was printed */
};

static int print_lines(struct orr_watch *watch, struct telling *telling)
{
    int code = telling->begun ? 0 : orr_watch_begin_lines(stdout, watch);
    char sensors[256];
    size_t newest = telling->told;
    telling->begun = true;
    for (size_t k = 0; k < watch->recent_count && !code; k++) {
        struct orr_watch_item *item = &watch->recent[k];
        if (item->serial <= telling->told)
            continue;
        orr_watch_sensors(sensors, sizeof sensors, item->record);
        printf("%s%s%s%s%s\n", item->head, orr_watch_result(watch, item), *sensors ? " (" : "",
               sensors, *sensors ? ")" : "");
        newest = item->serial > newest ? item->serial : newest;
    }
    telling->told = newest;
    fflush(stdout);
    return code;
}

/* --- watching --- */

static int open_signals(void)
{
    static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP};
    sigset_t set;
    sigemptyset(&set);
    for (size_t k = 0; k < sizeof caught / sizeof *caught; k++)
        sigaddset(&set, caught[k]);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Waits for the next look, or for a signal. True: leave. */
static bool rest(const struct orr_watch *watch, int signals, bool screen)
{
    struct signalfd_siginfo heard;
    struct pollfd waiting = {.fd = signals, .events = POLLIN};
    poll(&waiting, 1, orr_watch_job_waits(watch) ? JOB_MS : LOOK_MS);
    while (read(signals, &heard, sizeof heard) == (ssize_t)sizeof heard) {
        if (heard.ssi_signo == SIGWINCH)
            continue; /* the next picture is of the new size */
        if (heard.ssi_signo != SIGTSTP)
            return true;
        if (screen)
            leave_screen();
        raise(SIGSTOP);
        if (screen)
            enter_screen();
    }
    return false;
}

static int look(struct orr_watch *watch)
{
    int code = orr_watch_look(watch);
    if (!code)
        code = orr_watch_job_hear(watch);
    return code ? code : orr_watch_job_start(watch);
}

/* 1: somebody ended it. */
static int follow(struct orr_watch *watch, int signals, bool screen)
{
    struct telling telling = {false, 0};
    for (;;) {
        int code = look(watch);
        if (!code)
            code = screen ? draw(watch) : print_lines(watch, &telling);
        if (code || ferror(stdout) || (orr_watch_is_over(watch) && !orr_watch_job_waits(watch)))
            return code;
        if (rest(watch, signals, screen))
            return 1;
    }
}

static int watch_on(struct orr_watch *watch)
{
    const bool screen = orr_terminal_moves(stdout);
    const int signals = open_signals();
    if (signals < 0)
        return orr_fail(ORR_EINTERNAL, "cannot listen for signals: %s", strerror(errno));
    if (screen)
        enter_screen();
    int code = follow(watch, signals, screen);
    if (screen)
        leave_screen();
    close(signals);
    const bool left = code > 0;
    if (code >= 0)
        code = screen ? draw_once(watch) : orr_watch_end_lines(stdout, watch);
    if (left && !orr_watch_is_over(watch))
        fputs("orrery: the run goes on; orrery watch shows it again\n", stderr);
    return code ? code : left;
}

/* One picture, or one object. */
static int show_once(struct orr_watch *watch)
{
    int code = look(watch);
    while (!code && watch->job.pid) {
        poll(NULL, 0, JOB_MS);
        code = orr_watch_job_hear(watch);
    }
    if (code)
        return code;
    return watch->as_json ? orr_text_table_json(orr_watch_to_json(watch)) : draw_once(watch);
}

static int watch_all(struct orr_watch *watch)
{
    int code = orr_watch_find(watch);
    if (!code && watch->report)
        code = orr_report_make_folder(watch->report);
    if (!code)
        code = watch->once || watch->as_json ? show_once(watch) : watch_on(watch);
    if (code < 0)
        return orr_cli_report_error();
    return code > 0 ? ORR_EXIT_INTERRUPTED : orr_watch_exit(watch);
}

int orr_cli_watch(int argc, char **argv)
{
    struct orr_watch watch = {.root = "results", .every_s = 30};
    const struct orr_option options[] = {
        {"once", 0, ORR_OPTION_FLAG, &watch.once, NULL, "one picture, then leave"},
        {"json", 0, ORR_OPTION_FLAG, &watch.as_json, NULL, "one object of all that is known"},
        {"report", 0, ORR_OPTION_TEXT, &watch.report, "DIR",
         "also keep a page of the report in DIR, which loads itself anew while the run goes on"},
        {"results", 'r', ORR_OPTION_LIST, &watch.more, "DIR|FILE|MACHINE",
         "journals that the page shows besides; repeatable"},
        {"claims", 0, ORR_OPTION_FLAG, &watch.claims, NULL,
         "judge claims while the run goes on even where that disturbs it, on the machine's cores"},
        {"every", 0, ORR_OPTION_SECONDS, &watch.every_s, "S",
         "seconds between verdicts, and between pages, at least (30)"},
        {"output", 'o', ORR_OPTION_TEXT, &watch.root, "DIR", "results folder (results)"},
    };
    const struct orr_options all = {
        "watch [RUN|FILE|DIR...] [options]",
        "Shows a run while it goes on: how far it is, its last cells, faults, sensors and claims.\n"
        "Without a name the newest run that is being written, else the newest. Ends with the run\n"
        "and with its exit code. Writes nothing but the page.",
        options, sizeof options / sizeof *options};
    int code = orr_options_parse(&all, argc, argv, &watch.what);
    if (!code && watch.more.count && !watch.report)
        code = orr_fail(ORR_EUSAGE, "-r names results for the page; --report DIR says where it is");
    code = code ? orr_cli_status(code) : watch_all(&watch);
    orr_watch_release(&watch);
    return code;
}
