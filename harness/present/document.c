/* SPDX-License-Identifier: MIT */
/* Documents as they are built, row by row. */
#include "present/document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "present/queries.h"
#include "text.h"

void orr_document_release(struct orr_document *document)
{
    for (size_t k = 0; k < document->grid_count; k++) {
        free(document->grids[k]->columns);
        free(document->grids[k]->values);
        free(document->grids[k]);
    }
    for (size_t k = 0; k < document->text_count; k++)
        free(document->texts[k]);
    free(document->grids);
    free(document->facts);
    free(document->notes);
    free(document->remarks);
    free(document->texts);
    *document = (struct orr_document){0};
}

char *orr_document_keep(struct orr_document *document, char *text)
{
    char **kept = orr_memory_add(&document->texts, &document->text_count, sizeof *kept);
    return *kept = orr_text_tame(text);
}

static char *copy(struct orr_document *document, const char *text)
{
    return orr_document_keep(document, orr_memory_text(text));
}

void orr_document_name(struct orr_document *document, const char *experiment, const char *title)
{
    document->experiment = copy(document, experiment);
    document->title = copy(document, title);
}

void orr_document_fact(struct orr_document *document, const char *name, const char *text)
{
    struct orr_fact *fact = orr_memory_add(&document->facts, &document->fact_count, sizeof *fact);
    *fact = (struct orr_fact){copy(document, name), copy(document, text)};
}

int orr_document_note(struct orr_document *document, const char *text)
{
    if (!*text)
        return 0;
    for (size_t k = 0; k < document->note_count; k++)
        if (!strcmp(document->notes[k], text))
            return (int)k + 1;
    char **added = orr_memory_add(&document->notes, &document->note_count, sizeof *added);
    *added = copy(document, text);
    return (int)document->note_count;
}

void orr_document_remark(struct orr_document *document, const char *text)
{
    char **added = orr_memory_add(&document->remarks, &document->remark_count, sizeof *added);
    *added = copy(document, text);
}

struct orr_grid *orr_document_grid(struct orr_document *document, bool data, const char *title,
                                   const char *key)
{
    struct orr_grid **slot = orr_memory_add(&document->grids, &document->grid_count, sizeof *slot);
    *slot = orr_memory_get(sizeof **slot);
    **slot = (struct orr_grid){.document = document,
                               .data = data,
                               .title = copy(document, title),
                               .key = *key ? copy(document, key) : NULL};
    if (data && !document->data)
        document->data = *slot;
    return *slot;
}

void orr_grid_column(struct orr_grid *grid, const char *key, const char *head, const char *above,
                     enum orr_audience audience, bool right)
{
    struct orr_column *column = orr_memory_add(&grid->columns, &grid->column_count, sizeof *column);
    *column = (struct orr_column){copy(grid->document, key), copy(grid->document, head),
                                  *above ? copy(grid->document, above) : NULL, audience, right};
    grid->seen |= audience & ORR_PEOPLE;
}

void orr_grid_row(struct orr_grid *grid)
{
    size_t width = grid->column_count, used = grid->row_count * width;
    grid->values = orr_memory_more(grid->values, (used + width + 1) * sizeof *grid->values);
    for (size_t k = used; k < used + width; k++)
        grid->values[k] = (struct orr_value){.number = NAN};
    grid->row_count++;
}

/* A mark is explained once below the tables. */
static void explain_marks(struct orr_document *document, const char *text)
{
    static const char *const marks[][2] = {
        {ORR_WITHIN_ONE_RUN_MARK, ORR_WITHIN_ONE_RUN_MARK
         " " ORR_WITHIN_ONE_RUN ": the interval is of fewer than three processes and excludes "
         "run-to-run variation; `orrery run --repeats 3` measures it"},
        {ORR_TWO_PEAKS_MARK,
         ORR_TWO_PEAKS_MARK " the samples have two peaks: the median may lie where no step does"}};
    for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
        bool known = !strstr(text, marks[m][0]);
        for (size_t k = 0; !known && k < document->remark_count; k++)
            known = !strcmp(document->remarks[k], marks[m][1]);
        if (!known)
            orr_document_remark(document, marks[m][1]);
    }
}

void orr_grid_put(struct orr_grid *grid, size_t column, struct orr_value value)
{
    grid->values[(grid->row_count - 1) * grid->column_count + column] = value;
    if (value.text)
        explain_marks(grid->document, orr_document_keep(grid->document, value.text));
}
