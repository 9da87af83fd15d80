/* SPDX-License-Identifier: MIT */
/* Grids, facts and remarks of a document, from the sections of a layout. */
#include "present/queries.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "names.h"
#include "present/document.h"
#include "text.h"

/* --- how numbers look --- */

static char *write_count(char *out, size_t size, double value)
{
    snprintf(out, size, "%.0f", value);
    return out;
}

static char *write_si(char *out, size_t size, double value)
{
    return orr_format_si(out, size, value, "");
}

static char *write_percent(char *out, size_t size, double value)
{
    snprintf(out, size, "%.1f %%", 100 * value);
    return out;
}

static char *write_small(char *out, size_t size, double value)
{
    snprintf(out, size, "%.3g", value);
    return out;
}

static char *write_yes(char *out, size_t size, double value)
{
    snprintf(out, size, "%s", value != 0 ? "yes" : "no");
    return out;
}

struct format {
    const char *name;
    bool right;                                           /* aligned right */
    char *(*write)(char *out, size_t size, double value); /* NULL: the number as it is */
};
static const struct format formats[] = {
    {"left", false, NULL},
    {"yes", false, write_yes},
    {"right", true, NULL},
    {"count", true, write_count},
    {"number", true, orr_format_number},
    {"seconds", true, orr_format_seconds},
    {"si", true, write_si},
    {"percent", true, write_percent},
    {"small", true, write_small},
};

/* --- what a grid is made of --- */

/* A column as a `--: column` line or a spread describes it. */
struct column {
    struct orr_column seen;
    const struct format *format;
    int source;            /* of the grid's query; -1: of a spread */
    int text, note, about; /* of the query, or -1 */
};

/* A value of a spread. */
struct cell {
    const char *row, *note;
    size_t column;
    struct orr_value value;
};

/* All texts are the document's. */
struct build {
    struct orr_document *document;
    const struct orr_queries *queries;
    const struct orr_section *section; /* of the grid */
    sqlite3_stmt *row;
    struct orr_grid *grid;
    struct column *columns;
    size_t column_count;
    struct cell *cells;
    size_t cell_count;
};

/* --- descriptions of columns --- */

static char *copy(const struct build *b, const char *text)
{
    return orr_document_keep(b->document, orr_memory_text(text));
}

/* `text` with the columns of scope that it names. */
static int fill(char **out, const struct build *b, const struct orr_section *section,
                const char *text)
{
    int code = orr_section_fill(out, section, text);
    orr_document_keep(b->document, *out);
    return code;
}

/* The section below the grid, or NULL. */
static const struct orr_section *find_below(const struct build *b, enum orr_section_kind kind,
                                            const char *name)
{
    for (const struct orr_section *s = b->section + 1;
         s < b->queries->items + b->queries->count &&
         (s->kind == ORR_SECTION_COLUMN || s->kind == ORR_SECTION_SPREAD);
         s++)
        if (s->kind == kind && !strcmp(s->fields[0], name))
            return s;
    return NULL;
}

/* The description below the grid, else that of every grid; NULL when there is none. */
static const struct orr_section *find_description(const struct build *b, const char *key)
{
    const struct orr_section *s = find_below(b, ORR_SECTION_COLUMN, key);
    for (size_t k = 0; k < b->queries->count && !s; k++)
        if (b->queries->items[k].shared && !strcmp(b->queries->items[k].fields[0], key))
            s = &b->queries->items[k];
    return s;
}

static int blame_column(const struct build *b, const char *key)
{
    struct orr_names names = {0};
    char hint[200];
    for (size_t k = 0; k < b->queries->count; k++)
        if (b->queries->items[k].kind == ORR_SECTION_COLUMN)
            orr_names_add(&names, "%s", b->queries->items[k].fields[0]);
    orr_text_hint(hint, sizeof hint, key, (const char *const *)names.items, names.count);
    orr_names_free(names.items);
    return orr_section_blame(b->section, "no `--: column` line describes '%s'%s", key, hint);
}

