#include "cli/roofline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "present/roofline.h"
#include "present/write.h"

/* What a roofline is made into: a file, or one more document. */
struct target {
    const char *path; /* NULL: files named after what was asked for */
    struct orr_documents *documents;
    int (*show)(const struct target *target, const struct orr_selection *selection,
                const struct orr_paper *paper, const char *what);
};

bool orr_cli_is_roofline(struct orr_words *out, const struct orr_words *words)
{
    if (!words->count || strcmp(words->items[0], "roofline") != 0)
        return false;
    *out = (struct orr_words){words->items + 1, words->count - 1};
    return true;
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
static void name_file(char *out, size_t size, const char *what, const char *ending)
{
    snprintf(out, size, "roofline-%s.%s", what, ending);
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
        name_file(name, sizeof name, what, endings[k]);
        code = orr_roofline_plot(&plot, selection, paper, what);
        if (!code)
            code = orr_plot_draw(&plot, target->path ? target->path : name);
        orr_plot_release(&plot);
        if (!code)
            printf("%s\n", target->path ? target->path : name);
    }
    return code;
}

int orr_cli_roofline_plot(const struct orr_result_source *source, const struct orr_words *what,
                          const char *path)
{
    const struct target target = {.path = path, .show = draw};
    if (path && what->count != 1)
        return orr_fail(ORR_EUSAGE, "-o names one file: name one experiment or paper, as in "
                                    "`orrery plot roofline shan -o shan.png`");
    return show_all(&target, source, what);
}

static int add_document(const struct target *target, const struct orr_selection *selection,
                        const struct orr_paper *paper, const char *what)
{
    struct orr_documents *all = target->documents;
    struct orr_document *more = realloc(all->items, (all->count + 1) * sizeof *more);
    if (!more)
        return orr_fail(ORR_EMEMORY, "no memory for the tables");
    all->items = more;
    return orr_roofline_table(&more[all->count++], selection, paper, what);
}

int orr_cli_roofline_table(const struct orr_result_source *source, const struct orr_words *what,
                           const struct orr_format *format, const char *path)
{
    struct orr_documents all = {0};
    const struct target target = {.documents = &all, .show = add_document};
    int code = 0;
    if (format->one_experiment && what->count != 1)
        code = orr_fail(ORR_EUSAGE, "a %s file holds one roofline: name one experiment or paper",
                        format->name);
    if (!code)
        code = show_all(&target, source, what);
    if (!code)
        code = orr_cli_write_documents(&all, format, path);
    orr_cli_release_documents(&all);
    return code;
}
