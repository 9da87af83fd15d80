#include "cli/compare_self.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/table_io.h"
#include "cli/text_table.h"
#include "error.h"
#include "memory.h"
#include "ledger/journal.h"
#include "present/write.h"
#include "run/cell_record.h"
#include "run/child.h"

/* --- a run --- */

enum { PATH_SIZE = 1024 };

/* Its command line, up to NULL; the words belong to the request. NULL without memory. */
static char **command_of(const struct orr_compare_self *request)
{
    const struct {
        const char *option;
        const struct orr_words *words;
    } lists[] = {{"--device", request->devices},
                 {"--set", request->set},
                 {"--only", request->only},
                 {"--exclude", request->exclude}};
    size_t count =
               5 + 2 * request->text_count + request->flag_count + (size_t)request->what->count + 1,
           used = 0;
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        count += 2 * (size_t)lists[k].words->count;
    const char **out = orr_memory_get(count * sizeof *out);
    out[used++] = "orrery";
    out[used++] = "run";
    for (int k = 0; k < request->what->count; k++)
        out[used++] = request->what->items[k];
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        for (int w = 0; w < lists[k].words->count; w++) {
            out[used++] = lists[k].option;
            out[used++] = lists[k].words->items[w];
        }
    for (size_t k = 0; k < request->text_count; k++)
        if (request->texts[k].value) {
            out[used++] = request->texts[k].option;
            out[used++] = request->texts[k].value;
        }
    for (size_t k = 0; k < request->flag_count; k++)
        if (request->flags[k])
            out[used++] = request->flags[k];
    if (request->root) {
        out[used++] = "-o";
        out[used++] = request->root;
    }
    return (char **)out;
}

/* In the child: a signal that ends this process interrupts the run, which then ends in good order.
 */
static _Noreturn void become(char **command, int output, void (*on_interrupt)(int))
{
    signal(SIGINT, on_interrupt);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (dup2(output, STDOUT_FILENO) >= 0)
        execv(ORR_CHILD_PROGRAM, command);
    _exit(127);
}

/* What the run prints goes to stderr; its last line names the journal. */
static void follow(char *journal, int output)
{
    static const char named[] = "journal: ";
    char line[PATH_SIZE];
    FILE *from = fdopen(output, "r");
    while (from && fgets(line, sizeof line, from)) {
        fputs(line, stderr);
        line[strcspn(line, "\n")] = '\0';
        if (!strncmp(line, named, strlen(named)))
            snprintf(journal, PATH_SIZE, "%s", line + strlen(named));
    }
    if (from)
        fclose(from);
    else
        close(output);
}

/* Its exit code, or a negative code when it could not be started. */
static int run(char *journal, char **command)
{
    int output[2], status = 0;
    *journal = '\0';
    if (pipe(output))
        return orr_fail(ORR_EIO, "cannot start a run: %s", strerror(errno));
    void (*on_interrupt)(int) =
        signal(SIGINT, SIG_IGN); /* the run ends by it, and then this does */
    pid_t child = fork();
    if (!child)
        become(command, output[1], on_interrupt);
    close(output[1]);
    if (child > 0) {
        follow(journal, output[0]);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
    } else {
        close(output[0]);
    }
    signal(SIGINT, on_interrupt);
    if (child < 0)
        return orr_fail(ORR_EIO, "cannot start a run: %s", strerror(errno));
    return WIFEXITED(status) ? WEXITSTATUS(status) : ORR_EXIT_INTERRUPTED;
}

static bool is_finished(int status, const char *journal)
{
    return *journal &&
           (status == ORR_EXIT_OK || status == ORR_EXIT_WRONG || status == ORR_EXIT_SOME_FAILED);
}

/* --- what came out --- */

/* The run's name, as journals are named after it. */
static void name_of(char *out, size_t size, const char *journal)
{
    const char *slash = strrchr(journal, '/'), *name = slash ? slash + 1 : journal;
    snprintf(out, size, "%.*s", (int)strcspn(name, "."), name);
}

/* Appends what was found to the second journal. */
static int keep(json_t *found, const char *first, const char *second)
{
    struct orr_journal journal = {.fd = -1};
    char name[64], finished[32];
    name_of(name, sizeof name, first);
    orr_cell_record_now(finished);
    json_t *record =
        json_pack("{s:s, s:s, s:s}", "record", "self", "finished", finished, "first", name);
    json_object_update(record, found);
    int code = orr_journal_reopen(&journal, second);
    if (!code)
        code = orr_journal_append(&journal, record);
    orr_journal_close(&journal);
    json_decref(record);
    return code;
}

static int compare(const struct orr_compare_self *request, char *const journals[2])
{
    static const struct orr_cell_globs all = {NULL, NULL, 0, 0};
    struct orr_comparison comparison;
    struct orr_document document = {0};
    json_t *found = NULL;
    int code = orr_compare_load(&comparison, journals, 2, NULL), status = ORR_EXIT_OK;
    if (!code) {
        orr_cli_warn_damaged(&comparison.selection.ledger.damage);
        code = orr_compare_make(&comparison, &all, &request->rule);
    }
    if (!code)
        code = orr_compare_twice(&document, &found, &comparison);
    if (!code)
        code = keep(found, journals[0], journals[1]);
    if (!code && request->as_json)
        status = orr_text_table_json(json_incref(found));
    else if (!code)
        code = orr_format_md.write(stdout, &document, 1);
    json_decref(found);
    orr_document_release(&document);
    orr_compare_release(&comparison);
    return code ? orr_cli_report_error() : status;
}

int orr_compare_self_run(const struct orr_compare_self *request)
{
    char journals[2][PATH_SIZE], *words[] = {journals[0], journals[1]};
    char **command = command_of(request);
    int status = ORR_EXIT_OK;
    for (int k = 0; k < 2; k++) {
        fprintf(stderr, "orrery: measuring %s\n", k ? "again" : "the first time");
        status = run(journals[k], command);
        if (!is_finished(status, journals[k]))
            break;
        if (k == 1)
            status = compare(request, words);
    }
    free(command);
    return status < 0 ? orr_cli_report_error() : status;
}
