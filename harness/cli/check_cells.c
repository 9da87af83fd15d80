/* What a run applies to its cells, applied once more to those of a journal. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/check_parts.h"
#include "error.h"
#include "json_member.h"
#include "run/referee.h"
#include "sql/ledger/implausible.h"
#include "text.h"

void orr_check_say(json_t *list, const char *format, ...)
{
    char text[2048];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    json_array_append_new(list, json_string(orr_text_tame(text)));
}

/* --- ids --- */

/* The cell of a record; of its settings, those of the object. A text that is too long is cut, and
 * changes the id. */
static void make_cell(struct orr_cell *out, const json_t *record, const json_t *settings)
{
    const json_t *dataset = json_object_get(record, "dataset");
    const struct {
        char *to;
        size_t size;
        const char *text;
    } texts[] = {{out->experiment, sizeof out->experiment, orr_json_text(record, "experiment")},
                 {out->variant, sizeof out->variant, orr_json_text(record, "variant")},
                 {out->device, sizeof out->device, orr_json_text(record, "device")},
                 {out->dataset, sizeof out->dataset, orr_json_text(dataset, "name")}};
    const char *name;
    json_t *value;
    *out = (struct orr_cell){.n = (uint64_t)orr_json_integer(dataset, "n"),
                             .seed = (uint64_t)orr_json_integer(dataset, "seed"),
                             .ranks = (int)orr_json_integer(record, "ranks")};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        snprintf(texts[k].to, texts[k].size, "%s", texts[k].text ? texts[k].text : "");
    json_object_foreach ((json_t *)settings, name, value) {
        if (out->setting_count == ORR_MAX_SETTINGS)
            return;
        struct orr_setting *to = &out->settings[out->setting_count++];
        snprintf(to->name, sizeof to->name, "%s", name);
        if (json_is_string(value))
            snprintf(to->value, sizeof to->value, "%s", json_string_value(value));
        else
            snprintf(to->value, sizeof to->value, "%.17g", json_number_value(value));
    }
}

void orr_check_id(json_t *faults, json_t *known, const json_t *record, const char *path,
                  size_t line)
{
    struct orr_cell cell;
    const char *id = orr_json_text(record, "id");
    const json_t *settings = json_object_get(record, "settings");
    if (!orr_json_is(record, "record", "cell"))
        return;
    make_cell(&cell, record, settings);
    orr_cell_identify(&cell);
    if (settings && strcmp(cell.id, id) != 0)
        orr_check_say(faults, "%s:%zu: its id is %s, and what it names has the id %s", path, line,
                      id, cell.id);
    /* Older journals do not tell which parameters were set; the id without any tells cells apart
     * that have them in common. Those that a failed cell lacks say nothing. */
    make_cell(&cell, record,
              orr_journal_is_ok(record) ? json_object_get(record, "parameters") : NULL);
    orr_cell_identify(&cell);
    char key[64];
    snprintf(key, sizeof key, "%.40s %d", id, orr_journal_is_ok(record));
    const char *before = orr_json_text(known, key);
    if (!before)
        json_object_set_new(known, key, json_string(cell.id));
    else if (strcmp(before, cell.id) != 0)
        orr_check_say(faults, "%s:%zu: its id, %s, is that of another cell of its journal", path,
                      line, id);
}

/* --- pairs and bounds --- */

static const char measured[] =
    "SELECT printf('%s:%d: %s %s', path, line, experiment, variant) AS who, "
    "json_object('experiment',"
    " experiment, 'variant', variant, 'device', device, 'ranks', ranks, 'dataset',"
    " json_object('name', dataset, 'n', n)), parameters, interactions, error_median, error_p99,"
    " error_max, error_by_terms_median, error_by_terms_p99, error_by_terms_max,"
    " bound_median, bound_p99, bound_max"
    " FROM cells WHERE outcome = 'ok' AND NOT extrapolated ORDER BY path, line";
enum {
    WHO,
    NAMES,
    PARAMETERS,
    INTERACTIONS,
    RELATIVE,
    BY_TERMS = RELATIVE + 3,
    OWN = BY_TERMS + 3
};

static const struct orr_paper *paper_of(const struct orr_selection *selection, const char *name)
{
    const size_t length = strcspn(name, "/");
    for (size_t k = 0; k < selection->paper_count; k++) {
        const char *key = selection->papers[k]->key;
        if (strlen(key) == length && !strncmp(key, name, length))
            return selection->papers[k];
    }
    return NULL;
}

/* A paper bounds its tree codes, and nothing else, by theta. */
static bool is_tree(const struct orr_paper *paper, const char *variant)
{
    for (unsigned k = 0; k < paper->tree_bounds_count; k++)
        for (unsigned v = 0; v < paper->tree_bounds[k].variants_count; v++)
            if (orr_text_matches(paper->tree_bounds[k].variants[v], variant))
                return true;
    return false;
}

