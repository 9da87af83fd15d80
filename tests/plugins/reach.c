/* SPDX-License-Identifier: MIT */
/* Computes right forces, and reaches for what is not its own: the folder that REACH names, the
 * network, other processes and programs. What it gets is the reason why its step fails. */
#include "sums.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *below(const char *folder, const char *name)
{
    static _Thread_local char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static bool opened(int fd)
{
    return fd >= 0 && !close(fd);
}

static bool can_write(const char *folder)
{
    return opened(open(below(folder, "written"), O_WRONLY | O_CREAT, 0600));
}

static bool can_list(const char *folder)
{
    DIR *open = opendir(folder);
    return open && !closedir(open);
}

static bool can_send(void)
{
    return opened(socket(AF_INET, SOCK_STREAM, 0)) || opened(socket(AF_INET6, SOCK_DGRAM, 0)) ||
           opened(socket(AF_UNIX, SOCK_DGRAM, 0));
}

static bool can_spy(pid_t other)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", (int)other);
    return opened(open(path, O_RDONLY));
}

/* A child is no way out, and starts no program, for which there is no folder to write to. */
static bool child_can(const char *folder)
{
    int status = 1;
    pid_t child = fork();
    if (!child && folder)
        _exit(!can_write(folder));
    if (!child)
        _exit(execl("/bin/true", "true", (char *)NULL));
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static void *in_thread(void *folder)
{
    return can_write(folder) ? folder : NULL;
}

static bool thread_can(const char *folder)
{
    pthread_t thread;
    void *got = NULL;
    return pthread_create(&thread, NULL, in_thread, (void *)folder) || pthread_join(thread, &got) ||
           got;
}

/* Already when it is loaded, be it only to be described. */
__attribute__((constructor)) static void loaded(void)
{
    const char *folder = getenv("REACH");
    for (int fd = STDERR_FILENO + 2; folder && fd < 64; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            opened(open(below(folder, "inherited"), O_WRONLY | O_CREAT, 0600));
    if (folder)
        opened(open(below(folder, "loaded"), O_WRONLY | O_CREAT, 0600));
}

static void note(char *got, const char *reach, bool can)
{
    if (can)
        strcat(strcat(got, " "), reach);
}

static int reach_prepare(struct orr_job *job)
{
    const char *folder = getenv("REACH"), *own = getenv("TMPDIR");
    char got[256] = "";
    const pid_t parent = getppid();
    note(got, "write", can_write(folder));
    note(got, "read", opened(open(below(folder, "secret"), O_RDONLY)));
    note(got, "list", can_list(folder));
    note(got, "remove", !unlink(below(folder, "secret")));
    note(got, "send", can_send());
    note(got, "signal", !kill(parent, 0));
    note(got, "spy", can_spy(parent));
    note(got, "start", child_can(NULL));
    note(got, "by-child", child_can(folder));
    note(got, "by-thread", thread_can(folder));
    if (*got)
        return ORR_FAIL(job, ORR_EDEVICE, "reached:%s", got);
    if (own && !can_write(own))
        return ORR_FAIL(job, ORR_EDEVICE, "no temporary folder: %s", own);
    return sums_prepare(job);
}

PLUGIN(reach, .prepare = reach_prepare);
