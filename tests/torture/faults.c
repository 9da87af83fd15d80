/* SPDX-License-Identifier: MIT */
/* Preloaded into the program: a disk that is full and a clock that is set back.
 *
 *   TORTURE_DISK=N    after N bytes, write() to files fails with ENOSPC, in the middle of one
 *   TORTURE_SYNC=N    the Nth fsync() fails
 *   TORTURE_CLOCK=N   from the Nth look at the time of day on, it is a day earlier */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const time_t DAY = 86400;

/* The number that an environment variable holds; -1 without it. */
static long long number_of(const char *name)
{
    const char *text = getenv(name);
    return text ? atoll(text) : -1;
}

static bool is_on_disk(int fd)
{
    struct stat file;
    char link[64] = "", path[32];
    if (fstat(fd, &file) || !S_ISREG(file.st_mode))
        return false;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return readlink(path, link, sizeof link - 1) > 0 && strncmp(link, "/memfd:", 7) != 0;
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    static long long left = -2;
    if (left == -2)
        left = number_of("TORTURE_DISK");
    if (left >= 0 && is_on_disk(fd)) {
        if (!left) {
            errno = ENOSPC;
            return -1;
        }
        size = (long long)size < left ? size : (size_t)left;
        left -= (long long)size;
    }
    return syscall(SYS_write, fd, bytes, size);
}

int fsync(int fd)
{
    static long long left = -2;
    if (left == -2)
        left = number_of("TORTURE_SYNC");
    if (left > 0 && is_on_disk(fd) && !--left) {
        errno = ENOSPC;
        return -1;
    }
    return (int)syscall(SYS_fsync, fd);
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
    static long long left = -2;
    int code = (int)syscall(SYS_clock_gettime, clock, out);
    if (left == -2)
        left = number_of("TORTURE_CLOCK");
    if (clock != CLOCK_REALTIME || left < 0)
        return code;
    if (left > 0)
        left--;
    else
        out->tv_sec -= DAY;
    return code;
}

time_t time(time_t *out)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_REALTIME, &t);
    if (out)
        *out = t.tv_sec;
    return t.tv_sec;
}
