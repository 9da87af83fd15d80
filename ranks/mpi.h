/* SPDX-License-Identifier: MIT */
/* MPI as the program sees it: a table that build/liborrery_mpi.so exports as `orr_mpi`, built
 * where mpicc is and loaded in ranks only, so that the program itself needs no MPI. */
#ifndef ORR_RANKS_MPI_H
#define ORR_RANKS_MPI_H

#include <stddef.h>
#include <stdint.h>

#define ORR_RANKS_MPI_ABI 2u

struct orr_mpi_place {
    int rank, size;             /* among all */
    int local_rank, local_size; /* among those of this machine */
};

/* Verbs return 0, or 1 with `error`. Sizes are multiples of 4 bytes. */
struct orr_mpi {
    uint32_t abi, size;
    int (*begin)(struct orr_mpi_place *out);
    int (*end)(void);
    const char *(*library)(void); /* "Open MPI v4.1.4" */
    const char *(*error)(void);   /* of the latest failure */
    int (*barrier)(void);
    int (*all_gather)(void *all, size_t bytes); /* in place: own part at rank * bytes */
};

/* The table, or NULL with the error recorded: ORR_EUNSUPPORTED and what to install. */
const struct orr_mpi *orr_ranks_mpi(void);
/* 0, or the same error where the library was not built. Loads nothing. */
int orr_ranks_mpi_present(void);

#endif
