/* SPDX-License-Identifier: MIT */
/* The faults of a paper.yaml: its values become a table, of which paper_check.sql asks. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cyaml/cyaml.h>
#include <sqlite3.h>
#include <yaml.h>

#include "datasets/dataset.h"
#include "error.h"
#include "memory.h"
#include "names.h"
#include "paths.h"
#include "plan/paper.h"
#include "plan/plan.h"
#include "sql/plan/paper_check.h"
#include "text.h"

/* --- the table of nodes --- */

/* libyaml's time grows with the square of the depth. */
enum { DEEPEST = 32 };

/* A paper.yaml as it is written, by which its faults are named with their lines; libcyaml's structs
 * have none. */
struct reader {
    const char *shown; /* path for messages: "variants/fujiwara/paper.yaml" */
    yaml_parser_t parser;
    yaml_event_t event;
    sqlite3_stmt *insert;
    int depth;
};

struct node {
    sqlite3_int64 parent;
    const char *path, *kind, *key;
    size_t key_line;
};

/* For all papers; what one of them adds is rolled back. */
static sqlite3 *nodes;

static int fail_at(const char *shown, size_t line, const char *what)
{
    return orr_fail(ORR_EINPUT, "%s:%zu: %s", shown, line, what);
}

static size_t line_of(const struct reader *r)
{
    return r->event.start_mark.line + 1;
}

static int next(struct reader *r)
{
    yaml_event_delete(&r->event);
    if (yaml_parser_parse(&r->parser, &r->event))
        return 0;
    return fail_at(r->shown, r->parser.problem_mark.line + 1,
                   r->parser.problem ? r->parser.problem : "cannot be read");
}

static sqlite3_int64 insert(struct reader *r, const struct node *node, const char *type)
{
    const char *value = strcmp(type, "text") ? NULL : (const char *)r->event.data.scalar.value;
    const char *const texts[] = {node->path, node->kind, node->key, type, value};
    double number;
    sqlite3_reset(r->insert);
    sqlite3_clear_bindings(r->insert);
    sqlite3_bind_int64(r->insert, 1, node->parent);
    for (int k = 0; k < 5; k++)
        sqlite3_bind_text(r->insert, k + 2, texts[k], -1, SQLITE_TRANSIENT);
    if (value && orr_text_number(value, &number))
        sqlite3_bind_double(r->insert, 7, number);
    sqlite3_bind_int64(r->insert, 8, (sqlite3_int64)line_of(r));
    sqlite3_bind_int64(r->insert, 9, (sqlite3_int64)node->key_line);
    sqlite3_step(r->insert);
    return sqlite3_last_insert_rowid(nodes);
}

static int read_node(struct reader *r, const struct node *node);

static int read_list(struct reader *r, const struct node *list, sqlite3_int64 id)
{
    char path[256];
    int code;
    for (int k = 0; !(code = next(r)) && r->event.type != YAML_SEQUENCE_END_EVENT; k++) {
        snprintf(path, sizeof path, "%s[%d]", list->path, k);
        code = read_node(r, &(struct node){id, path, list->kind, NULL, 0});
        if (code)
            return code;
    }
    return code;
}

static int read_map(struct reader *r, const struct node *map, sqlite3_int64 id)
{
    char path[256], kind[256], key[64];
    int code;
    const char *dot = *map->path ? "." : "";
    while (!(code = next(r)) && r->event.type != YAML_MAPPING_END_EVENT) {
        const size_t line = line_of(r);
        if (r->event.type != YAML_SCALAR_EVENT)
            return fail_at(r->shown, line, "a key must be a word");
        snprintf(key, sizeof key, "%.60s", (const char *)r->event.data.scalar.value);
        snprintf(path, sizeof path, "%s%s%s", map->path, dot, key);
        snprintf(kind, sizeof kind, "%s%s%s", map->kind, dot, key);
        code = next(r);
        if (!code)
            code = read_node(r, &(struct node){id, path, kind, key, line});
        if (code)
            return code;
    }
    return code;
}

