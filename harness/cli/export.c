/* orrery export: journals as an artifact that somebody else can evaluate. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "artifact/artifact.h"
#include "cli/claims_parts.h"
#include "cli/cli.h"
#include "cli/export_parts.h"
#include "cli/journal_copies.h"
#include "cli/new_folder.h"
#include "cli/table_io.h"
#include "error.h"
#include "json_member.h"
#include "present/write.h"
#include "sandbox.h"

struct request {
    struct orr_result_source source;
    struct orr_words what, authors;
    const char *target, *licence;
    struct orr_new_folder folder;
    struct orr_journal_copies copies;
};

/* --- journals --- */

static int check_journals(const struct orr_ledger *ledger)
{
    if (!ledger->journals)
        return orr_fail(ORR_EUSAGE, "there are no results to export; name some with -r");
    if (!ledger->damage.count)
        return 0;
    char named[sizeof ledger->damage.text];
    snprintf(named, sizeof named, "%s", ledger->damage.text);
    return orr_fail(ORR_EINPUT,
                    "nothing was exported: %zu damaged line%s in the journals: %s; `orrery run "
                    "--resume` measures such cells again",
                    ledger->damage.count, ledger->damage.count == 1 ? "" : "s", named);
}

static int copy_journals(struct request *request, const char *results, const char *paper)
{
    struct orr_selection all = {0};
    struct orr_journal_copies *copies = &request->copies;
    int code = orr_cli_select(&all, &request->source, paper);
    if (!code)
        code = check_journals(&all.ledger);
    if (!code && mkdir(results, 0777))
        code = orr_fail(ORR_EIO, "cannot make the folder %s: %s", results, strerror(errno));
    *copies = (struct orr_journal_copies){.ledger = &all.ledger,
                                          .folder = results,
                                          .machines = request->source.machines.items,
                                          .machine_count = request->source.machines.count,
                                          .paper = paper};
    if (!code)
        code = orr_journal_copies_write(copies);
    if (!code && !copies->count)
        code = orr_fail(ORR_EUSAGE, "no journal has results of what was asked for");
    orr_selection_release(&all);
    return code;
}

/* --- verdicts --- */

/* Cells tell their journal by its path in the artifact. */
static void make_relative(json_t *verdicts, const char *folder)
{
    size_t v, p, c, length = strlen(folder);
    json_t *verdict, *part, *cell;
    json_array_foreach(verdicts, v, verdict)
    {
        json_array_foreach(json_object_get(verdict, "parts"), p, part)
        {
            json_array_foreach(json_object_get(part, "cells"), c, cell)
            {
                const char *file = orr_json_text(cell, "file");
                if (file && !strncmp(file, folder, length) && file[length] == '/')
                    json_object_set_new(cell, "file", json_string(file + length + 1));
            }
        }
    }
}

static int judge(json_t *verdicts, struct orr_selection *selection, const char *folder,
                 const char *paper)
{
    int code = orr_cli_claims_judge(selection, paper);
    if (!code)
        code = orr_cli_claims_gather(verdicts, selection);
    make_relative(verdicts, folder);
    orr_cli_with_schema(verdicts, ORR_CLAIMS_SCHEMA);
    return code;
}

/* --- the command --- */

/* What is told is of the journals that were copied, not of those that they were copied from. */
static int write_artifact(struct request *request, const char *results, const char *paper)
{
    char *from[] = {(char *)results};
    const struct orr_wish wish = {.from = from, .from_count = 1};
    struct orr_selection selection = {0};
    json_t *verdicts = json_array(), *about = NULL;
    int code = orr_selection_make(&selection, &wish, paper);
    if (!code && request->source.timeout_s > 0)
        orr_ledger_limit(&selection.ledger, request->source.timeout_s, NULL);
    if (!code)
        code = judge(verdicts, &selection, request->folder.path, paper);
    const struct orr_export export = {&selection, results, &request->authors, request->licence,
                                      verdicts};
    if (!code)
        code = orr_export_about(&about, &export);
    if (!code)
        code = orr_export_commands(about, &export);
    if (!code)
        code = orr_artifact_write(request->folder.path, about, verdicts);
    json_decref(about);
    json_decref(verdicts);
    orr_selection_release(&selection);
    return code;
}

static int export_all(struct request *request)
{
    const char *paper = request->what.count ? request->what.items[0] : NULL;
    struct orr_paper *named = NULL;
    char results[1100];
    int code =
        paper ? orr_paper_load(&named, paper) : 0; /* the paper, not one of its experiments */
    orr_paper_free(named);
    if (!code)
        code = orr_new_folder_choose(&request->folder, request->target, "export");
    if (!code)
        code = orr_new_folder_begin(&request->folder);
    snprintf(results, sizeof results, "%s/results", request->folder.path);
    if (!code)
        code = copy_journals(request, results, paper);
    if (!code)
        code = orr_sandbox_open();
    if (!code)
        code = write_artifact(request, results, paper);
    orr_sandbox_close();
    if (!code)
        code = orr_new_folder_commit(&request->folder);
    orr_new_folder_abandon(&request->folder);
    if (!code)
        printf("%zu journal%s, described in %s/README.md; `orrery check %s` reads it as a reviewer "
               "does\n",
               request->copies.count, request->copies.count == 1 ? "" : "s", request->folder.to,
               request->folder.to);
    return code;
}

static int check(const struct request *request)
{
    if (!request->target || !*request->target)
        return orr_fail(ORR_EUSAGE, "export needs --artifact DIR, the folder to write");
    if (request->what.count > 1)
        return orr_fail(ORR_EUSAGE, "export takes one paper, as in `orrery export fujiwara "
                                    "--artifact DIR`, or none for all of them");
    return 0;
}

int orr_cli_export(int argc, char **argv)
{
    struct request request = {.source.several = true, .licence = "MIT"};
    const struct orr_option options[] = {
        {"artifact", 0, ORR_OPTION_TEXT, &request.target, "DIR",
         "the folder to write, a new one: description, claims with commands, times and expected "
         "verdicts, journals, hashes, RO-Crate metadata"},
        {"author", 0, ORR_OPTION_REPEAT, &request.authors, "NAME",
         "of the artifact; repeatable, in order"},
        {"licence", 0, ORR_OPTION_TEXT, &request.licence, "ID",
         "SPDX name of the licence of what is written; default: MIT"},
        ORR_RESULT_OPTIONS(request.source),
    };
    const struct orr_options all = {
        "export [PAPER] --artifact DIR [options]",
        "Results as an artifact for evaluation: what SC, PPoPP and ACM ask of one, and what\n"
        "`orrery check DIR` and `sha256sum -c` need.",
        options, sizeof options / sizeof *options};
    int code = orr_options_parse(&all, argc, argv, &request.what);
    if (!code)
        code = orr_cli_spell(&request.what);
    if (!code)
        code = check(&request);
    if (!code)
        code = export_all(&request);
    orr_options_release_words(&request.what);
    orr_options_release_words(&request.authors);
    orr_cli_release_source(&request.source);
    return orr_cli_status(code);
}
