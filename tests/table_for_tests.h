/* SPDX-License-Identifier: MIT */
/* Tables of invented records, as text. */
#ifndef TABLE_FOR_TESTS_H
#define TABLE_FOR_TESTS_H

#include <jansson.h>

#include "paths.h"
#include "present/layout.h"
#include "present/selection.h"
#include "present/document.h"
#include "tests/cases.h"

/* What the journals `from` hold of a paper or an experiment; a path below the home folder or from
 * "/". */
static inline void select_from(struct orr_selection *out, const char *what, const char *from)
{
    char path[1024], *paths[] = {path};
    if (*from == '/')
        snprintf(path, sizeof path, "%s", from);
    else
        assert_done(orr_paths_home(path, sizeof path, "%s", from));
    const struct orr_selection_options options = {.from = paths, .from_count = 1};
    assert_done(orr_selection_make(out, &options, what));
}

static inline const char *text_of(const json_t *row, const char *name)
{
    const char *text = json_string_value(json_object_get(row, name));
    return text ? text : "";
}

/* The document in a format. */
static inline const char *text_in(const char *format, const struct orr_document *document)
{
    RELEASED_BY(free_text) char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_done(orr_format_find(format)->write(to, document, 1));
    fclose(to);
    return filled("%s", text);
}

/* The journal of a run, at a path made of a template. */
static inline FILE *begin_journal(char *path)
{
    int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    assert_non_null(file);
    fputs("{\"record\":\"run\",\"run\":\"r\",\"started\":\"2026-01-01T00:00:00Z\",\"machine\":{"
          "\"name\":\"m\"}}\n",
          file);
    return file;
}

/* The only scope of an experiment there. */
static inline void open_scope(struct orr_selection *selection, struct orr_scopes *scopes,
                              const char *experiment, const char *from)
{
    select_from(selection, experiment, from);
    assert_done(orr_selection_scopes(scopes, selection, &selection->targets[0]));
    assert_int_equal(scopes->count, 1);
}

static inline void close_scope(struct orr_selection *selection, struct orr_scopes *scopes)
{
    orr_selection_release_scopes(scopes);
    orr_selection_release(selection);
}

/* The table of a quantity, NULL for that of the experiment, in one format. */
static inline const char *quantity_from(const char *experiment, const char *quantity,
                                        const char *format, const char *from)
{
    struct orr_selection selection;
    struct orr_scopes scopes;
    RELEASED_BY(orr_document_release) struct orr_document document;
    open_scope(&selection, &scopes, experiment, from);
    if (quantity)
        scopes.items[0].quantity = quantity;
    assert_done(orr_layout_show(&document, NULL, &scopes.items[0]));
    const char *text = text_in(format, &document);
    close_scope(&selection, &scopes);
    return text;
}

static inline const char *table_from(const char *experiment, const char *format, const char *from)
{
    return quantity_from(experiment, NULL, format, from);
}

/* The first line of `text` that holds both words; NULL when there is none. */
static inline char *line_with(const char *text, const char *one, const char *other)
{
    static char line[4096];
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        if (strstr(line, one) && strstr(line, other))
            return line;
    }
    return NULL;
}

#endif
