/* SPDX-License-Identifier: MIT */
/* orrery table, plot, generations and report: published beside measured, what each access costs,
 * what is shown of whole papers on all devices at once, and HTML pages with everything. */
#include "cli/cli.h"
#include "compare/compare.h"
#include "present/layout.h"
#include "report/report.h"
#include "terminal.h"

/* A view of a paper, or of some of its experiments, on all devices at once. */
struct overview {
    const char *name, *about; /* what a --quantity would have to know */
    bool several;             /* machines may be named; else a figure is of one */
    const struct orr_layout_overview *layout;
};
static const struct overview overviews[] = {
    {"roofline", "a roofline is of rates", false, &orr_layout_roofline},
    {"generations", "generations are of times", true, &orr_compare_generations},
};

struct request {
    struct orr_result_source source;
    struct orr_words what;
    const struct overview *overview; /* NULL: of experiments, or of ceilings */
    bool ceilings;
    const char *quantity;            /* a layout; NULL: the experiment's own */
    const struct orr_format *format; /* NULL: figures */
    const char *path;
    struct orr_documents documents;
};

/* --- figures --- */

/* Draws what was made with that code into the file of -o, or in the current folder as .svg, .png
 * and .pdf of that name, "roofline-shan-table3": a name of an experiment has a slash. */
static int draw_figure(const struct request *r, struct orr_plot *plot, int code, char *name)
{
    static const char *const endings[] = {"svg", "png", "pdf"};
    for (char *c = name; (c = strchr(c, '/'));)
        *c = '-';
    for (size_t k = 0; k < (r->path ? 1 : sizeof endings / sizeof *endings) && !code; k++) {
        char file[300];
        snprintf(file, sizeof file, "%s.%s", name, endings[k]);
        code = orr_plot_draw(plot, r->path ? r->path : file, NULL);
        if (!code)
            puts(r->path ? r->path : file);
    }
    orr_plot_release(plot);
    return code;
}

static void warn_of_machines(size_t count, const char *what, const char *machine)
{
    if (count > 1)
        fprintf(stderr,
                "orrery: warning: %zu machines measured %s; the plot is of '%s', --machine chooses "
                "another\n",
                count, what, machine);
}

static int draw_target(const struct request *r, const struct orr_selection *selection,
                       const struct orr_target *target)
{
    __attribute__((cleanup(orr_selection_release_scopes))) struct orr_scopes scopes = {0};
    struct orr_plot plot;
    char name[160];
    int code = orr_selection_scopes(&scopes, selection, target);
    if (code)
        return code;
    const struct orr_scope *scope = scopes.items;
    warn_of_machines(scopes.count, scope->name, scope->machine);
    snprintf(name, sizeof name, "%s%s%s", scope->name, scope->quantity ? "-" : "",
             scope->quantity ? scope->quantity : "");
    code = orr_layout_show(NULL, &plot, scope);
    return draw_figure(r, &plot, code, name);
}

/* --- tables --- */

static int add_target(struct request *r, const struct orr_selection *selection,
                      const struct orr_target *target)
{
    return selection->machine_count > 1
               ? orr_compare_across(orr_cli_new_document(&r->documents), selection, target, NULL)
               : orr_cli_add_documents(&r->documents, selection, target);
}

/* --- both --- */

/* One of several experiments may have nothing to show yet: that is no failure. */
static int pass_over(int code, bool several)
{
    if (code != ORR_EUSAGE || !several)
        return code;
    fprintf(stderr, "orrery: warning: %s\n", orr_error_text());
    orr_error_clear();
    return 0;
}

/* Tables and figures are of the defaults. */
static void say_tuned(const struct orr_selection *selection)
{
    double tuned;
    if (orr_ledger_numbers(&tuned, 1, &selection->ledger,
                           "SELECT count(*) FROM cell WHERE tuning = 'used'", "") > 0 &&
        tuned > 0)
        fprintf(stderr,
                "orrery: %.0f cells with tuned settings are left out, since tables are of the "
                "defaults; `orrery query \"SELECT * FROM cells WHERE tuning = 'used'\"` has them\n",
                tuned);
}

