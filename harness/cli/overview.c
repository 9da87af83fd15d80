#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/table_io.h"
#include "compare/generations.h"
#include "error.h"
#include "memory.h"
#include "present/layout.h"
#include "present/write.h"

enum { ROOFLINE, GENERATIONS };
static const struct orr_overview overviews[] = {
    [ROOFLINE] = {"roofline", "a roofline is of rates", false, &orr_layout_roofline},
    [GENERATIONS] = {"generations", "generations are of times", true, &orr_generations},
};

/* What it is made into: a file, or one more document. */
struct target {
    const struct orr_overview *overview;
    const char *path; /* NULL: files named after what was asked for */
    struct orr_documents *documents;
    int (*show)(const struct target *target, const struct orr_selection *selection,
                const struct orr_paper *paper, const char *what);
};

const struct orr_overview *orr_overview_find(struct orr_words *behind,
                                             const struct orr_words *words)
{
    for (size_t k = 0; words->count && k < sizeof overviews / sizeof *overviews; k++)
        if (!strcmp(words->items[0], overviews[k].name)) {
            *behind = (struct orr_words){words->items + 1, words->count - 1};
            return &overviews[k];
        }
    return NULL;
}

int orr_overview_no_quantity(const struct orr_overview *overview)
{
    return orr_fail(ORR_EUSAGE, "%s: --quantity says nothing there", overview->about);
}

/* Every paper of the selection. A paper without anything to draw is no failure where others have
 * something. */
static int show_papers(const struct target *target, const struct orr_selection *selection,
                       const char *what)
{
    int code = 0;
    for (size_t k = 0; k < selection->paper_count && !code; k++) {
        const struct orr_paper *paper = selection->papers[k];
        code = target->show(target, selection, paper, what ? what : paper->key);
        if (code == ORR_EUSAGE && !what) {
            fprintf(stderr, "orrery: warning: %s\n", orr_error_text());
            orr_error_clear();
            code = 0;
        }
    }
    return code;
}

static int show_all(const struct target *target, const struct orr_result_source *source,
                    const struct orr_words *what)
{
    int code = 0;
    for (int k = 0; !code && (k < what->count || !k); k++) {
        struct orr_selection selection;
        const char *word = what->count ? what->items[k] : NULL;
        code = orr_cli_select(&selection, source, word);
        if (code)
            return code;
        code = show_papers(target, &selection, word);
        orr_selection_release(&selection);
    }
    return code;
}

/* "roofline-shan-table3.svg": a name of an experiment has a slash. */
static void name_file(char *out, size_t size, const struct target *target, const char *what,
                      const char *ending)
{
    snprintf(out, size, "%s-%s.%s", target->overview->name, what, ending);
    for (char *c = out; *c; c++)
        if (*c == '/')
            *c = '-';
}

static int draw(const struct target *target, const struct orr_selection *selection,
                const struct orr_paper *paper, const char *what)
{
    static const char *const endings[] = {"svg", "png"};
    int code = 0;
    for (size_t k = 0; k < (target->path ? 1 : 2) && !code; k++) {
        struct orr_plot plot;
        char name[300];
        name_file(name, sizeof name, target, what, endings[k]);
        code = orr_layout_overview_plot(&plot, target->overview->layout, selection, paper, what);
        if (!code)
            code = orr_plot_draw(&plot, target->path ? target->path : name);
        orr_plot_release(&plot);
        if (!code)
            printf("%s\n", target->path ? target->path : name);
    }
    return code;
}

int orr_overview_plot(const struct orr_overview *overview, const struct orr_result_source *source,
                      const struct orr_words *what, const char *path)
{
    const struct target target = {.overview = overview, .path = path, .show = draw};
    if (path && what->count != 1)
        return orr_fail(ORR_EUSAGE,
                        "-o names one file: name one experiment or paper, as in "
                        "`orrery plot %s shan -o shan.png`",
                        overview->name);
    return show_all(&target, source, what);
}

static int add_document(const struct target *target, const struct orr_selection *selection,
                        const struct orr_paper *paper, const char *what)
{
    return orr_layout_overview_table(orr_cli_new_document(target->documents),
                                     target->overview->layout, selection, paper, what);
}

int orr_overview_table(const struct orr_overview *overview, const struct orr_result_source *source,
                       const struct orr_words *what, const struct orr_format *format,
                       const char *path)
{
    struct orr_documents all = {0};
    const struct target target = {.overview = overview, .documents = &all, .show = add_document};
    int code = 0;
    if (format->one_experiment && what->count != 1)
        code = orr_fail(ORR_EUSAGE, "a %s file holds one table: name one experiment or paper",
                        format->name);
    if (!code)
        code = show_all(&target, source, what);
    if (!code)
        code = orr_cli_write_documents(&all, format, path);
    orr_cli_release_documents(&all);
    return code;
}

/* --- orrery generations --- */

int orr_cli_generations(int argc, char **argv)
{
    struct orr_result_source source = {.several = true};
    struct orr_words what = {0};
    const char *name = "md", *path = NULL;
    bool as_json = false;
    const struct orr_option options[] = {
        {"format", 'f', ORR_OPTION_TEXT, &name, "md|csv|tex|json", "how to write it; default md"},
        {"json", 0, ORR_OPTION_FLAG, &as_json, NULL, "--format json"},
        {"output", 'o', ORR_OPTION_TEXT, &path, "FILE",
         "write to a file instead of standard output"},
        ORR_RESULT_OPTIONS(source),
    };
    const struct orr_options all = {
        "generations [EXPERIMENT|PAPER...] [options]",
        "Each program from the card that its paper names to each device measured: how many times\n"
        "as fast, taken apart into clock, lanes, slots, share of the limit and algorithm, and by\n"
        "peak, bandwidth and watt; and whether the order of the programs is kept. The figure is\n"
        "`orrery plot generations`.",
        options, sizeof options / sizeof *options};
    int code = orr_options_parse(&all, argc, argv, &what);
    const struct orr_format *format = code ? NULL : orr_format_find(as_json ? "json" : name);
    if (!code)
        code = !format ? ORR_EUSAGE
                       : orr_overview_table(&overviews[GENERATIONS], &source, &what, format, path);
    orr_options_release_words(&what);
    orr_cli_release_source(&source);
    return orr_cli_status(code);
}
