/* SPDX-License-Identifier: MIT */
/* liborrery_mpi.so: the verbs of ranks/mpi.h on the MPI library that this was compiled for. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "ranks/mpi.h"

static char text[MPI_MAX_ERROR_STRING + 1] = "";

static int told(int status)
{
    int length = 0;
    if (status == MPI_SUCCESS)
        return 0;
    if (MPI_Error_string(status, text, &length))
        strcpy(text, "an error of MPI");
    return 1;
}

/* Counts are ints. */
static int count_of(size_t bytes, int *out)
{
    *out = (int)(bytes / 4);
    if (bytes / 4 <= 0x7fffffff)
        return 0;
    strcpy(text, "more than 8 GB in one message");
    return 1;
}

static int begin(struct orr_mpi_place *out)
{
    MPI_Comm local;
    int provided, status = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    if (!status)
        status = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (!status)
        status = MPI_Comm_rank(MPI_COMM_WORLD, &out->rank);
    if (!status)
        status = MPI_Comm_size(MPI_COMM_WORLD, &out->size);
    if (!status)
        status =
            MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local);
    if (!status)
        status = MPI_Comm_rank(local, &out->local_rank);
    if (!status)
        status = MPI_Comm_size(local, &out->local_size);
    return told(status);
}

static int end(void)
{
    return told(MPI_Finalize());
}

static const char *library(void)
{
    static char version[MPI_MAX_LIBRARY_VERSION_STRING + 1];
    int length = 0;
    if (MPI_Get_library_version(version, &length))
        return "MPI";
    version[strcspn(version, ",\n")] = '\0';
    return version;
}

static const char *error(void)
{
    return text;
}

static int barrier(void)
{
    return told(MPI_Barrier(MPI_COMM_WORLD));
}

static int all_gather(void *all, size_t bytes)
{
    int count;
    return count_of(bytes, &count) || told(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all,
                                                         count, MPI_FLOAT, MPI_COMM_WORLD));
}

__attribute__((visibility("default"))) extern const struct orr_mpi orr_mpi;
const struct orr_mpi orr_mpi = {.abi = ORR_RANKS_MPI_ABI,
                                .size = sizeof(struct orr_mpi),
                                .begin = begin,
                                .end = end,
                                .library = library,
                                .error = error,
                                .barrier = barrier,
                                .all_gather = all_gather};
