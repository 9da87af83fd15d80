/* SPDX-License-Identifier: MIT */
/* A folder for what a test program writes, removed after the tests. */
#ifndef FOLDER_FOR_TESTS_H
#define FOLDER_FOR_TESTS_H

#include <stdio.h>
#include <stdlib.h>

static char folder[] = "/tmp/orrery-test-XXXXXX";

static inline int make_folder(void **state)
{
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

#endif
