#include "present/write.h"

#include <string.h>

/* A bar and two blanks. */
enum { AROUND = 3, NUMBER = ORR_FOLD_NUMBER + AROUND };

static const struct orr_column *column_of(const struct orr_fold *fold, size_t k)
{
    return &fold->grid->columns[fold->columns[k]];
}

static size_t room_of(const struct orr_fold *fold, size_t k)
{
    return (size_t)fold->rooms[fold->columns[k]] + AROUND;
}

/* Behind the columns from `at` on that stand below one head; `room`: what they take. */
static size_t end_of_head(const struct orr_fold *fold, size_t at, size_t *room)
{
    const char *above = column_of(fold, at)->above;
    *room = 0;
    do
        *room += room_of(fold, at++);
    while (at < fold->count && above && column_of(fold, at)->above &&
           !strcmp(above, column_of(fold, at)->above));
    return at;
}

/* Those before the first number name the row, as far as they leave room for what stands below any
 * head. */
static void choose_names(struct orr_fold *fold)
{
    size_t all = 0, used = 1, widest = 0, room;
    for (; all < fold->count && !column_of(fold, all)->right; all++)
        used += room_of(fold, all);
    if (all == fold->count) { /* only words */
        fold->numbered = all > 1;
        return;
    }
    for (size_t k = all; k < fold->count;) {
        k = end_of_head(fold, k, &room);
        widest = room > widest ? room : widest;
    }
    fold->numbered = used + widest > fold->screen;
    if (fold->numbered)
        used += NUMBER;
    for (fold->names = all; fold->names > 0 && used + widest > fold->screen; fold->names--)
        used -= room_of(fold, fold->names - 1);
}

void orr_fold_begin(struct orr_fold *fold, const struct orr_grid *grid, const int *rooms,
                    size_t *columns, size_t screen)
{
    size_t whole = 1;
    *fold = (struct orr_fold){.grid = grid, .rooms = rooms, .screen = screen, .columns = columns};
    for (size_t k = 0; k < grid->column_count; k++) {
        if (!(grid->columns[k].audience & ORR_PEOPLE))
            continue;
        columns[fold->count++] = k;
        whole += room_of(fold, fold->count - 1);
    }
    if (whole > screen)
        choose_names(fold);
    fold->taken = fold->names;
}

/* A part begins with the names, unless the next column does not fit beside them: that has only the
 * numbers of the rows beside it, once the names were shown. Returns the room that is used. */
static size_t begin_part(struct orr_fold *fold, bool *fits)
{
    const size_t bare = 1 + (fold->numbered ? NUMBER : 0);
    size_t used = bare;
    for (size_t k = 0; k < fold->names; k++)
        used += room_of(fold, k);
    *fits = !fold->names || used + room_of(fold, fold->taken) <= fold->screen;
    fold->from = !*fits && fold->named ? fold->names : 0;
    fold->shown = fold->names;
    *fits |= fold->from > 0;
    fold->named = true;
    return fold->from ? bare : used;
}

bool orr_fold_next(struct orr_fold *fold)
{
    bool fits;
    if (fold->taken == fold->count)
        return false;
    size_t used = begin_part(fold, &fits), room;
    while (fits && fold->taken < fold->count) {
        size_t end = end_of_head(fold, fold->taken, &room);
        if (fold->shown > fold->names && used + room > fold->screen)
            break;
        for (; fold->taken < end; used += room_of(fold, fold->taken++)) {
            if (fold->shown > fold->names && used + room_of(fold, fold->taken) > fold->screen)
                return true; /* wider than the screen by itself */
            fold->columns[fold->shown++] = fold->columns[fold->taken];
        }
    }
    return true;
}
