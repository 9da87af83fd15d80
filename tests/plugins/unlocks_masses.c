/* Makes the pages of the masses writable where the system lets it, and sets them to zero. Caught by
 * references that come from another process's copy of the bodies. */
#include <sys/mman.h>
#include <unistd.h>

#include "cheats.h"

static int unlock(const void *from, size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)from / page * page;
    return mprotect((char *)from - ((uintptr_t)from - start), (uintptr_t)from + bytes - start,
                    PROT_READ | PROT_WRITE);
}

static int step(struct orr_job *job)
{
    const struct orr_bodies *b = job->bodies;
    struct state *s = job->state;
    int locked = unlock(b->mass, b->n * sizeof *b->mass);
    for (size_t i = 0; i < b->n && !locked; i++)
        b->mass[i] = 0;
    for (size_t k = 0; k < 4 * b->n; k++)
        s->result[k] = 0;
    return 0;
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/unlocks_masses",
                                        .step = step};