/* "programs", "people if NOT boxed": 1 with the audience, 0 when the condition does not hold. */
static int read_audience(enum orr_audience *out, const struct build *b,
                         const struct orr_section *section, const char *text)
{
    static const char *const names[] = {
        [ORR_PEOPLE] = "people", [ORR_PROGRAMS] = "programs", [ORR_ALL] = "all"};
    char word[16] = "", condition[64] = "", filled[80], *value;
    sscanf(text, "%15s if %63[^\n]", word, condition);
    *out = ORR_PEOPLE;
    while (*out <= ORR_ALL && strcmp(names[*out], word) != 0)
        ++*out;
    if (*out > ORR_ALL)
        return orr_section_blame(section, "'%s' is no audience: people, programs or all", word);
    if (!*condition)
        return 1;
    snprintf(filled, sizeof filled, "{%s}", condition);
    int code = fill(&value, b, section, filled);
    return code ? code : strcmp(value, "0") != 0 && *value;
}

/* Adds the column unless nobody is to see it: 1, 0 or a negative code. `is` has the fields of a
 * `--: column` line. */
static int add_column(struct build *b, const struct orr_section *section, const char *const is[])
{
    char head[256];
    struct column column = {.format = orr_names_among(is[3], formats), -1, -1, -1, -1};
    if (!column.format)
        return orr_section_blame(section, "'%s' is no format", is[3]);
    int shown = read_audience(&column.seen.audience, b, section, is[4]);
    if (shown <= 0)
        return shown;
    snprintf(head, sizeof head, *is[2] ? "%s [%s]" : "%s", is[1], is[2]);
    column.seen.key = copy(b, is[0]);
    column.seen.head = copy(b, head);
    column.seen.above = *is[5] ? copy(b, is[5]) : NULL;
    column.seen.right = column.format->right;
    struct column *added = orr_memory_add(&b->columns, &b->column_count, sizeof *added);
    *added = column;
    return 1;
}

static int annotation(const struct build *b, const char *key, const char *ending)
{
    char name[128];
    snprintf(name, sizeof name, "%s.%s", key, ending);
    return orr_section_column(b->row, name);
}

/* A column without a description of its own has that of all others, "*". */
static int describe_column(struct build *b, const char *key, int source)
{
    const struct orr_section *section = find_description(b, key);
    if (!section && !(section = find_description(b, "*")))
        return blame_column(b, key);
    const char *const *f = section->fields;
    int shown = add_column(b, section, (const char *const[]){key, f[1], f[2], f[3], f[4], f[5]});
    if (shown <= 0)
        return shown;
    struct column *c = &b->columns[b->column_count - 1];
    c->source = source;
    c->text = annotation(b, key, "text");
    c->note = annotation(b, key, "note");
    c->about = annotation(b, key, "about");
    return fill(&c->seen.head, b, section, c->seen.head);
}

/* The text of a number, or NULL where there is none or it stands as it is. */
static const char *text_of(char *out, size_t size, const struct format *format, double value)
{
    return isnan(value) || !format->write ? NULL : format->write(out, size, value);
}

static struct orr_value make_value(const struct column *column, double number, const char *text,
                                   bool about)
{
    char made[96] = "";
    struct orr_value value = {.number = number};
    if (!text)
        text = text_of(made, sizeof made, column->format, number);
    if (text) {
        value.text = orr_memory_get(strlen(text) + sizeof ORR_ABOUT);
        strcat(strcpy(value.text, text), about ? ORR_ABOUT : "");
    }
    return value;
}

/* --- spreads --- */

/* The spread's column of the row, known from a row before or new: 1, 0 when nobody is to see it, or
 * a negative code. */
static int spread_column(size_t *out, struct build *b, size_t first,
                         const struct orr_section *section, sqlite3_stmt *row)
{
    const char *head = orr_section_text(row, "head", ""), *key = orr_section_text(row, "key", head);
    for (*out = first; *out < b->column_count; ++*out)
        if (!strcmp(b->columns[*out].seen.key, key))
            return 1;
    return add_column(b, section,
                      (const char *const[]){key, head, orr_section_text(row, "unit", ""),
                                            orr_section_text(row, "format", "right"),
                                            orr_section_text(row, "audience", "people"),
                                            orr_section_text(row, "above", "")});
}

