/* Computes right forces, but leaves a daemon behind: a session of its own, deaf to signals. It
 * makes the file TEST_DAEMON. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sums.h"

static void spoil(struct orr_job *job, struct state *s)
{
    if (s->steps > 1)
        return;
    pid_t child = fork();
    if (child == 0) {
        setsid();
        for (int number = 1; number < 32; number++)
            signal(number, SIG_IGN);
        if (fork() == 0)
            sleep(60);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    const char *file = getenv("TEST_DAEMON");
    if (file)
        close(open(file, O_WRONLY | O_CREAT, 0600));
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/leaves_daemon"};
