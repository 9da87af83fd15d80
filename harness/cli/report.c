/* orrery report: one HTML page with everything. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/table_io.h"
#include "error.h"
#include "report/report.h"

static int show(const struct orr_result_source *source, const char *folder)
{
    struct orr_selection selection;
    struct orr_report report;
    int code = orr_cli_select(&selection, source, NULL);
    if (code)
        return code;
    code = orr_report_write(&report, &selection, folder);
    if (!code && *report.warning)
        fprintf(stderr, "orrery: warning: figures are missing: %s\n", report.warning);
    if (!code)
        printf("%s\n", report.page);
    orr_selection_release(&selection);
    return code;
}

int orr_cli_report(int argc, char **argv)
{
    struct orr_result_source source = {0};
    const char *folder = "report";
    const struct orr_option options[] = {
        {"output", 'o', ORR_OPTION_TEXT, &folder, "DIR",
         "where to write index.html and the tables; default: report"},
        ORR_RESULT_OPTIONS(source),
    };
    const struct orr_options all = {"report [options]",
                                    "One HTML page with every table, figure, failure and source.",
                                    ORR_OPTION_TABLE(options)};
    int code = orr_options_parse(&all, argc, argv, NULL);
    if (!code)
        code = show(&source, folder);
    return orr_cli_status(code);
}