static int show_experiments(struct request *r, const struct orr_selection *selection,
                            const char *what)
{
    struct orr_waiting waiting = {.to = stderr};
    const bool several = selection->target_count > 1;
    int code = 0;
    say_tuned(selection);
    if (several && r->format && r->format->one_experiment)
        return orr_fail(ORR_EUSAGE,
                        "%s has %zu experiments, and a %s file holds one: name one, as in %s/%s",
                        what, selection->target_count, r->format->name, what,
                        selection->targets[0].experiment->name);
    if (several && !r->format && r->path)
        return orr_fail(
            ORR_EUSAGE,
            "%s has %zu experiments, and -o names one file: name one experiment, or leave -o out",
            what, selection->target_count);
    for (size_t k = 0; k < selection->target_count && !code; k++) {
        const struct orr_target *target = &selection->targets[k];
        if (r->format)
            orr_waiting_at(&waiting, "table", target->experiment->name, k, selection->target_count);
        code = r->format ? add_target(r, selection, target)
                         : pass_over(draw_target(r, selection, target), several);
    }
    orr_waiting_end(&waiting);
    return code;
}

/* Rooflines have a panel a device: a figure is of one machine, if none is named of the newest. */
static int choose_machine(struct orr_selection *one, char *name, size_t size,
                          const struct orr_paper *paper)
{
    sqlite3_stmt *row;
    int code = orr_ledger_query(&row, &one->ledger,
                                "SELECT machine, count(*) OVER () FROM cells WHERE paper = ?"
                                " GROUP BY machine ORDER BY max(run_started) DESC, machine LIMIT 1",
                                "s", paper->key);
    while (orr_ledger_row(&code, row, &one->ledger)) {
        snprintf(name, size, "%s", orr_ledger_text(row, 0));
        one->machine = name;
        warn_of_machines((size_t)sqlite3_column_int(row, 1), paper->key, name);
    }
    return code;
}

/* `what` NULL: every paper. */
static int show_papers(struct request *r, const struct orr_selection *selection, const char *what)
{
    const struct orr_layout_overview *layout = r->overview->layout;
    int code = 0;
    for (size_t k = 0; k < selection->paper_count && !code; k++) {
        const struct orr_paper *paper = selection->papers[k];
        struct orr_selection one = *selection;
        struct orr_plot plot;
        const char *shown = what ? what : paper->key;
        char machine[256], name[256];
        snprintf(name, sizeof name, "%s-%s", r->overview->name, shown);
        if (r->format) {
            code = orr_layout_overview(orr_cli_new_document(&r->documents), NULL, layout, selection,
                                       paper, shown);
        } else if (r->overview->several || one.machine ||
                   !(code = choose_machine(&one, machine, sizeof machine, paper))) {
            code = orr_layout_overview(NULL, &plot, layout, &one, paper, shown);
            code = draw_figure(r, &plot, code, name);
        }
        code = pass_over(code, !what);
    }
    return code;
}

static int show_word(struct request *r, const char *word)
{
    __attribute__((cleanup(orr_selection_release))) struct orr_selection selection = {0};
    if (orr_cli_select(&selection, &r->source, r->ceilings ? NULL : word))
        return orr_error_failed();
    selection.quantity = r->quantity;
    if (r->ceilings)
        return orr_report_ceilings(orr_cli_new_document(&r->documents), &selection.ledger,
                                   selection.machine);
    return (r->overview ? show_papers : show_experiments)(r, &selection, word);
}

static int show_words(struct request *r)
{
    int code = 0;
    if (r->overview && r->what.count != 1 && r->format && r->format->one_experiment)
        return orr_fail(ORR_EUSAGE, "a %s file holds one table: name one experiment or paper",
                        r->format->name);
    if (r->overview && r->what.count != 1 && !r->format && r->path)
        return orr_fail(ORR_EUSAGE,
                        "-o names one file: name one experiment or paper, as in "
                        "`orrery plot %s shan -o shan.png`",
                        r->overview->name);
    for (int k = 0; !code && (k < r->what.count || !k); k++)
        code = show_word(r, r->what.count ? r->what.items[k] : NULL);
    if (!code && r->format)
        code = orr_cli_write_documents(&r->documents, r->format, r->path);
    orr_cli_release_documents(&r->documents);
    return code;
}