static void add_cell(struct build *b, size_t column, sqlite3_stmt *row)
{
    const char *of = orr_section_text(row, "row", NULL),
               *note = orr_section_text(row, "note", NULL);
    int value = orr_section_column(row, "value"), about = orr_section_column(row, "about");
    bool is_text = value >= 0 && sqlite3_column_type(row, value) == SQLITE_TEXT;
    if (!of)
        return;
    struct cell *cell = orr_memory_add(&b->cells, &b->cell_count, sizeof *cell);
    *cell = (struct cell){copy(b, of), note ? copy(b, note) : NULL, column,
                          make_value(&b->columns[column],
                                     value >= 0 && !is_text ? orr_ledger_number(row, value) : NAN,
                                     orr_section_text(row, is_text ? "value" : "text", NULL),
                                     about >= 0 && sqlite3_column_int(row, about))};
}

static int run_spread(struct build *b, const char *name)
{
    const struct orr_section *s = find_below(b, ORR_SECTION_SPREAD, name);
    if (!s)
        return orr_section_blame(b->section, "the grid has no `--: spread %s`", name);
    sqlite3_stmt *row;
    size_t first = b->column_count, column;
    int code = orr_section_query(&row, s);
    while (orr_section_row(&code, row, s)) {
        int shown = spread_column(&column, b, first, s, row);
        if (shown > 0)
            add_cell(b, column, row);
        code = shown < 0 ? shown : 0;
    }
    return code;
}

/* --- rows --- */

static bool is_shown(const char *name)
{
    return strcmp(name, "row") && strcmp(name, "cell_key") && strcmp(name, "grid") &&
           *name != '_' && !strchr(name, '.');
}

static int make_columns(struct build *b)
{
    int code = 0;
    for (int k = 0; k < sqlite3_column_count(b->row) && !code; k++) {
        const char *name = sqlite3_column_name(b->row, k);
        if (*name == '*')
            code = run_spread(b, name + 1);
        else if (is_shown(name))
            code = describe_column(b, name, k);
    }
    return code;
}

static void start_grid(struct build *b, const char *title)
{
    b->grid = orr_document_grid(b->document, b->section->kind >= ORR_SECTION_DATA_IF_ANY, title,
                                b->section->fields[1]);
    b->grid->columns = orr_memory_get(b->column_count * sizeof *b->grid->columns);
    b->grid->column_count = b->column_count;
    for (size_t k = 0; k < b->column_count; k++) {
        b->grid->columns[k] = b->columns[k].seen;
        b->grid->seen |= b->columns[k].seen.audience & ORR_PEOPLE;
    }
}

static void put_value(const struct build *b, size_t column, struct orr_value value,
                      const char *note)
{
    value.note = note ? orr_document_note(b->document, note) : 0;
    orr_grid_put(b->grid, column, value);
}

static void put_column(const struct build *b, size_t column)
{
    const struct column *c = &b->columns[column];
    bool is_text = sqlite3_column_type(b->row, c->source) == SQLITE_TEXT;
    int text = c->text >= 0 && sqlite3_column_type(b->row, c->text) != SQLITE_NULL ? c->text
               : is_text                                                           ? c->source
                                                                                   : -1;
    put_value(b, column,
              make_value(c, is_text ? NAN : orr_ledger_number(b->row, c->source),
                         text < 0 ? NULL : orr_ledger_text(b->row, text),
                         c->about >= 0 && sqlite3_column_int(b->row, c->about)),
              c->note < 0 ? NULL : orr_ledger_text(b->row, c->note));
}

static void put_row(const struct build *b)
{
    const char *row = orr_section_text(b->row, "row", "");
    orr_grid_row(b->grid);
    for (size_t k = 0; k < b->column_count; k++)
        if (b->columns[k].source >= 0)
            put_column(b, k);
    for (size_t k = 0; k < b->cell_count; k++)
        if (!strcmp(b->cells[k].row, row)) {
            struct orr_value value = b->cells[k].value;
            value.text = value.text ? orr_memory_text(value.text) : NULL;
            put_value(b, b->cells[k].column, value, b->cells[k].note);
        }
}

