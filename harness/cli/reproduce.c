/* SPDX-License-Identifier: MIT */
/* orrery reproduce: runs what an experiment or a claim needs, shows the tables and judges, in one
 * go. */
#include <libgen.h>
#include <limits.h>

#include "cli/cli.h"
#include "present/layout.h"
#include "sql/cli/board.h"

struct reproduction {
    struct orr_words what, devices, settings, only;
    const char *preset, *root;
    bool dry_run;
    char machine[NAME_MAX + 1];
    struct orr_names experiments;
    json_t *claims; /* rows of paper and id */
};

/* The experiments of a command `orrery run A B --preset paper`, as claims name it. */
static void add_needed(struct reproduction *r, const char *needs)
{
    static const char run[] = "orrery run ";
    const char *at = needs ? strstr(needs, run) : NULL;
    for (at = at ? at + sizeof run - 1 : ""; *at && *at != '-';) {
        char name[128];
        size_t length = strcspn(at, " ;,`");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (!orr_names_has(r->experiments.items, name))
            orr_names_add(&r->experiments, "%s", name);
        at += length;
        if (*at != ' ')
            break;
        at += strspn(at, " ");
    }
}

/* A command names experiments, or the whole paper. */
static bool is_of(const struct reproduction *r, const char *needs)
{
    struct reproduction own = {0};
    bool found = false;
    add_needed(&own, needs);
    for (size_t k = 0; k < own.experiments.count; k++)
        for (size_t e = 0; e < r->experiments.count; e++) {
            const char *name = own.experiments.items[k], *asked = r->experiments.items[e];
            found |= !strcmp(name, asked) ||
                     (!strchr(asked, '/') && !strncmp(name, asked, strcspn(name, "/")));
        }
    orr_names_free(own.experiments.items);
    return found;
}

/* The claims that the experiments decide, or one claim and the experiments that decide it. */
static int choose(struct reproduction *r, const char *what)
{
    size_t k;
    const json_t *claim;
    json_auto_t *rows = json_array();
    json_t *row;
    const int found = orr_cli_claims_find(&claim, rows, what);
    int code = found < 0 ? found : 0;
    if (!found)
        orr_names_add(&r->experiments, "%s", what);
    json_array_foreach (rows, k, row) {
        const char *needs = orr_json_text(row, "needs");
        if (!code && row == claim)
            add_needed(r, needs);
        if (row == claim || (!found && is_of(r, needs)))
            json_array_append(r->claims, row);
    }
    return code || r->experiments.count
               ? code
               : orr_fail(ORR_EUSAGE, "claim %s names no experiment that decides it", what);
}

int orr_cli_claims_expand(struct orr_words *what)
{
    json_auto_t *claims = json_array();
    struct reproduction r = {.claims = claims};
    char **known = NULL;
    int code = orr_plan_names(&known);
    for (int k = 0; k < what->count && !code; k++)
        if (orr_names_has(known, what->items[k]))
            orr_names_add(&r.experiments, "%s", what->items[k]);
        else
            code = choose(&r, what->items[k]);
    orr_names_free(known);
    *what = (struct orr_words){0};
    for (size_t k = 0; k < r.experiments.count; k++)
        orr_options_add_word(what, r.experiments.items[k]);
    orr_names_free(r.experiments.items);
    return code;
}

static void add_option(struct orr_words *line, const char *option, const struct orr_words *values)
{
    for (int k = 0; k < values->count; k++) {
        orr_options_add_word(line, option);
        orr_options_add_word(line, values->items[k]);
    }
}

/* Measures as if `orrery run` had been typed; the machine is that of the journal. */
static int measure_experiments(struct reproduction *r)
{
    const char *const rest[] = {"--preset", r->preset, "-o", r->root,
                                r->dry_run ? "--dry-run" : "--continue"};
    struct orr_words line = {0};
    char journal[PATH_MAX] = "";
    orr_options_add_word(&line, "run");
    for (size_t k = 0; k < r->experiments.count; k++)
        orr_options_add_word(&line, r->experiments.items[k]);
    add_option(&line, "--device", &r->devices);
    add_option(&line, "--set", &r->settings);
    add_option(&line, "--only", &r->only);
    for (size_t k = 0; k < sizeof rest / sizeof *rest; k++)
        orr_options_add_word(&line, rest[k]);
    int status = orr_cli_run_journal(line.count, line.items, journal, sizeof journal);
    char *folder = dirname(journal);
    snprintf(r->machine, sizeof r->machine, "%s", basename(folder));
    return status;
}

