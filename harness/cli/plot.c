/* orrery plot: the figure. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/table_io.h"
#include "error.h"
#include "present/layout.h"

/* Draws into `path`, or as <paper>-<experiment>.svg and .png in the current folder. */
static int draw(const struct orr_scope *scope, const char *path)
{
    static const char *const endings[] = {"svg", "png"};
    for (size_t k = 0; k < (path ? 1 : 2); k++) {
        struct orr_plot plot;
        char name[300];
        snprintf(name, sizeof name, "%s-%s%s%s.%s", scope->paper->key, scope->experiment->name,
                 scope->quantity ? "-" : "", scope->quantity ? scope->quantity : "", endings[k]);
        int code = orr_layout_plot(&plot, scope);
        if (!code)
            code = orr_plot_draw(&plot, path ? path : name);
        orr_plot_release(&plot);
        if (code)
            return code;
        printf("%s\n", path ? path : name);
    }
    return 0;
}

static int draw_target(const struct orr_selection *selection, const struct orr_target *target,
                       const char *path)
{
    struct orr_scopes scopes;
    int code = orr_selection_scopes(&scopes, selection, target);
    if (code)
        return code;
    if (scopes.count > 1)
        fprintf(stderr,
                "orrery: warning: %zu machines measured %s; the plot is of '%s', --machine chooses "
                "another\n",
                scopes.count, scopes.items[0].name, scopes.names[0]);
    code = draw(&scopes.items[0], path);
    orr_selection_release_scopes(&scopes);
    return code;
}

static int show(const struct orr_result_source *source, const char *what, const char *quantity,
                const char *path)
{
    struct orr_selection selection;
    int code = orr_cli_select(&selection, source, what);
    if (code)
        return code;
    selection.quantity = quantity;
    orr_cli_say_tuned(&selection);
    bool several = selection.target_count > 1;
    if (several && path)
        code = orr_fail(
            ORR_EUSAGE,
            "%s has %zu experiments, and -o names one file: name one experiment, or leave -o out",
            what, selection.target_count);
    for (size_t k = 0; k < selection.target_count && !code; k++) {
        code = draw_target(&selection, &selection.targets[k], path);
        if (several &&
            code == ORR_EUSAGE) { /* an experiment of the paper that has nothing to plot yet */
            fprintf(stderr, "orrery: warning: %s\n", orr_error_text());
            orr_error_clear();
            code = 0;
        }
    }
    orr_selection_release(&selection);
    return code;
}

int orr_cli_plot(int argc, char **argv)
{
    struct orr_result_source source = {0};
    struct orr_words what = {0}, behind;
    const char *path = NULL, *of = NULL, *quantity = NULL;
    const struct orr_option options[] = {
        {"output", 'o', ORR_OPTION_TEXT, &path, "FILE.svg|png",
         "default: both, named after the experiment, in this folder"},
        ORR_QUANTITY_OPTION(of),
        ORR_RESULT_OPTIONS(source),
    };
    const struct orr_options all = {
        "plot EXPERIMENT|PAPER [options]\n       orrery plot roofline|generations "
        "[EXPERIMENT|PAPER...] [options]",
        "The figure, with published points beside measured ones; or the rooflines of papers, or\n"
        "their programs over the years of the devices.",
        options, sizeof options / sizeof *options};
    int code = orr_options_parse(&all, argc, argv, &what);
    if (!code)
        code = orr_cli_spell(&what);
    const struct orr_overview *overview = orr_overview_find(&behind, &what);
    if (!code && !overview && what.count != 1)
        code = orr_fail(ORR_EUSAGE,
                        "plot takes one experiment or paper, as in `orrery plot fujiwara/fig13`");
    if (!code)
        code = orr_cli_quantity(&quantity, of);
    if (!code && overview && of)
        code = orr_overview_no_quantity(overview);
    source.alone = !overview;
    if (!code)
        source.several = overview && overview->several;
    if (!code)
        code = overview ? orr_overview_plot(overview, &source, &behind, path)
                        : show(&source, what.items[0], quantity, path);
    orr_options_release_words(&what);
    orr_cli_release_source(&source);
    return orr_cli_status(code);
}
