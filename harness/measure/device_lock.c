/* SPDX-License-Identifier: MIT */
/* Locks of devices: which file is a device's, who holds it, and waiting for it. */
#include "measure/device_lock.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "error.h"
#include "text.h"

enum { TRY_MS = 100 };
#define SAY_AGAIN_S 5.0

/* --- which lock --- */

static void name_key(char *out, size_t size, const struct orr_device_info *device)
{
    if (device->kind != ORR_DEVICE_GPU)
        snprintf(out, size, "cores");
    else if (*device->uuid)
        snprintf(out, size, "%s", device->uuid);
    else if (*device->pci)
        snprintf(out, size, "%s", device->pci);
    else /* "opencl:1.0" is another device once another driver is installed */
        snprintf(out, size, "%.40s%s", device->name,
                 strchr(device->id, '.') ? strrchr(device->id, '.') : "");
    for (char *c = out; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '.')
            *c = '-';
}

int orr_device_lock_add(struct orr_device_locks *locks, const struct orr_device_info *device)
{
    struct orr_device_lock fresh = {.fd = -1};
    int place = locks->count;
    name_key(fresh.key, sizeof fresh.key, device);
    snprintf(fresh.device, sizeof fresh.device, "%s", device->id);
    while (place > 0 && strcmp(fresh.key, locks->locks[place - 1].key) < 0)
        place--;
    if (place > 0 && !strcmp(fresh.key, locks->locks[place - 1].key))
        return 0;
    if (locks->count == ORR_DEVICE_LOCKS)
        return orr_fail(ORR_EINTERNAL, "more than %d devices in one run", ORR_DEVICE_LOCKS);
    memmove(&locks->locks[place + 1], &locks->locks[place],
            (size_t)(locks->count - place) * sizeof fresh);
    locks->locks[place] = fresh;
    locks->count++;
    return 0;
}

/* --- its file --- */

/* A folder that everybody may write and nobody else may clear: the choice must not depend on who
 * asks. */
static bool is_shared(const char *folder)
{
    struct stat status;
    return !stat(folder, &status) && S_ISDIR(status.st_mode) && status.st_mode & S_ISVTX &&
           status.st_mode & S_IWOTH && !access(folder, W_OK);
}

const char *orr_device_lock_folder(void)
{
    const char *given = getenv("ORRERY_LOCKS");
    if (given && *given) {
        if (!mkdir(given, 0700))
            chmod(given, 01777);
        return given;
    }
    return is_shared("/run/lock") ? "/run/lock" : "/tmp";
}

static void path_of(char *out, size_t size, const char *key)
{
    snprintf(out, size, "%s/orrery-%s.lock", orr_device_lock_folder(), key);
}

/* Opens the file or makes it, for all users. Not both at once: where strangers write to a folder,
 * kernels refuse O_CREAT for the file of another user. */
static int open_file(const char *path)
{
    enum { FLAGS = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC };
    int fd = open(path, FLAGS);
    if (fd >= 0 || errno != ENOENT)
        return fd;
    mode_t mask = umask(0);
    fd = open(path, FLAGS | O_CREAT | O_EXCL, 0666);
    umask(mask);
    return fd < 0 && errno == EEXIST ? open(path, FLAGS) : fd;
}

/* A link to another file would have that one written. */
static int open_plain(const char *path)
{
    struct stat status;
    int fd = open_file(path);
    if (fd < 0 || (!fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_nlink <= 1))
        return fd;
    close(fd);
    errno = ELOOP;
    return -1;
}

/* Someone may have cleared the folder: then the path does not lead to the open file any more. */
static bool is_in_place(int fd, const char *path)
{
    struct stat here, there;
    return !fstat(fd, &here) && !stat(path, &there) && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
}

/* --- its holder --- */

static bool forget_holder(int fd)
{
    return !ftruncate(fd, 0) && lseek(fd, 0, SEEK_SET) == 0;
}

/* "14:02", of another day "2026-11-23 14:02", here. */
static void format_hour(char *out, size_t size, time_t at)
{
    struct tm local;
    bool today = time(NULL) - at < (time_t)24 * 3600;
    if (!localtime_r(&at, &local) ||
        !strftime(out, size, today ? "%H:%M" : "%Y-%m-%d %H:%M", &local))
        snprintf(out, size, "?");
}

/* "orrery run shan/table3 (pid 1234, since 14:02, 12 of 40 measurements done)"; 0 of 0 where that
 * is not known. */
