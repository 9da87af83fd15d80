/* orrery table: published beside measured; what each access costs. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/roofline.h"
#include "cli/table_io.h"
#include "error.h"
#include "present/write.h"
#include "report/ceilings_table.h"

static int show(const struct orr_result_source *source, const char *what, const char *quantity,
                const struct orr_format *format, const char *path)
{
    struct orr_selection selection;
    struct orr_documents all = {0};
    int code = orr_cli_select(&selection, source, what);
    if (code)
        return code;
    selection.quantity = quantity;
    if (format->one_experiment && selection.target_count > 1)
        code = orr_fail(ORR_EUSAGE,
                        "%s has %zu experiments, and a %s file holds one: name one, as in %s/%s",
                        what, selection.target_count, format->name, what,
                        selection.targets[0].experiment->name);
    for (size_t k = 0; k < selection.target_count && !code; k++)
        code = orr_cli_add_documents(&all, &selection, &selection.targets[k]);
    if (!code)
        code = orr_cli_write_documents(&all, format, path);
    orr_cli_release_documents(&all);
    orr_selection_release(&selection);
    return code;
}

static int show_ceilings(const struct orr_result_source *source, const struct orr_format *format,
                         const char *path)
{
    struct orr_selection selection;
    struct orr_document document = {0};
    int code = orr_cli_select(&selection, source, NULL);
    if (code)
        return code;
    code = orr_ceilings_table(&document, &selection.ledger, source->machine);
    if (!code)
        code = orr_cli_write_documents(&(struct orr_documents){&document, 1}, format, path);
    orr_document_release(&document);
    orr_selection_release(&selection);
    return code;
}

int orr_cli_table(int argc, char **argv)
{
    struct orr_result_source source = {0};
    struct orr_words what = {0}, behind;
    const char *name = "md", *path = NULL, *of = NULL, *quantity = NULL;
    const struct orr_option options[] = {
        {"format", 'f', ORR_OPTION_TEXT, &name, "md|csv|tex|json", "how to write it; default md"},
        {"output", 'o', ORR_OPTION_TEXT, &path, "FILE",
         "write to a file instead of standard output"},
        ORR_QUANTITY_OPTION(of),
        ORR_RESULT_OPTIONS(source),
    };
    const struct orr_options all = {
        "table EXPERIMENT|PAPER|ceilings [options]\n       orrery table roofline "
        "[EXPERIMENT|PAPER...] [options]",
        "Published numbers beside measured ones, with intervals and ratios; or what each access\n"
        "costs a device, as `orrery run ceilings` measured it, and each program's distance from\n"
        "its rooflines.",
        options, sizeof options / sizeof *options};
    int code = orr_options_parse(&all, argc, argv, &what);
    if (!code)
        code = orr_cli_spell(&what);
    bool roofline = orr_cli_is_roofline(&behind, &what);
    if (!code && !roofline && what.count != 1)
        code =
            orr_fail(ORR_EUSAGE,
                     "table takes one experiment or paper, as in `orrery table fujiwara/table2`");
    if (!code)
        code = orr_cli_quantity(&quantity, of);
    if (!code && roofline && of)
        code = orr_fail(ORR_EUSAGE, "a roofline is of rates: --quantity says nothing there");
    const struct orr_format *format = code ? NULL : orr_format_find(name);
    if (!code && !format)
        code = ORR_EUSAGE;
    if (!code && roofline)
        code = orr_cli_roofline_table(&source, &behind, format, path);
    else if (!code && !strcmp(what.items[0], "ceilings"))
        code = show_ceilings(&source, format, path);
    else if (!code)
        code = show(&source, what.items[0], quantity, format, path);
    orr_options_release_words(&what);
    orr_options_release_words(&source.from);
    return orr_cli_status(code);
}
