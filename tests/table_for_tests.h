/* Tables of invented records, as text. */
#ifndef TABLE_FOR_TESTS_H
#define TABLE_FOR_TESTS_H

#include "error.h"
#include "paths.h"
#include "present/layout.h"
#include "present/selection.h"
#include "present/write.h"
#include "tests/cases.h"

/* The only scope of an experiment in the journal `from`, a path below the home folder or from "/".
 */
static inline void open_scope(struct orr_selection *selection, struct orr_scopes *scopes,
                              const char *experiment, const char *from)
{
    char path[1024], *paths[] = {path};
    orr_error_clear();
    assert_int_equal(*from == '/' ? 0 : orr_paths_home(path, sizeof path, "%s", from), 0);
    if (*from == '/')
        snprintf(path, sizeof path, "%s", from);
    struct orr_wish wish = {.from = paths, .from_count = 1};
    assert_int_equal(orr_selection_make(selection, &wish, experiment), 0);
    assert_int_equal(orr_selection_scopes(scopes, selection, &selection->targets[0]), 0);
    assert_int_equal(scopes->count, 1);
}

static inline void close_scope(struct orr_selection *selection, struct orr_scopes *scopes)
{
    orr_selection_release_scopes(scopes);
    orr_selection_release(selection);
}

/* The table in one format. Free it. */
static inline char *table_from(const char *experiment, const char *format, const char *from)
{
    char *text = NULL;
    size_t size;
    struct orr_selection selection;
    struct orr_scopes scopes;
    struct orr_document document;
    open_scope(&selection, &scopes, experiment, from);
    assert_int_equal(orr_layout_table(&document, &scopes.items[0]), 0);
    FILE *to = open_memstream(&text, &size);
    assert_int_equal(orr_format_find(format)->write(to, &document, 1), 0);
    fclose(to);
    orr_document_release(&document);
    close_scope(&selection, &scopes);
    return text;
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
