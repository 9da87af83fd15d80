/* The workers of several ranks, seen from the referee: started, asked all at once, reaped. Each
 * talks to the referee by a socket of its own, shares the memory of bodies and results, and writes
 * its part of these. */
#ifndef ORR_RANK_SET_H
#define ORR_RANK_SET_H

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

#include "ranks/world.h"
#include "run/channel.h"

struct orr_rank_set {
    int size;            /* 0: there is none */
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

#define ORR_RANK_SET_INIT ((struct orr_rank_set){.log = -1, .lost = -1, .board_fd = -1})

struct orr_rank_plan {
    int size;
    int bodies_fd, results_fd; /* what they inherit of run/lent.h */
    double deadline;           /* orr_clock_now() at which starting is given up */
};
/* Starts them and waits until all are there. ORR_EUNSUPPORTED without MPI, ORR_EIO when they do not
 * come up, with the launcher's last words. */
int orr_rank_set_start(struct orr_rank_set *out, const struct orr_rank_plan *plan);
/* Sends `request` to all (takes the reference) and waits for all answers, which are the caller's.
 * Once one says "failed", the others get a moment. With anything but ORR_HEARD_MESSAGE there are
 * none, and the set is of no more use. */
enum orr_heard orr_rank_set_ask(struct orr_rank_set *set, json_t *request, double deadline,
                                json_t *answers[ORR_MAX_RANKS]);
/* Does one say something although it is asked nothing, or is it gone? */
bool orr_rank_set_has_more(const struct orr_rank_set *set);
/* Ends them all, and says what went wrong where `reason` is wanted: which rank crashed, or what
 * each was waiting for. */
void orr_rank_set_reap(struct orr_rank_set *set, enum orr_heard heard, char *reason, size_t size);
/* Asks them to quit and waits a little. Safe without any. */
void orr_rank_set_shutdown(struct orr_rank_set *set);

/* Who hangs, by what the board says of the ranks in `unanswered`. */
void orr_rank_set_tell_hung(char *out, size_t room, const struct orr_ranks_board *board, int size,
                            uint64_t unanswered);
/* The rank that a launcher's text blames, -1 for none, and its signal, 0 for none. */
int orr_rank_set_blamed(const char *text, int *number);

#endif
