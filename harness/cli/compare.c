/* orrery compare: the same work in two sets of results. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/text_table.h"
#include "cli/table_io.h"
#include "compare/compare.h"
#include "error.h"
#include "present/write.h"

struct request {
    struct orr_words what, only, exclude;
    const char *format, *path, *fail_on;
    bool as_json;
};

/* The exit code. */
static int print(const struct orr_comparison *comparison, const struct request *request,
                 const struct orr_format *format)
{
    struct orr_document document;
    int code = orr_compare_document(&document, comparison), status = ORR_EXIT_OK;
    if (!code && request->as_json)
        status = orr_text_table_json(orr_grid_json(orr_document_data(&document)));
    else if (!code)
        code =
            orr_cli_write_documents(&(struct orr_documents){&document, 1}, format, request->path);
    orr_document_release(&document);
    return code ? orr_cli_report_error() : status;
}

/* The exit code. */
static int compare(const struct request *request, const struct orr_format *format)
{
    struct orr_comparison comparison;
    const struct orr_cell_globs globs = {request->only.items, request->exclude.items,
                                         request->only.count, request->exclude.count};
    char worse[2000];
    int code = orr_compare_load(&comparison, request->what.items,
                                request->what.count > 2 ? request->what.items[2] : NULL);
    if (!code) {
        orr_cli_warn_damaged(&comparison.selection.ledger.damage);
        code = orr_compare_make(&comparison, &globs);
    }
    int status = code ? orr_cli_report_error() : print(&comparison, request, format);
    int found = status == ORR_EXIT_OK && request->fail_on
                    ? orr_compare_worse(worse, sizeof worse, &comparison)
                    : 0;
    if (found < 0)
        status = orr_cli_report_error();
    if (found > 0) {
        fprintf(stderr, "orrery: %s\n", worse);
        status = ORR_EXIT_DIFFERENCE;
    }
    orr_compare_release(&comparison);
    return status;
}

static int check(const struct request *request)
{
    if (request->what.count < 2 || request->what.count > 3)
        return orr_fail(
            ORR_EUSAGE,
            "compare takes two sets of results, and an experiment or paper behind them where not"
            " everything is wanted, as in `orrery compare results/old results/new "
            "fujiwara/table2`");
    if (request->fail_on && strcmp(request->fail_on, "slower"))
        return orr_fail(ORR_EUSAGE, "--fail-on takes slower, not '%s'", request->fail_on);
    if (request->as_json && (request->format || request->path))
        return orr_fail(
            ORR_EUSAGE,
            "--json writes rows to standard output: it goes with neither --format nor --output");
    return 0;
}

int orr_cli_compare(int argc, char **argv)
{
    struct request request = {0};
    const struct orr_option options[] = {
        {"fail-on", 0, ORR_OPTION_TEXT, &request.fail_on, "slower",
         "exit with 1 when a cell is slower or broken in B"},
        {"only", 0, ORR_OPTION_REPEAT, &request.only, "GLOB",
         "only the cells that match; repeatable"},
        {"exclude", 0, ORR_OPTION_REPEAT, &request.exclude, "GLOB",
         "all but the cells that match; repeatable"},
        {"json", 0, ORR_OPTION_FLAG, &request.as_json, NULL, "one array of objects, one a cell"},
        {"format", 'f', ORR_OPTION_TEXT, &request.format, "md|csv|tex|json",
         "how to write it; default md"},
        {"output", 'o', ORR_OPTION_TEXT, &request.path, "FILE",
         "write to a file instead of standard output"},
    };
    const struct orr_options all = {"compare A[@DEVICE] B[@DEVICE] [EXPERIMENT|PAPER] [options]",
                                    "The same work in two sets of results: where B is faster or "
                                    "slower than A. A and B are what -r takes elsewhere:"
                                    "\na journal, a folder of journals or a machine. With devices "
                                    "named, A's is compared with B's.",
                                    options, sizeof options / sizeof *options};
    int code = orr_options_parse(&all, argc, argv, &request.what);
    if (!code)
        code = check(&request);
    const struct orr_format *format =
        code ? NULL : orr_format_find(request.format ? request.format : "md");
    if (code == ORR_OPTIONS_HELPED)
        code = ORR_EXIT_OK;
    else
        code = format ? compare(&request, format) : orr_cli_report_error();
    orr_options_release_words(&request.what);
    orr_options_release_words(&request.only);
    orr_options_release_words(&request.exclude);
    return code;
}
