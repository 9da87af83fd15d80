/* An accident: blocks every signal and ignores those that end a process, as some runtimes do. Right
 * all the same; the cells after it can still be stopped and still crash when they should. */
#include <pthread.h>
#include <signal.h>

#define HAS_SPOIL
#include "cheats.h"

static void spoil(struct orr_job *job, struct state *s)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGPIPE, SIGCHLD, SIGSEGV, SIGABRT};
    sigset_t all;
    for (size_t k = 0; k < sizeof ending / sizeof *ending; k++)
        signal(ending[k], SIG_IGN);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/ignores_signals"};