static void write_holder(const struct orr_device_lock *lock, const char *what, size_t done,
                         size_t of)
{
    char hour[32], far[96] = "";
    format_hour(hour, sizeof hour, lock->since);
    if (of)
        snprintf(far, sizeof far, ", %zu of %zu measurements done", done, of);
    if (forget_holder(lock->fd))
        dprintf(lock->fd, "%.200s (pid %d, since %s%s)", what, (int)getpid(), hour, far);
}

void orr_device_lock_tell(const struct orr_device_locks *locks, size_t done, size_t of)
{
    for (int k = 0; k < locks->count; k++)
        if (locks->locks[k].fd >= 0)
            write_holder(&locks->locks[k], locks->what, done, of);
}

static void read_holder(char *out, size_t size, const char *path)
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, out, size - 1) : 0;
    if (fd >= 0)
        close(fd);
    out[length > 0 ? length : 0] = '\0';
    if (!*out)
        snprintf(out, size, "another program");
    for (char *c = orr_text_tame(out); *c; c++)
        if (*c == '\n')
            *c = ' ';
}

/* --- to acquire it --- */

/* 0; ORR_EBUSY, nothing recorded, when another has it; ORR_EIO, nothing recorded but errno, when
 * there can be none. */
static int try_once(struct orr_device_lock *lock, const char *path)
{
    int fd = open_plain(path), error;
    if (fd < 0)
        return ORR_EIO;
    if (!flock(fd, LOCK_EX | LOCK_NB) && is_in_place(fd, path)) {
        lock->fd = fd;
        lock->since = time(NULL);
        return 0;
    }
    error = errno;
    bool busy = error == EWOULDBLOCK || error == EINTR || !is_in_place(fd, path);
    close(fd);
    errno = error;
    return busy ? ORR_EBUSY : ORR_EIO;
}

static int meet_holder(const struct orr_device_lock *lock, const char *path,
                       const struct orr_device_lock_options *options)
{
    char holder[512], text[768];
    read_holder(holder, sizeof holder, path);
    if (options->refuse)
        return orr_fail(ORR_EBUSY, "%s is in use: %s is measuring on it", lock->device, holder);
    snprintf(text, sizeof text, "waiting for %s: %s is measuring on it; --no-wait refuses instead",
             lock->device, holder);
    if (options->say)
        options->say(text);
    return 0;
}

static int take_lock(struct orr_device_locks *locks, struct orr_device_lock *lock,
                     const struct orr_device_lock_options *options)
{
    struct pollfd signals = {.fd = options->signals, .events = POLLIN};
    char path[PATH_MAX];
    int code;
    /* Not said at the first attempt, for the holder may be about to write who it is. */
    double next = orr_clock_now() + TRY_MS / 1e3;
    path_of(path, sizeof path, lock->key);
    while ((code = try_once(lock, path)) == ORR_EBUSY) {
        if (orr_clock_now() >= next) {
            if ((code = meet_holder(lock, path, options)))
                return code;
            next = orr_clock_now() + SAY_AGAIN_S;
        }
        if (poll(&signals, 1, TRY_MS) > 0)
            return orr_fail(ORR_EINTERRUPTED, "interrupted while waiting for %s", lock->device);
    }
    if (code)
        snprintf(locks->missing, sizeof locks->missing, "%s is not locked: %.300s: %s",
                 lock->device, path, strerror(errno));
    else
        write_holder(lock, locks->what, 0, 0);
    return 0;
}

int orr_device_lock_take(struct orr_device_locks *locks,
                         const struct orr_device_lock_options *options)
{
    int code = 0;
    snprintf(locks->what, sizeof locks->what, "%s", options->what);
    for (int k = 0; !code && k < locks->count; k++)
        code = take_lock(locks, &locks->locks[k], options);
    return code;
}

json_t *orr_device_lock_to_json(const struct orr_device_locks *locks)
{
    json_t *held = json_array(), *out = json_object();
    for (int k = 0; k < locks->count; k++)
        if (locks->locks[k].fd >= 0)
            json_array_append_new(held, json_string(locks->locks[k].key));
    json_object_set_new(out, "held", held);
    if (*locks->missing)
        json_object_set_new(out, "missing", json_string(locks->missing));
    return out;
}

void orr_device_lock_release(struct orr_device_locks *locks)
{
    for (int k = 0; k < locks->count; k++)
        if (locks->locks[k].fd >= 0) {
            forget_holder(locks->locks[k].fd);
            flock(locks->locks[k].fd, LOCK_UN); /* a child that was forked may have it open, too */
            close(locks->locks[k].fd);
        }
    *locks = ORR_DEVICE_LOCKS_INIT;
}