/* Declared numbers are doubles: sums beyond 2^53 are rounded. Bodies in the plane without boxes of
 * equal numbers have about as many near pairs as evenly spread ones, seldom fewer. */
static void check_pairs(json_t *faults, const char *who, const struct orr_cell *cell, bool tree,
                        double declared)
{
    static const double ROUNDING = 1e-9, FEWER = 0.5;
    double steps = 0, level = -1, n = (double)cell->n;
    for (int k = 0; k < cell->setting_count; k++) {
        steps = strcmp(cell->settings[k].name, "steps") ? steps : atof(cell->settings[k].value);
        level = strcmp(cell->settings[k].name, "level") ? level : atof(cell->settings[k].value);
    }
    const double all = n * (n - 1) * (steps + 1), pairs = tree ? all : orr_cell_pairs(cell);
    const bool known = !tree && (level < 0 || orr_cell_level(cell) >= 0);
    if (!isfinite(declared))
        return;
    if (known && fabs(declared - pairs) > ROUNDING * pairs)
        orr_check_say(faults, "%s: it has %.17g interactions, and its %.0f bodies %.17g", who,
                      declared, n, pairs);
    else if (!known && (declared > 2 * all + n || (!tree && declared < FEWER * pairs)))
        orr_check_say(faults, "%s: it has %.3g interactions, which are not those of %.0f bodies",
                      who, declared, n);
}

/* Errors beyond the cell's own bounds are told elsewhere: these are allowed by bounds that are not
 * the paper's. */
static void check_bounds(json_t *faults, sqlite3_stmt *row, const struct orr_bound *bound)
{
    const int at = bound->by_terms ? BY_TERMS : RELATIVE;
    const double bounds[] = {bound->median, bound->p99, bound->max};
    double errors[3];
    bool raised = false;
    for (int k = 0; k < 3; k++) {
        const double own = orr_ledger_number(row, OWN + k);
        errors[k] = fmax(0, orr_ledger_number(row, at + k));
        raised |= errors[k] > bounds[k] && !(own > 0 && errors[k] > own);
    }
    if (raised)
        orr_check_say(faults,
                      "%s is ok with errors of %.3g, %.3g, %.3g (median, p99, max), and paper.yaml "
                      "bounds them by %.3g, %.3g, %.3g",
                      orr_ledger_text(row, WHO), errors[0], errors[1], errors[2], bounds[0],
                      bounds[1], bounds[2]);
}

static int check_cell(json_t *faults, const struct orr_selection *selection, sqlite3_stmt *row)
{
    struct orr_cell cell;
    struct orr_bound bound;
    json_t *names = json_loads(orr_ledger_text(row, NAMES), 0, NULL),
           *parameters = json_loads(orr_ledger_text(row, PARAMETERS), 0, NULL);
    make_cell(&cell, names, parameters);
    json_decref(names);
    json_decref(parameters);
    const struct orr_paper *paper = paper_of(selection, cell.variant);
    const char *experiment = strchr(cell.experiment, '/'), *variant = strchr(cell.variant, '/');
    if (!paper || !experiment || !variant)
        return 0;
    const struct orr_bound_at at = {.variant = cell.variant,
                                    .tree = is_tree(paper, variant + 1),
                                    .settings = cell.settings,
                                    .setting_count = cell.setting_count,
                                    .theta = orr_cell_theta(&cell),
                                    .n = (double)cell.n};
    const struct orr_experiment *shown = orr_paper_experiment(paper, experiment + 1);
    const struct orr_experiment *of = shown ? orr_paper_cells(paper, shown) : NULL;
    if (!at.tree) /* whose opening angle changes no sum */
        for (int k = 0; k < cell.setting_count; k++)
            if (!strcmp(cell.settings[k].name, "theta"))
                *cell.settings[k].name = '\0';
    check_pairs(faults, orr_ledger_text(row, WHO), &cell, at.tree,
                orr_ledger_number(row, INTERACTIONS));
    if (of && of->bound && !orr_bound_of_cell(&bound, paper, of, &at))
        check_bounds(faults, row, &bound);
    orr_error_clear(); /* of what the paper does not know, or no longer */
    return 0;
}

int orr_check_cells(json_t *faults, const struct orr_selection *selection)
{
    sqlite3_stmt *row;
    int code = orr_ledger_query(&row, &selection->ledger, sql_ledger_implausible, "dd",
                                ORR_CEILING_CLOCKS, ORR_CEILING_COMPANY);
    while (orr_ledger_row(&code, row, &selection->ledger))
        orr_check_say(faults, "%s", orr_ledger_text(row, 0));
    if (!code)
        code = orr_ledger_query(&row, &selection->ledger, measured, "");
    if (!code)
        while (orr_ledger_row(&code, row, &selection->ledger))
            code = check_cell(faults, selection, row);
    return code;
}
