/* Starts a process that keeps every descriptor of the worker, then dies in the timed step. */
#include <signal.h>
#include <unistd.h>

#include "base.h"

static int step(struct orr_job *job)
{
    if (fork() == 0) {
        sleep(60);
        _exit(0);
    }
    raise(SIGSEGV);
    return 0;
}

const struct orr_variant orr_variant = {BASE_VARIANT, .name = "plugins/crash_with_child",
                                        .step = step};
