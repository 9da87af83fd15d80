#include "present/document.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

static void release_grid(struct orr_grid *grid)
{
    for (size_t k = 0; k < grid->column_count; k++) {
        free(grid->columns[k].key);
        free(grid->columns[k].head);
    }
    for (size_t k = 0; k < grid->row_count * grid->column_count; k++)
        free(grid->values[k].text);
    free(grid->columns);
    free(grid->values);
    free(grid->title);
    free(grid->key);
    free(grid);
}

static void release_texts(char **texts, size_t count)
{
    for (size_t k = 0; k < count; k++)
        free(texts[k]);
    free(texts);
}

void orr_document_release(struct orr_document *document)
{
    for (size_t k = 0; k < document->grid_count; k++)
        release_grid(document->grids[k]);
    for (size_t k = 0; k < document->fact_count; k++) {
        free(document->facts[k].name);
        free(document->facts[k].text);
    }
    release_texts(document->notes, document->note_count);
    release_texts(document->remarks, document->remark_count);
    free(document->grids);
    free(document->facts);
    free(document->experiment);
    free(document->title);
    *document = (struct orr_document){0};
}

int orr_document_check(const struct orr_document *document)
{
    return document->full ? orr_fail(ORR_EMEMORY, "no memory for the table of %s",
                                     document->experiment ? document->experiment : "an experiment")
                          : 0;
}

/* Room for one more item of `size` bytes, zeroed; NULL marks the document. */
static void *grow(struct orr_document *document, void *list, size_t *count, size_t size)
{
    char **items = list;
    char *more = realloc(*items, (*count + 1) * size);
    if (!more) {
        document->full = true;
        return NULL;
    }
    *items = more;
    memset(more + *count * size, 0, size);
    return more + (*count)++ * size;
}

static char *copy(struct orr_document *document, const char *text)
{
    char *made = strdup(text);
    if (!made)
        document->full = true;
    return made;
}

static char *print(struct orr_document *document, const char *format, va_list arguments)
{
    char *made = NULL;
    if (vasprintf(&made, format, arguments) < 0) {
        document->full = true;
        return NULL;
    }
    return made;
}

void orr_document_name(struct orr_document *document, const char *experiment, const char *title)
{
    document->experiment = copy(document, experiment);
    document->title = copy(document, title);
}

void orr_document_fact(struct orr_document *document, const char *name, const char *format, ...)
{
    struct orr_fact *fact = grow(document, &document->facts, &document->fact_count, sizeof *fact);
    if (!fact)
        return;
    va_list arguments;
    va_start(arguments, format);
    fact->name = copy(document, name);
    fact->text = print(document, format, arguments);
    va_end(arguments);
}

int orr_document_note(struct orr_document *document, const char *text)
{
    if (!*text)
        return 0;
    for (size_t k = 0; k < document->note_count; k++)
        if (document->notes[k] && !strcmp(document->notes[k], text))
            return (int)k + 1;
    char **note = grow(document, &document->notes, &document->note_count, sizeof *note);
    if (!note)
        return 0;
    *note = copy(document, text);
    return (int)document->note_count;
}

void orr_document_remark(struct orr_document *document, const char *format, ...)
{
    char **remark = grow(document, &document->remarks, &document->remark_count, sizeof *remark);
    if (!remark)
        return;
    va_list arguments;
    va_start(arguments, format);
    *remark = print(document, format, arguments);
    va_end(arguments);
}

struct orr_grid *orr_document_grid(struct orr_document *document, bool data, const char *format,
                                   ...)
{
    struct orr_grid **slot = grow(document, &document->grids, &document->grid_count, sizeof *slot);
    if (!slot)
        return NULL;
    *slot = calloc(1, sizeof **slot);
    if (!*slot) {
        document->grid_count--;
        document->full = true;
        return NULL;
    }
    va_list arguments;
    va_start(arguments, format);
    **slot = (struct orr_grid){
        .document = document, .data = data, .title = print(document, format, arguments)};
    va_end(arguments);
    return *slot;
}

void orr_document_drop_grid(struct orr_document *document)
{
    release_grid(document->grids[--document->grid_count]);
}

void orr_grid_name(struct orr_grid *grid, const char *key)
{
    if (grid)
        grid->key = copy(grid->document, key);
}

const struct orr_grid *orr_document_data(const struct orr_document *document)
{
    for (size_t k = 0; k < document->grid_count; k++)
        if (document->grids[k]->data)
            return document->grids[k];
    return NULL;
}

void orr_grid_column(struct orr_grid *grid, const char *key, const char *head,
                     enum orr_audience audience, bool right)
{
    struct orr_column *column =
        grid ? grow(grid->document, &grid->columns, &grid->column_count, sizeof *column) : NULL;
    if (!column)
        return;
    column->key = copy(grid->document, key);
    column->head = copy(grid->document, head);
    column->audience = audience;
    column->right = right;
}

void orr_grid_row(struct orr_grid *grid)
{
    if (!grid)
        return;
    size_t width = grid->column_count, used = grid->row_count * width;
    struct orr_value *more = realloc(grid->values, (used + width) * sizeof *more);
    if (!more) {
        grid->document->full = true;
        return;
    }
    grid->values = more;
    for (size_t k = used; k < used + width; k++)
        more[k] = (struct orr_value){.number = NAN};
    grid->row_count++;
}

static struct orr_value *value_of(struct orr_grid *grid, const char *key)
{
    if (!grid)
        return NULL;
    for (size_t k = 0; grid->row_count && k < grid->column_count; k++)
        if (grid->columns[k].key && !strcmp(grid->columns[k].key, key))
            return &grid->values[(grid->row_count - 1) * grid->column_count + k];
    grid->document->full = true;
    return NULL;
}

void orr_grid_text(struct orr_grid *grid, const char *key, const char *format, ...)
{
    struct orr_value *value = value_of(grid, key);
    if (!value)
        return;
    va_list arguments;
    va_start(arguments, format);
    free(value->text);
    value->text = print(grid->document, format, arguments);
    va_end(arguments);
}

void orr_grid_number(struct orr_grid *grid, const char *key, double number)
{
    struct orr_value *value = value_of(grid, key);
    if (value)
        value->number = number;
}

void orr_grid_note(struct orr_grid *grid, const char *key, int note)
{
    struct orr_value *value = value_of(grid, key);
    if (value)
        value->note = note;
}

const struct orr_value *orr_grid_at(const struct orr_grid *grid, size_t row, size_t column)
{
    return &grid->values[row * grid->column_count + column];
}
