/* SPDX-License-Identifier: MIT */
#include "ranks/mpi.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "paths.h"

static int path_of(char *out, size_t size)
{
    const char *chosen = getenv("ORRERY_MPI_LIBRARY");
    if (!chosen || strlen(chosen) >= size)
        return orr_paths_library(out, size, "liborrery_mpi.so");
    strcpy(out, chosen);
    return 0;
}

int orr_ranks_mpi_present(void)
{
    char path[1024];
    int code = path_of(path, sizeof path);
    if (!code && access(path, F_OK))
        code =
            orr_fail(ORR_EUNSUPPORTED,
                     "ranks need %s, which is built where mpicc is (Debian: libopenmpi-dev)", path);
    return code;
}

const struct orr_mpi *orr_ranks_mpi(void)
{
    char path[1024];
    if (orr_ranks_mpi_present() || path_of(path, sizeof path))
        return NULL;
    /* Open MPI's components look for its symbols among the global ones. */
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    const struct orr_mpi *mpi = library ? dlsym(library, "orr_mpi") : NULL;
    if (mpi && mpi->abi == ORR_RANKS_MPI_ABI && mpi->size == sizeof *mpi)
        return mpi;
    if (library)
        orr_fail(ORR_EUNSUPPORTED, "%s is of another version of Orrery; build it again", path);
    else
        orr_fail(ORR_EUNSUPPORTED, "ranks need MPI: %s", dlerror());
    return NULL;
}
