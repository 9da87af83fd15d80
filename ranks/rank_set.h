/* SPDX-License-Identifier: MIT */
/* The workers of several ranks, seen from the referee: started, asked all at once, reaped. Each
 * talks to the referee by a socket of its own, shares the memory of bodies and results, and writes
 * its part of these. */
#ifndef ORR_RANK_SET_H
#define ORR_RANK_SET_H

#include "ranks/world.h"
#include "worker/rank_library.h"

struct orr_rank_set {
    int size;
    pid_t launcher;      /* mpirun or srun */
    int log;             /* memory file of what that says */
    int lost;            /* the rank that a request lost first; -1: none */
    uint64_t unanswered; /* bits of ranks that a request waited for in vain */
    int board_fd;
    struct orr_ranks_board *board;
    struct {
        struct orr_channel channel;
        int log; /* memory file of its stderr */
    } ranks[ORR_MAX_RANKS];
};

/* The verbs of the library (worker/rank_library.h). */
int orr_rank_set_start(struct orr_rank_set **out, const struct orr_rank_plan *plan);
enum orr_heard orr_rank_set_ask(struct orr_rank_set **set, json_t *request, double deadline,
                                json_t **answer);
bool orr_rank_set_has_more(const struct orr_rank_set *set);
void orr_rank_set_reap(struct orr_rank_set **set, enum orr_heard heard, char *reason, size_t size);
void orr_rank_set_shutdown(struct orr_rank_set **set);

/* Who hangs, by what the board says of the ranks in `unanswered`. */
void orr_rank_set_tell_hung(char *out, size_t room, const struct orr_ranks_board *board, int size,
                            uint64_t unanswered);
/* The rank that a launcher's text blames, -1 for none, and its signal, 0 for none. */
int orr_rank_set_blamed(const char *text, int *number);

#endif
