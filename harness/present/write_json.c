/* JSON: {schema, experiment, title, machines: [facts], rows: [...], notes, remarks}, and an array
 * for every other grid that has a name; several experiments make an array. */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "error.h"
#include "present/write.h"

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

static int add_rows(json_t *rows, const struct orr_grid *grid)
{
    for (size_t row = 0; grid && row < grid->row_count; row++) {
        json_t *object = json_object();
        if (json_array_append_new(rows, object))
            return ORR_EMEMORY;
        for (size_t k = 0; k < grid->column_count; k++) {
            if (!(grid->columns[k].audience & ORR_PROGRAMS))
                continue;
            if (json_object_set_new(object, grid->columns[k].key,
                                    cell_json(grid->columns[k].key, orr_grid_at(grid, row, k))))
                return ORR_EMEMORY;
        }
    }
    return 0;
}

json_t *orr_grid_json(const struct orr_grid *grid)
{
    json_t *rows = json_array();
    if (rows && !add_rows(rows, grid))
        return rows;
    json_decref(rows);
    orr_fail(ORR_EMEMORY, "no memory for the JSON");
    return NULL;
}

/* What every machine's document says alike is said once. */
static bool has_row(const json_t *rows, const json_t *row)
{
    size_t index;
    json_t *other;
    json_array_foreach(rows, index, other) if (json_equal(other, row)) return true;
    return false;
}

static int add_named(json_t *object, const struct orr_grid *grid)
{
    json_t *rows = json_object_get(object, grid->key), *own = json_array(), *row;
    if (!rows && json_object_set_new(object, grid->key, rows = json_array()))
        rows = NULL;
    int code = own && rows ? add_rows(own, grid) : ORR_EMEMORY;
    size_t index;
    json_array_foreach(own, index, row) if (!code && !has_row(rows, row) &&
                                            json_array_append(rows, row)) code = ORR_EMEMORY;
    json_decref(own);
    return code;
}

static int add_texts(json_t *list, char *const *texts, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (json_array_append_new(list, json_string(texts[k])))
            return ORR_EMEMORY;
    return 0;
}

static int add_facts(json_t *machines, const struct orr_document *document)
{
    json_t *facts = json_object();
    if (json_array_append_new(machines, facts))
        return ORR_EMEMORY;
    for (size_t k = 0; k < document->fact_count; k++)
        if (json_object_set_new(facts, document->facts[k].name,
                                json_string(document->facts[k].text)))
            return ORR_EMEMORY;
    return 0;
}

static json_t *find_or_add(json_t *all, const struct orr_document *document)
{
    size_t index;
    json_t *object;
    json_array_foreach(all, index,
                       object) if (!strcmp(json_string_value(json_object_get(object, "experiment")),
                                           document->experiment)) return object;
    object = json_pack("{s:s, s:s, s:s, s:[], s:[], s:[], s:[]}", "schema", ORR_TABLE_SCHEMA,
                       "experiment", document->experiment, "title", document->title, "machines",
                       "rows", "notes", "remarks");
    return object && !json_array_append_new(all, object) ? object : NULL;
}

static int add_document(json_t *all, const struct orr_document *document)
{
    json_t *object = find_or_add(all, document);
    if (!object)
        return ORR_EMEMORY;
    int code = add_facts(json_object_get(object, "machines"), document);
    if (!code)
        code = add_rows(json_object_get(object, "rows"), orr_document_data(document));
    for (size_t k = 0; k < document->grid_count && !code; k++)
        if (document->grids[k]->key)
            code = add_named(object, document->grids[k]);
    if (!code)
        code = add_texts(json_object_get(object, "notes"), document->notes, document->note_count);
    if (!code)
        code = add_texts(json_object_get(object, "remarks"), document->remarks,
                         document->remark_count);
    return code;
}

static int write_json(FILE *to, const struct orr_document *documents, size_t count)
{
    json_t *all = json_array();
    int code = all ? 0 : ORR_EMEMORY;
    for (size_t k = 0; k < count && !code; k++)
        code = add_document(all, &documents[k]);
    const json_t *shown = json_array_size(all) == 1 ? json_array_get(all, 0) : all;
    if (!code && json_dumpf(shown, to, JSON_INDENT(2) | JSON_REAL_PRECISION(12)))
        code = ORR_EIO;
    json_decref(all);
    if (code)
        return orr_fail(code, code == ORR_EIO ? "cannot write the JSON" : "no memory for the JSON");
    fputc('\n', to);
    return 0;
}

const struct orr_format orr_format_json = {"json", write_json, false};
