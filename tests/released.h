/* SPDX-License-Identifier: MIT */
/* Variables that are taken back where their block ends. */
#ifndef RELEASED_H
#define RELEASED_H

#include <sqlite3.h>
#include <stdlib.h>

#include "harness/plan/paper.h"

/* `release` takes the variable's address. */
#define RELEASED_BY(release) __attribute__((cleanup(release)))

/* Bodies, from datasets/bodies.h. */
#define BODIES RELEASED_BY(orr_bodies_release) struct orr_bodies

/* Of a pointer to what malloc gave. */
static inline void free_text(void *pointer)
{
    free(*(void **)pointer);
}

static inline void end_query(sqlite3_stmt **row)
{
    sqlite3_finalize(*row);
}

static inline void free_paper(struct orr_paper **paper)
{
    orr_paper_free(*paper);
}

#endif
