/* orrery compare: the same work in two sets of results. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/text_table.h"
#include "cli/table_io.h"
#include "compare/compare.h"
#include "error.h"
#include "present/write.h"

struct wish {
    struct orr_words what, only, exclude;
    const char *format, *path, *fail_on;
    bool as_json;
};

/* The exit code. */
static int print(const struct orr_comparison *comparison, const struct wish *wish,
                 const struct orr_format *format)
{
    struct orr_document document;
    int code = orr_compare_document(&document, comparison), status = ORR_EXIT_OK;
    if (!code && wish->as_json)
        status = orr_text_table_json(orr_grid_json(orr_document_data(&document)));
    else if (!code)
        code = orr_cli_write_documents(&(struct orr_documents){&document, 1}, format, wish->path);
    orr_document_release(&document);
    return code ? orr_cli_report_error() : status;
}

/* The exit code. */
static int compare(const struct wish *wish, const struct orr_format *format)
{
    struct orr_comparison comparison;
    const struct orr_cell_globs globs = {wish->only.items, wish->exclude.items, wish->only.count,
                                         wish->exclude.count};
    char worse[2000];
    int code = orr_compare_load(&comparison, wish->what.items,
                                wish->what.count > 2 ? wish->what.items[2] : NULL);
    if (!code) {
        orr_cli_warn_damaged(&comparison.selection.ledger);
        code = orr_compare_make(&comparison, &globs);
    }
    int status = code ? orr_cli_report_error() : print(&comparison, wish, format);
    int found = status == ORR_EXIT_OK && wish->fail_on
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

static int check(const struct wish *wish)
{
    if (wish->what.count < 2 || wish->what.count > 3)
        return orr_fail(
            ORR_EUSAGE,
            "compare takes two sets of results, and an experiment or paper behind them where not"
            " everything is wanted, as in `orrery compare results/old results/new "
            "fujiwara/table2`");
    if (wish->fail_on && strcmp(wish->fail_on, "slower"))
        return orr_fail(ORR_EUSAGE, "--fail-on takes slower, not '%s'", wish->fail_on);
    if (wish->as_json && (wish->format || wish->path))
        return orr_fail(
            ORR_EUSAGE,
            "--json writes rows to standard output: it goes with neither --format nor --output");
    return 0;
}

int orr_cli_compare(int argc, char **argv)
{
    struct wish wish = {0};
    const struct orr_option options[] = {
        {"fail-on", 0, ORR_OPTION_TEXT, &wish.fail_on, "slower",
         "exit with 1 when a cell is slower or broken in B"},
        {"only", 0, ORR_OPTION_REPEAT, &wish.only, "GLOB", "only the cells that match; repeatable"},
        {"exclude", 0, ORR_OPTION_REPEAT, &wish.exclude, "GLOB",
         "all but the cells that match; repeatable"},
        {"json", 0, ORR_OPTION_FLAG, &wish.as_json, NULL, "one array of objects, one a cell"},
        {"format", 'f', ORR_OPTION_TEXT, &wish.format, "md|csv|tex|json",
         "how to write it; default md"},
        {"output", 'o', ORR_OPTION_TEXT, &wish.path, "FILE",
         "write to a file instead of standard output"},
    };
    const struct orr_options all = {"compare A[@DEVICE] B[@DEVICE] [EXPERIMENT|PAPER] [options]",
                                    "The same work in two sets of results: where B is faster or "
                                    "slower than A. A and B are what -r takes elsewhere:"
                                    "\na journal, a folder of journals or a machine. With devices "
                                    "named, A's is compared with B's.",
                                    options, sizeof options / sizeof *options};
    int code = orr_options_parse(&all, argc, argv, &wish.what);
    if (!code)
        code = check(&wish);
    const struct orr_format *format =
        code ? NULL : orr_format_find(wish.format ? wish.format : "md");
    if (code == ORR_OPTIONS_HELPED)
        code = ORR_EXIT_OK;
    else
        code = format ? compare(&wish, format) : orr_cli_report_error();
    orr_options_release_words(&wish.what);
    orr_options_release_words(&wish.only);
    orr_options_release_words(&wish.exclude);
    return code;
}
