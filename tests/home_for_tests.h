/* SPDX-License-Identifier: MIT */
/* A home folder of its own for a test program: papers written by the test, plugins of the build. */
#ifndef HOME_FOR_TESTS_H
#define HOME_FOR_TESTS_H

#include <libgen.h>
#include <limits.h>
#include <sys/stat.h>

#include "harness/paths.h"
#include "tests/cases.h"

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
    mkdir(filled("%s/variants", test_home), 0700);
    mkdir(filled("%s/variants/%s", test_home, key), 0700);
    write_text(filled("%s/variants/%s/paper.yaml", test_home, key), text);
}

/* A text of tests/data/papers/. */
static inline const char *paper_text(const char *name)
{
    RELEASED_BY(free_text) char *text = file_text(filled("tests/data/papers/%s.yaml", name));
    return filled("%s", text);
}

static inline void copy_paper(const char *key, const char *name)
{
    write_paper(key, paper_text(name));
}

static inline void remove_paper(const char *key)
{
    unlink(filled("%s/variants/%s/paper.yaml", test_home, key));
    rmdir(filled("%s/variants/%s", test_home, key));
}

static inline void remove_test_home(void)
{
    rmdir(filled("%s/variants", test_home));
    rmdir(test_home);
}

/* The set-up and the tear-down of a group of tests of the test plugins. */
static inline int begin_home(void **state)
{
    use_test_plugins();
    make_test_home();
    return 0;
}

static inline int end_home(void **state)
{
    remove_test_home();
    return 0;
}

/* The same with a paper of them. */
static inline int use_paper(const char *name)
{
    begin_home(NULL);
    copy_paper("plugins", name);
    return 0;
}

static inline int forget_paper(void **state)
{
    remove_paper("plugins");
    return end_home(state);
}

#endif
