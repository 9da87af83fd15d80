/* SPDX-License-Identifier: MIT */
/* Computes right forces, and reaches for what is not its own: the folder that REACH names, the
 * network, other processes and programs. What it gets is the reason why its step fails. */
#include "sums.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *below(const char *folder, const char *name)
{
    static _Thread_local char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static bool opens(const char *path, int flags)
{
    int fd = open(path, flags, 0600);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool can_write(const char *folder)
{
    return opens(below(folder, "written"), O_WRONLY | O_CREAT);
}

static bool can_read(const char *folder)
{
    return opens(below(folder, "secret"), O_RDONLY);
}

static bool can_list(const char *folder)
{
    DIR *open = opendir(folder);
    if (open)
        closedir(open);
    return open != NULL;
}

static bool can_truncate(const char *folder)
{
    return !truncate(below(folder, "secret"), 0);
}

static bool can_change(const char *folder)
{
    return !chmod(below(folder, "secret"), 0644);
}

static bool can_remove(const char *folder)
{
    return !unlink(below(folder, "secret"));
}

static bool makes_socket(int family, int type)
{
    int fd = socket(family, type, 0);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool can_send(const char *folder)
{
    (void)folder;
    return makes_socket(AF_INET, SOCK_STREAM) || makes_socket(AF_INET6, SOCK_DGRAM) ||
           makes_socket(AF_UNIX, SOCK_DGRAM);
}

/* To a service of this machine; there is none of that name. */
static bool can_connect(const char *folder)
{
    struct sockaddr_un nobody = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(nobody.sun_path, sizeof nobody.sun_path, "/dev/no-such-%d", folder != NULL);
    bool allowed =
        fd >= 0 && (!connect(fd, (struct sockaddr *)&nobody, sizeof nobody) || errno == ENOENT);
    if (fd >= 0)
        close(fd);
    return allowed;
}

static bool can_signal(const char *folder)
{
    (void)folder;
    return !kill(getppid(), 0);
}

static bool can_trace(const char *folder)
{
    (void)folder;
    return !ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) &&
           !ptrace(PTRACE_DETACH, getppid(), NULL, NULL);
}

static bool can_spy(const char *folder)
{
    char path[64];
    (void)folder;
    snprintf(path, sizeof path, "/proc/%d/environ", (int)getppid());
    return opens(path, O_RDONLY);
}

/* A child is no way out, and starts no program. */
static bool child_can(bool (*reach)(const char *folder), const char *folder)
{
    int status = 1;
    pid_t child = fork();
    if (!child)
        _exit(!reach(folder));
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool becomes_another(const char *folder)
{
    (void)folder;
    execl("/bin/true", "true", (char *)NULL);
    return false;
}

static bool can_start(const char *folder)
{
    return child_can(becomes_another, folder);
}

static bool can_by_child(const char *folder)
{
    return child_can(can_write, folder);
}

static void *in_thread(void *folder)
{
    return can_write(folder) ? folder : NULL;
}

static bool can_by_thread(const char *folder)
{
    pthread_t thread;
    void *got = NULL;
    if (pthread_create(&thread, NULL, in_thread, (void *)folder))
        return true;
    pthread_join(thread, &got);
    return got != NULL;
}

static const struct {
    const char *name;
    bool (*can)(const char *folder);
} reaches[] = {
    {"write", can_write},       {"read", can_read},
    {"list", can_list},         {"chmod", can_change},
    {"truncate", can_truncate}, {"remove", can_remove},
    {"send", can_send},         {"connect", can_connect},
    {"signal", can_signal},     {"trace", can_trace},
    {"spy", can_spy},           {"start", can_start},
    {"by-child", can_by_child}, {"by-thread", can_by_thread},
};

/* Already when it is loaded, be it only to be described. */
__attribute__((constructor)) static void loaded(void)
{
    const char *folder = getenv("REACH");
    for (int fd = STDERR_FILENO + 2; folder && fd < 64; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            opens(below(folder, "inherited"), O_WRONLY | O_CREAT);
    if (folder)
        opens(below(folder, "loaded"), O_WRONLY | O_CREAT);
}

static int reach_prepare(struct orr_job *job)
{
    const char *folder = getenv("REACH"), *own = getenv("TMPDIR");
    char got[256] = "";
    for (size_t k = 0; folder && k < sizeof reaches / sizeof *reaches; k++)
        if (reaches[k].can(folder)) {
            size_t used = strlen(got);
            snprintf(got + used, sizeof got - used, " %s", reaches[k].name);
        }
    if (*got)
        return ORR_FAIL(job, ORR_EDEVICE, "reached:%s", got);
    if (own && !can_write(own))
        return ORR_FAIL(job, ORR_EDEVICE, "no temporary folder: %s", own);
    return sums_prepare(job);
}

PLUGIN(reach, .prepare = reach_prepare);
