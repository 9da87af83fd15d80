/* SPDX-License-Identifier: MIT */
/* A tree of files in `folder` that stands for /sys, where machines of clouds lack most of what we
 * read. Link with --wrap=fopen. */
#ifndef SYS_FOR_TESTS_H
#define SYS_FOR_TESTS_H

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "tests/folder_for_tests.h"

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);

/* A file that may not be read, as if this were not root: its path, or NULL. */
static const char *forbidden;

/* "/sys/a/b" is <folder>/sys-a-b. */
FILE *__wrap_fopen(const char *path, const char *mode)
{
    char own[PATH_MAX];
    if (strncmp(path, "/sys/", strlen("/sys/")) != 0)
        return __real_fopen(path, mode);
    if (forbidden && !strcmp(path, forbidden)) {
        errno = EACCES;
        return NULL;
    }
    int start = snprintf(own, sizeof own, "%s/", folder);
    snprintf(own + start, sizeof own - (size_t)start, "%s", path + 1);
    for (char *c = own + start; *c; c++)
        if (*c == '/')
            *c = '-';
    return __real_fopen(own, mode);
}

static void put(const char *name, const char *value)
{
    const char *path = filled("%s/%s", folder, name), *fresh = filled("%s.new", path);
    FILE *file = __real_fopen(fresh, "w");
    assert_true(file && fputs(value, file) >= 0 && !fclose(file) && !rename(fresh, path));
}

#endif
