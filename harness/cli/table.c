/* orrery table: published beside measured; what each access costs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/table_io.h"
#include "compare/sides.h"
#include "error.h"
#include "memory.h"
#include "present/write.h"
#include "report/ledger_table.h"
#include "terminal.h"

/* The machines side by side, as they were named. */
static int add_across(struct orr_documents *all, const struct orr_selection *selection,
                      const struct orr_target *target)
{
    struct orr_across_side *sides =
        orr_memory_get((size_t)selection->machine_count * sizeof *sides);
    for (int k = 0; k < selection->machine_count; k++)
        sides[k] = (struct orr_across_side){.operand = "",
                                            .machine = selection->machines[k],
                                            .device = "",
                                            .label = selection->machines[k]};
    int code = orr_sides_across(orr_cli_new_document(all), selection, target, sides,
                                (size_t)selection->machine_count, NULL);
    free(sides);
    return code;
}

static int add_experiments(struct orr_documents *all, struct orr_selection *selection,
                           const char *what, const struct orr_format *format)
{
    struct orr_waiting waiting;
    int code = 0;
    orr_cli_say_tuned(selection);
    if (format->one_experiment && selection->target_count > 1)
        return orr_fail(ORR_EUSAGE,
                        "%s has %zu experiments, and a %s file holds one: name one, as in %s/%s",
                        what, selection->target_count, format->name, what,
                        selection->targets[0].experiment->name);
    orr_waiting_begin(&waiting, stderr);
    for (size_t k = 0; k < selection->target_count && !code; k++) {
        const struct orr_target *target = &selection->targets[k];
        orr_waiting_at(&waiting, "table", target->experiment->name, k, selection->target_count);
        code = selection->machine_count > 1 ? add_across(all, selection, target)
                                            : orr_cli_add_documents(all, selection, target);
    }
    orr_waiting_end(&waiting);
    return code;
}

static int show(const struct orr_result_source *source, const char *what, const char *quantity,
                const struct orr_format *format, const char *path)
{
    struct orr_selection selection;
    struct orr_documents all = {0};
    const bool ceilings = !strcmp(what, "ceilings");
    int code = orr_cli_select(&selection, source, ceilings ? NULL : what);
    if (code)
        return code;
    selection.quantity = quantity;
    code = ceilings ? orr_report_ceilings(orr_cli_new_document(&all), &selection.ledger,
                                          selection.machine)
                    : add_experiments(&all, &selection, what, format);
    if (!code)
        code = orr_cli_write_documents(&all, format, path);
    orr_cli_release_documents(&all);
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
        "table EXPERIMENT|PAPER|ceilings [options]\n       orrery table roofline|generations "
        "[EXPERIMENT|PAPER...] [options]",
        "Published numbers beside measured ones, with intervals and ratios; or what each access\n"
        "costs a device, as `orrery run ceilings` measured it, and each program's distance from\n"
        "its rooflines.",
        options, sizeof options / sizeof *options};
    int code = orr_options_parse(&all, argc, argv, &what);
    if (!code)
        code = orr_cli_spell(&what);
    const struct orr_overview *overview = orr_overview_find(&behind, &what);
    if (!code && !overview && what.count != 1)
        code =
            orr_fail(ORR_EUSAGE,
                     "table takes one experiment or paper, as in `orrery table fujiwara/table2`");
    if (!code)
        code = orr_cli_quantity(&quantity, of);
    if (!code && overview && of)
        code = orr_overview_no_quantity(overview);
    if (!code && quantity && source.machines.count > 1)
        code = orr_fail(ORR_EUSAGE, "--quantity shows one machine, not %d", source.machines.count);
    /* Of experiments and generations; ceilings and rooflines are of one machine. */
    source.several =
        !code && (overview ? overview->several : strcmp(what.items[0], "ceilings") != 0);
    source.alone = !overview;
    const struct orr_format *format = code ? NULL : orr_format_find(name);
    if (!code && !format)
        code = ORR_EUSAGE;
    if (!code && overview)
        code = orr_overview_table(overview, &source, &behind, format, path);
    else if (!code)
        code = show(&source, what.items[0], quantity, format, path);
    orr_options_release_words(&what);
    orr_cli_release_source(&source);
    return orr_cli_status(code);
}
