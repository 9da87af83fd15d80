/* SPDX-License-Identifier: MIT */
/* The program: a table of commands, which cli/commands.txt describes. */
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/cli.h"
#include "referee/referee.h"
#include "worker/worker.h"
#include "terminal.h"
#include "version.h"

static const struct orr_command commands[] = {
    {"reproduce", orr_cli_reproduce}, {"run", orr_cli_run},
    {"report", orr_cli_report},       {"list", orr_cli_list},
    {"describe", orr_cli_describe},   {"doctor", orr_cli_doctor},
    {"table", orr_cli_table},         {"plot", orr_cli_table},
    {"claims", orr_cli_claims},       {"query", orr_cli_query},
    {"compare", orr_cli_compare},     {"generations", orr_cli_table},
    {"audit", orr_cli_audit},         {"check", orr_cli_check},
    {"dataset", orr_cli_dataset},     {"eval", orr_cli_eval},
    {"render", orr_cli_render},
};

/* Serves the program or the referee that started this process. */
static int serve(int argc, char **argv)
{
    const int status =
        !strcmp(argv[0], "__referee")
            ? orr_referee_serve()
            : orr_worker_serve(argc > 1 && !strcmp(argv[0], "__rank") ? argv[1] : NULL);
    orr_cli_report_error();
    return status;
}

static int run_command(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    if (!strcmp(word, "--version") || !strcmp(word, "-V")) {
        printf("orrery %s (%s)\n", ORR_VERSION, ORR_GIT_COMMIT);
        return ORR_EXIT_OK;
    }
    if (!strcmp(word, "__referee") || !strcmp(word, "__worker") || !strcmp(word, "__rank"))
        return serve(argc - 1, argv + 1);
    return orr_cli_command(commands, sizeof commands / sizeof *commands, argc, argv);
}

/* --- the cores --- */

static cpu_set_t cores;
static bool cores_known;

/* Runs before any library's constructor, and so before a sanitizer is ready. */
__attribute__((no_sanitize("address"))) static void remember_cores(void)
{
    cores_known = syscall(SYS_sched_getaffinity, 0, sizeof cores, &cores) > 0;
}
__attribute__((section(".preinit_array"),
               used)) static void (*const before_libraries)(void) = remember_cores;

/* With OMP_PROC_BIND the OpenMP library binds the first thread to one core, which processes that it
 * starts would take for all there is. A worker, where the threads are bound, keeps that. */
static void free_cores(const char *role)
{
    if (cores_known && !(role && (!strcmp(role, "__worker") || !strcmp(role, "__rank"))))
        sched_setaffinity(0, sizeof cores, &cores);
}

/* --- open files --- */

/* Drivers, compilers and OpenMP open dozens. No more than some thousands, for a few libraries still
 * go through all numbers there may be. */
static void raise_open_files(void)
{
    enum { ENOUGH = 4096 };
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur >= ENOUGH)
        return;
    files.rlim_cur = files.rlim_max < ENOUGH ? files.rlim_max : ENOUGH;
    setrlimit(RLIMIT_NOFILE, &files);
}

/* --- the end --- */

/* Where SIGPIPE is ignored: has the reader, `head` say, gone? */
static bool reader_left(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) > 0 && out.revents & POLLERR;
}

/* Output that was lost, on a full disk say, is a failure; a reader who has seen enough is none of
 * ours to complain of. */
int main(int argc, char **argv)
{
    enum { AS_IF_KILLED = 128 };
    free_cores(argc > 1 ? argv[1] : NULL);
    raise_open_files();
    json_set_alloc_funcs(orr_memory_get, free); /* so that no making of a value can fail */
    orr_terminal_begin();
    int status = run_command(argc, argv);
    if (status < 0)
        status = orr_cli_report_error();
    else if (status == ORR_OPTIONS_HELPED)
        status = ORR_EXIT_OK;
    bool lost = ferror(stdout) != 0;
    if (!fflush(stdout) && !lost)
        return status;
    if (reader_left())
        return AS_IF_KILLED + SIGPIPE;
    fputs("orrery: cannot write all of standard output; is its disk full?\n", stderr);
    return status ? status : ORR_EXIT_USAGE;
}