/* --- what it shows: a page of at most 40 lines an experiment --- */

/* The results of the machine that measured, whose folder holds the journal. */
static int select_here(struct orr_selection *out, struct reproduction *r, const char *what)
{
    char *root = (char *)r->root, *machine = r->machine;
    const struct orr_result_source source = {.from = {&root, 1}, .machines = {&machine, 1}};
    return orr_cli_select(out, &source, what);
}

/* A number in the last column means that a cell has both its measured and its published number. */
static bool compares(const struct orr_document *document)
{
    for (size_t g = 0; g < document->grid_count; g++) {
        const struct orr_grid *grid = document->grids[g];
        for (size_t row = 0; row < grid->row_count; row++)
            if (orr_grid_at(grid, row, grid->column_count - 1)->text)
                return true;
    }
    return false;
}

/* The first experiment with published numbers to compare with stands for its paper. */
static int show_table(struct reproduction *r, const char *what)
{
    __attribute__((cleanup(orr_selection_release))) struct orr_selection selection = {0};
    __attribute__((cleanup(orr_cli_release_documents))) struct orr_documents all = {0};
    int code = select_here(&selection, r, what);
    bool found = false;
    for (size_t k = 0; k < selection.target_count && !code && !found; k++) {
        const struct orr_target *target = &selection.targets[k];
        struct orr_selection one = selection;
        char name[256];
        one.targets = &selection.targets[k], one.target_count = 1;
        snprintf(name, sizeof name, "%s/%s", target->paper->key, target->experiment->name);
        orr_cli_release_documents(&all);
        struct orr_document *document = orr_cli_new_document(&all);
        orr_document_name(document, name, name);
        code = orr_layout_part(document, &one, "brief");
        found = !code && compares(document);
    }
    return code ? code : orr_cli_write_documents(&all, &orr_format_md, NULL);
}

/* The verdicts of the claims that the experiments decide. */
static int show_verdicts(struct reproduction *r)
{
    __attribute__((cleanup(orr_selection_release))) struct orr_selection selection = {0};
    json_auto_t *rows = json_array(), *own = json_array();
    json_t *row, *claim;
    size_t k, c;
    char paper[64];
    const char *first = r->experiments.items[0];
    snprintf(paper, sizeof paper, "%.*s", (int)strcspn(first, "/"), first);
    if (select_here(&selection, r, paper) || orr_cli_claims_judge(rows, &selection, false))
        return orr_error_failed();
    json_array_foreach (rows, k, row)
        json_array_foreach (r->claims, c, claim)
            if (json_equal(json_object_get(row, "id"), json_object_get(claim, "id")) &&
                json_equal(json_object_get(row, "paper"), json_object_get(claim, "paper")))
                json_array_append(own, row);
    if (!json_array_size(own))
        return 0;
    putchar('\n');
    int code = orr_cli_print_lines(&selection.ledger, sql_cli_board, own);
    puts("\n`orrery claims ID` says why; `orrery table` and `orrery report` have the rest.");
    return code;
}

/* Tables show failed cells as such; only an error that leaves nothing to show ends it. */
static int reproduce(struct reproduction *r)
{
    if (choose(r, r->what.items[0]))
        return orr_error_failed();
    const int measured = measure_experiments(r);
    int code = 0;
    if (r->dry_run || (measured && measured != ORR_EXIT_WRONG && measured != ORR_EXIT_SOME_FAILED))
        return measured;
    for (size_t e = 0; e < r->experiments.count && !code; e++) {
        puts("");
        code = show_table(r, r->experiments.items[e]);
    }
    if (!code && json_array_size(r->claims))
        code = show_verdicts(r);
    return code ? code : measured;
}

int orr_cli_reproduce(int argc, char **argv)
{
    json_auto_t *claims = json_array();
    struct reproduction r = {.preset = "quick", .root = "results", .claims = claims};
    const struct orr_option options[] = {{"device", &r.devices},  {"preset", &r.preset},
                                         {"set", &r.settings},    {"only", &r.only},
                                         {"dry-run", &r.dry_run}, {"output", &r.root}};
    int code = orr_options_parse("reproduce", ORR_OPTIONS(options), argc, argv, &r.what);
    if (!code)
        code = reproduce(&r);
    orr_names_free(r.experiments.items);
    return code;
}
