/* SPDX-License-Identifier: MIT */
/* An MPI whose ranks are threads of this program. */
#ifndef MPI_FOR_TESTS_H
#define MPI_FOR_TESTS_H

#include <pthread.h>
#include <string.h>

#include "ranks/world.h"

enum { MOST_RANKS = 8, MOST_GATHERED = 1024 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t all_here;
    int size, here, meetings;
    char board[MOST_RANKS * MOST_GATHERED];
} team = {.lock = PTHREAD_MUTEX_INITIALIZER, .all_here = PTHREAD_COND_INITIALIZER};
static __thread int own_rank;

static inline int meet(void)
{
    pthread_mutex_lock(&team.lock);
    int meeting = team.meetings;
    if (++team.here == team.size) {
        team.here = 0;
        team.meetings++;
        pthread_cond_broadcast(&team.all_here);
    }
    while (meeting == team.meetings)
        pthread_cond_wait(&team.all_here, &team.lock);
    pthread_mutex_unlock(&team.lock);
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
