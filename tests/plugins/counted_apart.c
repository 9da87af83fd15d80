/* Right in the first process that steps, which makes the file TEST_FIRST; another one that finds it
 * there dies, or is wrong with TEST_WRONG. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "sums.h"

static void spoil(struct orr_job *job, struct state *s)
{
    static bool first;
    const char *file = getenv("TEST_FIRST");
    if (!file || first)
        return;
    int fd = open(file, O_WRONLY | O_CREAT | O_EXCL, 0600);
    first = fd >= 0;
    if (first)
        close(fd);
    else if (getenv("TEST_WRONG"))
        s->result[0] *= 2;
    else
        raise(SIGSEGV);
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/counted_apart"};
