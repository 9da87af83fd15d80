/* SPDX-License-Identifier: MIT */
/* An MPI whose ranks are threads of this program. */
#ifndef MPI_FOR_TESTS_H
#define MPI_FOR_TESTS_H

#include <pthread.h>
#include <string.h>

#include "ranks/world.h"

enum { MOST_RANKS = 8, MOST_GATHERED = 1024 };

static struct {
    pthread_barrier_t all_here;
    int size;
    char board[MOST_RANKS * MOST_GATHERED];
} team;
static __thread int own_rank;

/* The ranks that meet from now on. */
static inline void begin_team(int size)
{
    if (team.size)
        pthread_barrier_destroy(&team.all_here);
    team.size = size;
    pthread_barrier_init(&team.all_here, NULL, (unsigned)size);
}

static inline int meet(void)
{
    pthread_barrier_wait(&team.all_here);
    return 0;
}

static inline int all_gather(void *all, size_t bytes)
{
    if (bytes > MOST_GATHERED)
        return 1;
    memcpy(team.board + (size_t)own_rank * bytes, (char *)all + (size_t)own_rank * bytes, bytes);
    meet();
    memcpy(all, team.board, (size_t)team.size * bytes);
    return meet();
}

static inline const char *library(void)
{
    return "threads";
}

static inline void ignore_stage(const char *name)
{
}

#endif
