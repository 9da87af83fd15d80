/* Cuts the memory that it is lent short, so that whoever reads it crashes. Its size is sealed: the
 * cell stays ok. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define HAS_SPOIL
#include "cheats.h"

static void spoil(struct orr_job *job, struct state *s)
{
    struct stat about;
    for (int fd = 3; fd < 64; fd++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        if (fstat(fd, &about) || about.st_size < 1 << 20)
            continue;
        int again = open(path, O_RDWR);
        if (again >= 0 && !ftruncate(again, 1))
            abort();
        close(again);
    }
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/cuts_memory"};
