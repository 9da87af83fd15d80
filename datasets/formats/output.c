/* SPDX-License-Identifier: MIT */
#include "datasets/formats/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"

static int write_failed(const struct orr_output *out)
{
    return orr_fail(ORR_EIO, "cannot write %s: %s", out->target, strerror(errno));
}

bool orr_output_is_same(const char *a, const char *b)
{
    struct stat first, second;
    return !stat(a, &first) && !stat(b, &second) && S_ISREG(first.st_mode) &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

int orr_output_begin(struct orr_output *out, const char *path)
{
    memset(out, 0, sizeof *out);
    char *resolved = realpath(path, NULL); /* NULL for a new file */
    size_t length =
        (size_t)snprintf(out->target, sizeof out->target, "%s", resolved ? resolved : path);
    /* What is there but has no path of its own, as /dev/stdout of a file that was removed, cannot
     * be replaced by another file. */
    bool nameless = !resolved && !access(path, F_OK);
    free(resolved);
    if (length >= sizeof out->target)
        return orr_fail(ORR_EIO, "cannot write a file whose path has %zu characters", length);
    struct stat status;
    bool exists = stat(out->target, &status) == 0;
    if (exists && S_ISDIR(status.st_mode))
        return orr_fail(ORR_EIO, "cannot write %s: it is a folder", path);
    out->in_place = exists && (nameless || !S_ISREG(status.st_mode));
    if (out->in_place)
        strcpy(out->path, out->target);
    else
        snprintf(out->path, sizeof out->path, "%s.part-%ld", out->target, (long)getpid());
    return 0;
}

/* In a folder that others write to, the temporary name may be taken, by a link to a file of ours
 * even. Only a fresh file is written; what a killed program of the same number left is removed. */
static int open_fresh(const char *path)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int descriptor = open(path, flags, 0666);
    if (descriptor < 0 && errno == EEXIST && !unlink(path))
        descriptor = open(path, flags, 0666);
    return descriptor;
}

int orr_output_open(struct orr_output *out)
{
    int descriptor =
        out->in_place ? open(out->path, O_WRONLY | O_TRUNC | O_CLOEXEC) : open_fresh(out->path);
    out->file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (out->file)
        return 0;
    int code = write_failed(out);
    if (descriptor >= 0)
        close(descriptor);
    return code;
}

static void abandon_file(struct orr_output *out)
{
    if (out->file)
        fclose(out->file);
    out->file = NULL;
    if (!out->in_place && out->path[0])
        unlink(out->path);
}

int orr_output_try(const char *path)
{
    struct orr_output output;
    int code = orr_output_begin(&output, path);
    if (code || output.in_place) /* opening a pipe may wait */
        return code;
    code = orr_output_open(&output);
    abandon_file(&output);
    return code;
}

int orr_output_write(struct orr_output *out, const void *data, size_t size)
{
    return fwrite(data, 1, size, out->file) == size ? 0 : write_failed(out);
}

/* Closes our own handle, if any; what others wrote to `path` is opened again, for data must be on
 * disk before the name points at them. */
static int flush(struct orr_output *out)
{
    int descriptor = -1, code = 0;
    if (out->file && (fflush(out->file) || ferror(out->file)))
        code = write_failed(out);
    if (!code && !out->in_place && !out->derived) {
        descriptor = out->file ? dup(fileno(out->file)) : open(out->path, O_RDONLY | O_CLOEXEC);
        if (descriptor < 0 || fsync(descriptor))
            code = write_failed(out);
    }
    if (descriptor >= 0)
        close(descriptor);
    if (out->file && fclose(out->file) && !code)
        code = write_failed(out);
    out->file = NULL;
    return code;
}

int orr_output_end(struct orr_output *out, int code)
{
    if (!code)
        code = flush(out);
    if (!code && !out->in_place && rename(out->path, out->target))
        code = write_failed(out);
    if (code)
        abandon_file(out);
    return code;
}
