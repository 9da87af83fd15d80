#include "run/process_state.h"

#include <fenv.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

/* The order of the variables counts, too: nothing reorders them by itself. */
static uint64_t hash_environment(void)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (char **variable = environ; variable && *variable; variable++)
        for (size_t k = 0; k <= strlen(*variable); k++)
            hash = (hash ^ (unsigned char)(*variable)[k]) * 0x100000001b3u;
    return hash;
}

static unsigned control_of_sse(void)
{
#if defined(__SSE__)
    return _mm_getcsr() & ~0x3fu;
#else
    return 0;
#endif
}

static bool has_children(void)
{
    siginfo_t info;
    return !waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT);
}

void orr_process_state_take(struct orr_process_state *out)
{
    static const __rlimit_resource_t limits[ORR_PROCESS_LIMITS] = {
        RLIMIT_AS, RLIMIT_CORE, RLIMIT_CPU, RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_NOFILE};
    memset(out, 0, sizeof *out);
    if (!getcwd(out->folder, sizeof out->folder))
        *out->folder = '\0';
    out->environment = hash_environment();
    for (int k = 0; k < ORR_PROCESS_LIMITS; k++)
        getrlimit(limits[k], &out->limits[k]);
    out->file_mask = umask(0);
    umask(out->file_mask);
    pthread_sigmask(SIG_SETMASK, NULL, &out->signal_mask);
    out->rounding = fegetround();
    out->control = control_of_sse();
    out->children = has_children();
}

static int same_signals(const sigset_t *a, const sigset_t *b)
{
    for (int signal = 1; signal < NSIG; signal++)
        if (sigismember(a, signal) != sigismember(b, signal))
            return 0;
    return 1;
}

const char *orr_process_state_changed(const struct orr_process_state *before)
{
    struct orr_process_state now;
    orr_process_state_take(&now);
    return strcmp(now.folder, before->folder)                                   ? "folder"
           : now.environment != before->environment                             ? "environment"
           : memcmp(now.limits, before->limits, sizeof now.limits)              ? "limits"
           : now.file_mask != before->file_mask                                 ? "mask of files"
           : !same_signals(&now.signal_mask, &before->signal_mask)              ? "mask of signals"
           : now.children && !before->children                                  ? "children"
           : now.rounding != before->rounding || now.control != before->control ? "rounding"
                                                                                : NULL;
}
