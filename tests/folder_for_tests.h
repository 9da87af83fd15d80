/* SPDX-License-Identifier: MIT */
/* A folder for what a test program writes, removed after the tests. */
#ifndef FOLDER_FOR_TESTS_H
#define FOLDER_FOR_TESTS_H

#include <limits.h>
#include <sys/stat.h>

#include "tests/cases.h"

static char folder[] = "/tmp/orrery-test-XXXXXX";

static inline int make_folder(void **state)
{
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    return system(filled("rm -rf %s", folder));
}

/* A file below the folder, with the folders above it. */
static inline void put_file_at(const char *name, const char *text)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *c = path + strlen(folder) + 1; (c = strchr(c, '/')); c++) {
        *c = '\0';
        mkdir(path, 0700);
        *c = '/';
    }
    write_text(path, text);
}

#endif
