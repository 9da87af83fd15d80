/* SPDX-License-Identifier: MIT */
/* The communicator from the harness's side: what connects the ranks, and where each of them is. */
#ifndef ORR_RANKS_WORLD_H
#define ORR_RANKS_WORLD_H

#include <stdatomic.h>
#include <stdint.h>

#include "ranks/mpi.h"
#include "ranks/ranks.h"

/* What the ranks share with who started them, so that a hung exchange can be explained, and with
 * each other. */
struct orr_ranks_board {
    struct {
        _Atomic uint64_t entered, left; /* collective verbs */
        char what[24];                  /* the latest one's name */
        uint64_t begins[ORR_MAX_RANKS]; /* in its box of outbox.h, what it sends to each */
    } ranks[ORR_MAX_RANKS];
};

/* What a rank tells the others of its device; padded to whole words. */
struct orr_ranks_face {
    int32_t ready; /* 1: its device is open; else the code of why it is not, or 0 */
    int32_t nccl;  /* version, 0: there is none */
    char backend[8], device[32], name[128], uuid[48];
    char why[256]; /* it is not open */
};

/* Whether NCCL can connect devices of these faces; if not, *why (static, or of `room`) says why. */
bool orr_ranks_may_nccl(const struct orr_ranks_face *faces, int count, char *why, size_t room);
/* 0, or a rank's code where that has no device, ORR_EUNSUPPORTED where it has another kind of
 * device than rank 0. */
int orr_ranks_check_faces(const struct orr_ranks_face *faces, int count);
/* The device of a rank: "cuda:2" is `first` "cuda:0" and rank 2. `count` devices are there. Beyond
 * them ORR_EUNSUPPORTED, unless ranks may share one. */
int orr_ranks_device(char out[32], const char *first, int rank, int size,
                     const struct orr_device_info *devices, int count, bool oversubscribe);

/* As `connect` of worker/rank_library.h. `board` lies at the beginning of the file `board_fd`; NULL
 * will do where NCCL connects. */
int orr_ranks_open(struct orr_ranks **out, const struct orr_mpi *mpi,
                   const struct orr_mpi_place *place, struct orr_device *device,
                   struct orr_ranks_board *board, int board_fd, void (*stage)(const char *name));
/* "NCCL 2.28.3", "Open MPI v4.1.4 through host memory: two ranks share GPU-..." */
const char *orr_ranks_transport(const struct orr_ranks *ranks);
/* Frees what it holds; NULL is accepted. Not collective. */
void orr_ranks_close(struct orr_ranks *ranks);

#endif
