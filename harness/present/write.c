/* SPDX-License-Identifier: MIT */
/* The formats that programs read, CSV and JSON, and the list of all formats. */
#include "present/document.h"

#include <math.h>
#include <string.h>

#include "error.h"
#include "text.h"

/* --- CSV as in RFC 4180: one header line, the data grid of every document below it --- */

/* Spreadsheets compute what begins like this, unless an apostrophe stands before it. Options of
 * compilers and formulas of papers begin with a minus, too: only with what names another program,
 * a sheet or a text is it held for an attack. */
static bool is_formula(const char *text)
{
    double number;
    bool begins = *text == '-' ? strpbrk(text, "|!\"") != NULL : *text && strchr("=+@", *text);
    return begins && !orr_text_number(text, &number);
}

/* One CSV field, quoted where RFC 4180 asks for it. */
static void put_field(FILE *to, const char *text)
{
    const char *mark = is_formula(text) ? "'" : "";
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(mark, to);
        fputs(text, to);
        return;
    }
    fprintf(to, "\"%s", mark);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', to);
        fputc(*text, to);
    }
    fputc('"', to);
}

static void write_value(FILE *to, const struct orr_value *value)
{
    if (!isnan(value->number))
        fprintf(to,
                value->number == floor(value->number) && fabs(value->number) < 1e15 ? "%.0f"
                                                                                    : "%.10g",
                value->number); /* counts keep every digit */
    else if (value->text)
        put_field(to, value->text);
}

/* Row -1 is the header. */
static void write_row(FILE *to, const struct orr_grid *grid, long row)
{
    const char *separator = "";
    for (size_t k = 0; k < grid->column_count; k++) {
        if (!(grid->columns[k].audience & ORR_PROGRAMS))
            continue;
        fputs(separator, to);
        if (row < 0)
            put_field(to, grid->columns[k].key);
        else
            write_value(to, orr_grid_at(grid, (size_t)row, k));
        separator = ",";
    }
    fputs("\r\n", to);
}

static int write_csv(FILE *to, const struct orr_document *documents, size_t count)
{
    bool headed = false;
    for (size_t d = 0; d < count; d++) {
        const struct orr_grid *grid = documents[d].data;
        if (!grid)
            continue;
        for (long row = headed ? 0 : -1; row < (long)grid->row_count; row++)
            write_row(to, grid, row);
        headed = true;
    }
    return 0;
}

/* --- JSON: {schema, experiment, title, machines: [facts], rows: [...], notes, remarks}, and an
 * array for every other grid that has a name; several experiments make an array --- */

/* JSON has no infinity: null, as for a number that is not there. */
static json_t *value_json(const struct orr_value *value)
{
    if (isinf(value->number))
        return json_null();
    if (!isnan(value->number))
        return value->number == floor(value->number) && fabs(value->number) < 1e15
                   ? json_integer((json_int_t)value->number)
                   : json_real(value->number);
    return value->text ? json_string(value->text) : json_null();
}

/* A cell's parameters are a text in the ledger and an object for programs. */
static json_t *cell_json(const char *key, const struct orr_value *value)
{
    json_t *object = value->text && isnan(value->number) && !strcmp(key, "parameters")
                         ? json_loads(value->text, 0, NULL)
                         : NULL;
    if (json_is_object(object))
        return object;
    json_decref(object);
    return value_json(value);
}

static void add_rows(json_t *rows, const struct orr_grid *grid)
{
    for (size_t row = 0; grid && row < grid->row_count; row++) {
        json_t *object = json_object();
        for (size_t k = 0; k < grid->column_count; k++)
            if (grid->columns[k].audience & ORR_PROGRAMS)
                json_object_set_new(object, grid->columns[k].key,
                                    cell_json(grid->columns[k].key, orr_grid_at(grid, row, k)));
        json_array_append_new(rows, object);
    }
}

json_t *orr_grid_json(const struct orr_grid *grid)
{
    json_t *rows = json_array();
    add_rows(rows, grid);
    return rows;
}

/* A row that the documents of several machines have alike is written once. */
static bool has_row(const json_t *rows, const json_t *row)
{
    size_t index;
    json_t *other;
    json_array_foreach (rows, index, other)
        if (json_equal(other, row))
            return true;
    return false;
}

static void add_named(json_t *object, const struct orr_grid *grid)
{
    json_t *rows = json_object_get(object, grid->key), *own = orr_grid_json(grid), *row;
    size_t index;
    if (!rows)
        json_object_set_new(object, grid->key, rows = json_array());
    json_array_foreach (own, index, row)
        if (!has_row(rows, row))
            json_array_append(rows, row);
    json_decref(own);
}

static void add_texts(json_t *list, char *const *texts, size_t count)
{
    for (size_t k = 0; k < count; k++)
        json_array_append_new(list, json_string(texts[k]));
}

static void add_facts(json_t *machines, const struct orr_document *document)
{
    json_t *facts = json_object();
    for (size_t k = 0; k < document->fact_count; k++)
        json_object_set_new(facts, document->facts[k].name, json_string(document->facts[k].text));
    json_array_append_new(machines, facts);
}

static json_t *find_or_add(json_t *all, const struct orr_document *document)
{
    size_t index;
    json_t *object;
    json_array_foreach (all, index, object)
        if (!strcmp(json_string_value(json_object_get(object, "experiment")), document->experiment))
            return object;
    object = json_pack("{s:s, s:s, s:s, s:[], s:[], s:[], s:[]}", "schema", ORR_TABLE_SCHEMA,
                       "experiment", document->experiment, "title", document->title, "machines",
                       "rows", "notes", "remarks");
    json_array_append_new(all, object);
    return object;
}

static void add_document(json_t *all, const struct orr_document *document)
{
    json_t *object = find_or_add(all, document);
    add_facts(json_object_get(object, "machines"), document);
    add_rows(json_object_get(object, "rows"), document->data);
    for (size_t k = 0; k < document->grid_count; k++)
        if (document->grids[k]->key)
            add_named(object, document->grids[k]);
    add_texts(json_object_get(object, "notes"), document->notes, document->note_count);
    add_texts(json_object_get(object, "remarks"), document->remarks, document->remark_count);
}

static int write_json(FILE *to, const struct orr_document *documents, size_t count)
{
    json_t *all = json_array();
    for (size_t k = 0; k < count; k++)
        add_document(all, &documents[k]);
    const json_t *shown = json_array_size(all) == 1 ? json_array_get(all, 0) : all;
    int failed = json_dumpf(shown, to, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    json_decref(all);
    if (failed)
        return orr_fail(ORR_EIO, "cannot write the JSON");
    fputc('\n', to);
    return 0;
}

/* --- all of them --- */

const struct orr_format orr_format_csv = {"csv", write_csv, true};
const struct orr_format orr_format_json = {"json", write_json, false};
static const struct orr_format *const formats[] = {&orr_format_md, &orr_format_csv, &orr_format_tex,
                                                   &orr_format_json};
enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

const struct orr_format *orr_format_find(const char *name)
{
    for (size_t k = 0; k < FORMAT_COUNT; k++)
        if (!strcmp(formats[k]->name, name))
            return formats[k];
    orr_fail(ORR_EUSAGE, "unknown format '%s': --format takes md, csv, tex or json", name);
    return NULL;
}

const char *orr_value_seen(const struct orr_value *value, char buffer[32])
{
    if (value->text)
        return value->text;
    if (isnan(value->number))
        return "—";
    snprintf(buffer, 32, "%.6g", value->number);
    return buffer;
}