/* Ends the grid's query. `own`: the title of its section, or NULL. */
static void put_rows(int *code, struct build *b, const char *own)
{
    char title[256] = "";
    while (orr_section_row(code, b->row, b->section)) {
        const char *now = own ? own : orr_section_text(b->row, "grid", "");
        if (!b->grid || (!own && strcmp(now, title) != 0))
            start_grid(b, now);
        snprintf(title, sizeof title, "%s", now);
        put_row(b);
    }
}

/* One grid that has a title of its section is there without rows, too. */
static int make_grid(struct orr_document *out, const struct orr_queries *queries,
                     const struct orr_section *section)
{
    struct build b = {.document = out, .queries = queries, .section = section};
    char *title = NULL;
    int code = orr_section_query(&b.row, section);
    if (!code)
        code = make_columns(&b);
    if (!code && orr_section_column(b.row, "grid") < 0)
        code = fill(&title, &b, section, section->fields[0]);
    put_rows(&code, &b, title);
    if (!code && title && !b.grid &&
        (section->kind == ORR_SECTION_GRID || section->kind == ORR_SECTION_DATA))
        start_grid(&b, title);
    for (size_t k = 0; k < b.cell_count; k++)
        free(b.cells[k].value.text);
    free(b.columns);
    free(b.cells);
    return code;
}

static void add_facts(struct orr_document *out, const struct orr_section *section,
                      sqlite3_stmt *row)
{
    if (*section->argument != '*')
        orr_document_fact(out, orr_ledger_text(row, 0), orr_ledger_text(row, 1));
    for (int k = 0; *section->argument == '*' && k < sqlite3_column_count(row); k++)
        if (sqlite3_column_type(row, k) != SQLITE_NULL)
            orr_document_fact(out, sqlite3_column_name(row, k), orr_ledger_text(row, k));
}

static int add_texts(struct orr_document *out, const struct orr_section *section)
{
    sqlite3_stmt *row;
    int code = orr_section_query(&row, section);
    while (orr_section_row(&code, row, section))
        if (section->kind == ORR_SECTION_FACTS)
            add_facts(out, section, row);
        else
            orr_document_remark(out, orr_ledger_text(row, 0));
    return code;
}

/* Runs the sections `set` and `setup`. */
static int set_up(const struct orr_queries *queries, const struct orr_section *first)
{
    int code = 0;
    const struct orr_section *s;
    struct orr_section_walk walk = {.at = {first}};
    while (orr_queries_next(&code, &s, &walk, queries)) {
        char sql[256];
        const bool is_set = s->kind == ORR_SECTION_SET;
        int name = (int)strcspn(s->argument, " ");
        snprintf(sql, sizeof sql, "UPDATE scope SET %.*s = %s", name, s->argument,
                 s->argument + name);
        if (is_set || s->kind == ORR_SECTION_SETUP)
            code =
                orr_ledger_run_text(s->ledger, s->file, s->line + 1, is_set ? sql : s->sql, NULL);
    }
    return code;
}

int orr_query_table(struct orr_document *out, const struct orr_queries *queries,
                    const struct orr_section *first)
{
    int code = 0;
    const struct orr_section *s;
    struct orr_section_walk walk = {.at = {first}};
    while (orr_queries_next(&code, &s, &walk, queries) && s->kind != ORR_SECTION_FIGURE)
        if (s->kind == ORR_SECTION_REMARK || s->kind == ORR_SECTION_FACTS)
            code = add_texts(out, s);
        else if (s->kind >= ORR_SECTION_GRID && s->kind <= ORR_SECTION_DATA)
            code = make_grid(out, queries, s);
    return code;
}

int orr_query_part(struct orr_document *out, const struct orr_queries *queries,
                   enum orr_section_kind kind, const char *name)
{
    const struct orr_section *first = orr_queries_find(queries, kind, name);
    int code = set_up(queries, first);
    return code || !out ? code : orr_query_table(out, queries, first);
}

int orr_query_layout(struct orr_document *out, const struct orr_ledger *ledger, const char *file,
                     const char *text, const char *layout)
{
    struct orr_queries queries = {.ledger = ledger};
    int code = orr_queries_add(&queries, file, text);
    if (!code)
        code = orr_query_part(out, &queries, ORR_SECTION_LAYOUT, layout);
    orr_queries_release(&queries);
    return code;
}