/* The overview that the first word names, which is taken away. */
static const struct overview *take_overview(struct orr_words *words)
{
    const struct overview *found = words->count ? orr_names_among(*words->items, overviews) : NULL;
    if (found)
        *words = (struct orr_words){words->items + 1, words->count - 1};
    return found;
}

/* `--quantity`: NULL for the time, which is what an experiment is about, else the name of a
 * layout. */
static int read_quantity(struct request *r, const char *name)
{
    static const char *const all[] = {"time", "energy"};
    char hint[64];
    r->quantity = name && !strcmp(name, all[1]) ? all[1] : NULL;
    if (name && !orr_names_among(name, all))
        return orr_fail(ORR_EUSAGE, "--quantity takes time or energy, not '%s'%s", name,
                        orr_text_hint(hint, sizeof hint, name, all, sizeof all / sizeof *all));
    if (name && r->overview)
        return orr_fail(ORR_EUSAGE, "%s: --quantity says nothing there", r->overview->about);
    return 0;
}

/* --- the commands --- */

/* `orrery table`, `plot` and `generations`. Experiments and generations show several machines,
 * ceilings and rooflines one, and a figure those of generations alone. */
int orr_cli_table(int argc, char **argv)
{
    const bool named = strcmp(argv[0], "generations"), table = strcmp(argv[0], "plot");
    struct request r = {.overview = named ? NULL : &overviews[1]};
    const char *format = "md", *quantity = NULL;
    bool as_json = false;
    const struct orr_option options[] = {{"format", &format},
                                         {"json", &as_json},
                                         {"output", &r.path},
                                         {"quantity", &quantity},
                                         ORR_RESULT_OPTIONS(r.source)};
    int code = orr_options_parse(argv[0], ORR_OPTIONS(options), argc, argv, &r.what);
    if (!code && named && (r.overview = take_overview(&r.what)) == NULL && r.what.count != 1)
        code = orr_fail(
            ORR_EUSAGE, "%s",
            table ? "table takes one experiment or paper, as in `orrery table fujiwara/table2`"
                  : "plot takes one experiment or paper, as in `orrery plot fujiwara/fig13`");
    if (!code)
        code = read_quantity(&r, quantity);
    if (!code && table && r.quantity && r.source.machines.count > 1)
        code =
            orr_fail(ORR_EUSAGE, "--quantity shows one machine, not %d", r.source.machines.count);
    r.ceilings = !code && table && !r.overview && !strcmp(r.what.items[0], "ceilings");
    r.source.several = r.overview ? r.overview->several : table && !r.ceilings;
    r.source.alone = !r.overview;
    if (!code && table && !(r.format = orr_format_find(as_json ? "json" : format)))
        code = ORR_EUSAGE;
    return code ? code : show_words(&r);
}

static int write_report(const struct orr_result_source *source, const char *folder)
{
    __attribute__((cleanup(orr_selection_release))) struct orr_selection selection = {0};
    struct orr_report report;
    if (orr_cli_select(&selection, source, NULL) || orr_report_write(&report, &selection, folder))
        return orr_error_failed();
    if (*report.warning)
        fprintf(stderr, "orrery: warning: figures are missing: %s\n", report.warning);
    printf("%s\n", report.page);
    return 0;
}

int orr_cli_report(int argc, char **argv)
{
    struct orr_result_source source = {0};
    const char *folder = "report";
    const struct orr_option options[] = {{"output", &folder}, ORR_RESULT_OPTIONS(source)};
    int code = orr_options_parse("report", ORR_OPTIONS(options), argc, argv, NULL);
    if (!code)
        code = write_report(&source, folder);
    return code;
}
