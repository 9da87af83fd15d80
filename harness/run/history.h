/* What a journal already holds: its request, its ceilings and the last record of every cell. */
#ifndef ORR_HISTORY_H
#define ORR_HISTORY_H

#include <jansson.h>
#include <stdbool.h>

struct orr_history {
    json_t *run;      /* the run record; NULL in an empty history */
    json_t *cells;    /* id -> record */
    json_t *ceilings; /* device -> record */
};

int orr_history_make(struct orr_history *out); /* empty */
int orr_history_read(struct orr_history *out, const char *path);
void orr_history_release(struct orr_history *history);
/* Remembers one more record (its reference is not taken). */
int orr_history_add(struct orr_history *history, json_t *record);
/* The last record of cell `id`, or NULL. */
json_t *orr_history_cell(const struct orr_history *history, const char *id);

#endif
