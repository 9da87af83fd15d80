/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "paths.h"
#include "plan/paper_parts.h"
#include "text.h"

enum { DEEPEST = 32 };

/* Refuses deep nesting, over which libyaml's time grows with the square. What is no YAML is left to
 * the reader. */
static int check_depth(const char *shown, const char *text, size_t size)
{
    yaml_parser_t parser;
    yaml_event_t event;
    int depth = 0, code = 0;
    bool more = true;
    if (!yaml_parser_initialize(&parser))
        return orr_fail(ORR_EMEMORY, "no memory to read %s", shown);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    while (!code && more && yaml_parser_parse(&parser, &event)) {
        yaml_event_type_t type = event.type;
        depth += type == YAML_SEQUENCE_START_EVENT || type == YAML_MAPPING_START_EVENT;
        depth -= type == YAML_SEQUENCE_END_EVENT || type == YAML_MAPPING_END_EVENT;
        if (depth > DEEPEST)
            code = orr_fail(ORR_EINPUT, "%s:%zu: nested deeper than %d levels", shown,
                            event.start_mark.line + 1, DEEPEST);
        more = type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return code;
}

int orr_paper_places_open(struct orr_paper_places *out, size_t *size, const char *key)
{
    yaml_parser_t parser;
    memset(out, 0, sizeof *out);
    if (orr_paths_paper(out->path, sizeof out->path, &out->shown, key, "paper.yaml") ||
        orr_text_read(&out->text, size, out->path, out->shown) ||
        check_depth(out->shown, out->text, *size))
        return orr_error_code();
    if (!yaml_parser_initialize(&parser))
        return orr_fail(ORR_EMEMORY, "no memory to read %s", out->shown);
    yaml_parser_set_input_string(&parser, (const unsigned char *)out->text, *size);
    out->open = yaml_parser_load(&parser, &out->document);
    int code = 0;
    if (!out->open)
        code = orr_fail(ORR_EINPUT, "%s:%zu: %s", out->shown, parser.problem_mark.line + 1,
                        parser.problem ? parser.problem : "cannot be read");
    else if (!yaml_document_get_root_node(&out->document))
        code = orr_fail(ORR_EINPUT, "%s: the file is empty", out->shown);
    yaml_parser_delete(&parser);
    return code;
}

void orr_paper_places_close(struct orr_paper_places *places)
{
    if (places->open)
        yaml_document_delete(&places->document);
    free(places->text);
}

static yaml_node_t *node_at(const struct orr_paper_places *places, int index)
{
    return yaml_document_get_node((yaml_document_t *)&places->document, index); /* reads only */
}

static bool is_key(const yaml_node_t *node, const char *key, size_t length)
{
    return node && node->type == YAML_SCALAR_NODE && node->data.scalar.length == length &&
           !memcmp(node->data.scalar.value, key, length);
}

static yaml_node_t *member(const struct orr_paper_places *places, const yaml_node_t *node,
                           const char *key, size_t length)
{
    if (node->type != YAML_MAPPING_NODE)
        return NULL;
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++)
        if (is_key(node_at(places, pair->key), key, length))
            return node_at(places, pair->value);
    return NULL;
}

static yaml_node_t *entry(const struct orr_paper_places *places, const yaml_node_t *node,
                          size_t index)
{
    if (node->type != YAML_SEQUENCE_NODE)
        return NULL;
    yaml_node_item_t *item = node->data.sequence.items.start + index;
    return item < node->data.sequence.items.top ? node_at(places, *item) : NULL;
}

/* The node at `path`, or with *whole = false the last one on the way that exists. */
static yaml_node_t *walk(const struct orr_paper_places *places, const char *path, bool *whole)
{
    yaml_node_t *node = node_at(places, 1), *next = node;
    while (*path && next) {
        size_t length = strcspn(path, ".[");
        if (*path == '[') {
            char *end;
            next = entry(places, node, strtoul(path + 1, &end, 10));
            path = end + 1;
        } else {
            next = member(places, node, path, length);
            path += length;
        }
        path += *path == '.';
        node = next ? next : node;
    }
    *whole = next;
    return node;
}

