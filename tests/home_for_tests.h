/* A home folder of its own for a test program: papers written by the test, plugins of the build. */
#ifndef HOME_FOR_TESTS_H
#define HOME_FOR_TESTS_H

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/paths.h"

static char test_home[] = "/tmp/orrery-test-XXXXXX";

/* $BUILD/tests, where tests/plugins/ are built: their names are "plugins/<file>". */
static inline void use_test_plugins(void)
{
    char program[PATH_MAX];
    if (orr_paths_program(program, sizeof program))
        abort();
    setenv("ORRERY_PLUGINS", dirname(program), 1);
}

static inline void make_test_home(void)
{
    if (!mkdtemp(test_home))
        abort();
    setenv("ORRERY_HOME", test_home, 1);
}

static inline void write_paper(const char *key, const char *text)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/variants", test_home);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/variants/%s", test_home, key);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/variants/%s/paper.yaml", test_home, key);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file))
        abort();
}

static inline void remove_paper(const char *key)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/variants/%s/paper.yaml", test_home, key);
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
}

static inline void remove_test_home(void)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/variants", test_home);
    rmdir(path);
    rmdir(test_home);
}

#endif
