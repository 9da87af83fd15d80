/* SPDX-License-Identifier: MIT */
/* Processes that are left behind. */
#ifndef LEAVES_H
#define LEAVES_H

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child that sleeps and keeps every descriptor. */
static inline void leave_child(void)
{
    if (fork() == 0) {
        sleep(60);
        _exit(0);
    }
}

/* A daemon: a session of its own, no parent, deaf to signals. */
static inline void leave_daemon(void)
{
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
}

#endif