/* The node that the event begins. */
static int read_node(struct reader *r, const struct node *node)
{
    if (r->event.type == YAML_ALIAS_EVENT)
        return fail_at(r->shown, line_of(r), "an alias is not read; write the value itself");
    if (r->event.type == YAML_SCALAR_EVENT)
        return insert(r, node, "text"), 0;
    if (r->depth == DEEPEST)
        return orr_fail(ORR_EINPUT, "%s:%zu: nested deeper than %d levels", r->shown, line_of(r),
                        DEEPEST);
    r->depth++;
    const bool map = r->event.type == YAML_MAPPING_START_EVENT;
    sqlite3_int64 id = insert(r, node, map ? "map" : "list");
    int code = map ? read_map(r, node, id) : read_list(r, node, id);
    r->depth--;
    return code;
}

static int read_nodes(const struct orr_paper_text *paper)
{
    struct reader r = {.shown = paper->shown};
    if (!yaml_parser_initialize(&r.parser))
        return orr_fail(ORR_EMEMORY, "no memory to read %s", paper->shown);
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)paper->text, paper->size);
    sqlite3_exec(nodes, "BEGIN", NULL, NULL, NULL);
    sqlite3_prepare_v2(nodes, "INSERT INTO node VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)", -1,
                       &r.insert, NULL);
    int code = next(&r) || next(&r) ? orr_error_code() : 0; /* the stream, its document */
    if (!code && r.event.type != YAML_DOCUMENT_START_EVENT)
        code = orr_fail(ORR_EINPUT, "%s: the file is empty", paper->shown);
    if (!code && !(code = next(&r)))
        code = read_node(&r, &(struct node){0, "", "", NULL, 0});
    sqlite3_finalize(r.insert);
    yaml_event_delete(&r.event);
    yaml_parser_delete(&r.parser);
    return code;
}

/* --- its faults --- */

/* What failed as the result, NULL where nothing did: an earlier paper may have left a failure. */
static void answer(sqlite3_context *context, int failed)
{
    if (!failed)
        return;
    sqlite3_result_text(context, orr_error_text(), -1, SQLITE_TRANSIENT);
    orr_error_clear();
}

static const char *text_of(sqlite3_value *value)
{
    const char *text = (const char *)sqlite3_value_text(value);
    return text ? text : "";
}

static void no(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    struct orr_names names = {0};
    char *copy = orr_memory_text(text_of(values[2])), *rest = copy;
    while (rest)
        orr_names_add(&names, "%s", strsep(&rest, "\n"));
    orr_names_fail(text_of(values[0]), text_of(values[1]), names.items, names.count,
                   sizeof *names.items);
    answer(context, 1);
    orr_names_free(names.items);
    free(copy);
}

static void axis_fault(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    const char *axis = text_of(values[0]);
    char **items = NULL;
    uint64_t ignored;
    int code = orr_axis_values(&items, text_of(values[1]), orr_axis_is_count(axis));
    for (char **item = items; !code && *item; item++)
        if (!strcmp(axis, "dataset"))
            code = orr_dataset_find(*item) ? 0 : orr_error_code();
        else if (orr_axis_is_count(axis))
            code = orr_axis_count(&ignored, axis, *item);
    orr_names_free(items);
    answer(context, code);
}

static void preset_fault(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    answer(context, !orr_plan_preset_policy(text_of(values[0])));
}

static const char *type_of(const cyaml_schema_value_t *schema)
{
    return schema->type == CYAML_MAPPING    ? "map"
           : schema->type == CYAML_SEQUENCE ? "list"
           : schema->type == CYAML_STRING   ? "text"
           : schema->type == CYAML_ENUM     ? "yes or a no"
                                            : "number";
}