bool orr_paper_places_has(const struct orr_paper_places *places, const char *path)
{
    bool whole;
    walk(places, path, &whole);
    return whole;
}

int orr_paper_fail(const struct orr_paper_places *places, const char *path, const char *format, ...)
{
    char message[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    bool whole;
    size_t line = walk(places, path, &whole)->start_mark.line + 1;
    return orr_fail(ORR_EINPUT, "%s:%zu: %s", places->shown, line, message);
}

static int fail_key(const struct orr_paper_places *places, const yaml_node_t *key,
                    const cyaml_schema_field_t *fields)
{
    const char *names[32];
    size_t count = 0;
    for (; fields[count].key && count < sizeof names / sizeof *names; count++)
        names[count] = fields[count].key;
    const char *word = (const char *)key->data.scalar.value;
    char hint[128];
    return orr_fail(ORR_EINPUT, "%s:%zu: unknown key '%s'%s", places->shown,
                    key->start_mark.line + 1, word,
                    orr_text_hint(hint, sizeof hint, word, names, count));
}

static int search(const struct orr_paper_places *places, const yaml_node_t *node,
                  const cyaml_schema_value_t *schema);

/* Fails for a repeated key, or a missing one that is required. */
static int check_field(const struct orr_paper_places *places, const yaml_node_t *node,
                       const cyaml_schema_field_t *field)
{
    size_t line = node->start_mark.line;
    int count = 0;
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = node_at(places, pair->key);
        if (is_key(key, field->key, strlen(field->key)) && ++count == 2)
            line = key->start_mark.line;
    }
    if (count > 1)
        return orr_fail(ORR_EINPUT, "%s:%zu: the key '%s' is there twice", places->shown, line + 1,
                        field->key);
    if (count == 0 && !(field->value.flags & CYAML_FLAG_OPTIONAL))
        return orr_fail(ORR_EINPUT, "%s:%zu: the key '%s' is missing", places->shown, line + 1,
                        field->key);
    return 0;
}

static int search_mapping(const struct orr_paper_places *places, const yaml_node_t *node,
                          const cyaml_schema_field_t *fields)
{
    int code = 0;
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         !code && pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = node_at(places, pair->key);
        if (key->type != YAML_SCALAR_NODE)
            return orr_fail(ORR_EINPUT, "%s:%zu: a key must be a word", places->shown,
                            key->start_mark.line + 1);
        const cyaml_schema_field_t *field = fields;
        while (field->key && !is_key(key, field->key, strlen(field->key)))
            field++;
        code = field->key ? search(places, node_at(places, pair->value), &field->value)
                          : fail_key(places, key, fields);
    }
    for (const cyaml_schema_field_t *field = fields; !code && field->key; field++)
        code = check_field(places, node, field);
    return code;
}

/* Follows the schema, which is finite: an alias to a parent cannot loop. */
static int search(const struct orr_paper_places *places, const yaml_node_t *node,
                  const cyaml_schema_value_t *schema)
{
    if (schema->type == CYAML_MAPPING && node->type == YAML_MAPPING_NODE)
        return search_mapping(places, node, schema->mapping.fields);
    int code = 0;
    if (schema->type == CYAML_SEQUENCE && node->type == YAML_SEQUENCE_NODE)
        for (yaml_node_item_t *item = node->data.sequence.items.start;
             !code && item < node->data.sequence.items.top; item++)
            code = search(places, node_at(places, *item), schema->sequence.entry);
    return code;
}

int orr_paper_places_check_keys(const struct orr_paper_places *places,
                                const cyaml_schema_value_t *schema)
{
    return search(places, node_at(places, 1), schema);
}