/* What the schema says of `kind`, the value of a key of the mapping `parent`, NULL: an item. */
static void add_field(const char *kind, const char *parent, const char *key,
                      const cyaml_schema_value_t *schema)
{
    const bool text = schema->type == CYAML_STRING;
    char inner[256];
    char *sql =
        sqlite3_mprintf("INSERT INTO field VALUES (%Q, %d, %Q, %Q, %d, %Q, %u, %u)", kind, !parent,
                        parent, key, !(schema->flags & CYAML_FLAG_OPTIONAL), type_of(schema),
                        text ? schema->string.min : 0, text ? schema->string.max : 0);
    sqlite3_exec(nodes, sql, NULL, NULL, NULL);
    sqlite3_free(sql);
    if (schema->type == CYAML_SEQUENCE)
        add_field(kind, NULL, NULL, schema->sequence.entry);
    for (const cyaml_schema_field_t *field = schema->mapping.fields;
         schema->type == CYAML_MAPPING && field->key; field++) {
        snprintf(inner, sizeof inner, "%s%s%s", kind, *kind ? "." : "", field->key);
        add_field(inner, kind, field->key, &field->value);
    }
}

/* The first row with a message ends the search. */
static int report(void *shown, int count, char **texts, char **names)
{
    (void)count, (void)names;
    return texts[1] ? fail_at(shown, strtoul(texts[0], NULL, 10), texts[1]) : 0;
}

/* --- papers, one after the other --- */

static void open_nodes(void)
{
    static const char tables[] =
        "CREATE TABLE node (id INTEGER PRIMARY KEY, parent INTEGER, path, kind, key, type, value,"
        " number REAL, line INTEGER, key_line INTEGER);"
        "CREATE INDEX by_parent ON node (parent); CREATE INDEX by_kind ON node (kind);"
        "CREATE TABLE field (kind, item, parent, key, required, type, least INTEGER, most INTEGER);"
        "CREATE INDEX field_by_kind ON field (kind)";
    sqlite3_open(":memory:", &nodes);
    sqlite3_exec(nodes, tables, NULL, NULL, NULL);
    sqlite3_create_function(nodes, "no", 3, SQLITE_UTF8, NULL, no, NULL, NULL);
    sqlite3_create_function(nodes, "axis_fault", 2, SQLITE_UTF8, NULL, axis_fault, NULL, NULL);
    sqlite3_create_function(nodes, "preset_fault", 1, SQLITE_UTF8, NULL, preset_fault, NULL, NULL);
    add_field("", NULL, NULL, &orr_paper_schema);
}

static int read_text(struct orr_paper_text *out, const char *key)
{
    *out = (struct orr_paper_text){.text = NULL};
    if (orr_paths_paper(out->path, sizeof out->path, &out->shown, key, "paper.yaml") ||
        orr_text_read(&out->text, &out->size, out->path, out->shown))
        return orr_error_code();
    if (!nodes)
        open_nodes();
    return read_nodes(out);
}

int orr_paper_read(struct orr_paper_text *out, const char *key)
{
    char *why = NULL;
    int code = read_text(out, key);
    if (!code)
        code = sqlite3_exec(nodes, sql_plan_paper_check, report, (void *)out->shown, &why);
    if (why && code != SQLITE_ABORT)
        orr_fail(ORR_EINTERNAL, "plan/paper_check.sql: %s", why);
    sqlite3_free(why);
    sqlite3_exec(nodes, "ROLLBACK", NULL, NULL, NULL);
    return code ? orr_error_code() : 0;
}

int orr_paper_blame(const char *key, const char *path, const char *format, ...)
{
    static const char at[] =
        "SELECT line FROM node WHERE path = '' OR substr(?1 || '.', 1, length(path) + 1) IN"
        " (path || '.', path || '[') ORDER BY length(path) DESC";
    struct orr_paper_text paper;
    sqlite3_stmt *lines;
    va_list arguments;
    va_start(arguments, format);
    char *message = orr_memory_format(format, arguments);
    va_end(arguments);
    int code = read_text(&paper, key);
    if (!code) {
        sqlite3_prepare_v2(nodes, at, -1, &lines, NULL);
        sqlite3_bind_text(lines, 1, path, -1, SQLITE_STATIC);
        sqlite3_step(lines);
        code = fail_at(paper.shown, (size_t)sqlite3_column_int64(lines, 0), message);
        sqlite3_finalize(lines);
    }
    sqlite3_exec(nodes, "ROLLBACK", NULL, NULL, NULL);
    free(paper.text);
    free(message);
    return code;
}
