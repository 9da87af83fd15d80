/* SPDX-License-Identifier: MIT */
/* Texts compared with the files of tests/golden, which ORRERY_GOLDEN_UPDATE=1 writes instead. Paths
 * are relative to the home folder. */
#ifndef GOLDEN_FOR_TESTS_H
#define GOLDEN_FOR_TESTS_H

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <sys/stat.h>

#include "tests/cases.h"

#define GOLDEN "tests/golden"

enum { MOST_FILES = 2000 };

static char *pinned[MOST_FILES]; /* paths that some test has compared */
static size_t pinned_count;
static int different;  /* files, in the running test */
static int unfinished; /* tests that have begun and ended early */

static inline bool is_update(void)
{
    const char *wanted = getenv("ORRERY_GOLDEN_UPDATE");
    return wanted && !strcmp(wanted, "1");
}

/* NULL when the file cannot be opened. Free it. */
static inline char *read_text(const char *path)
{
    char *text = NULL, part[65536];
    size_t size, got;
    FILE *from = fopen(path, "r");
    FILE *to = from ? open_memstream(&text, &size) : NULL;
    while (to && (got = fread(part, 1, sizeof part, from)) > 0)
        fwrite(part, 1, got, to);
    if (to)
        fclose(to);
    if (from)
        fclose(from);
    return text;
}

static inline void write_text(char *path, const char *text)
{
    for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0777) && errno != EEXIST)
            fail_msg("cannot make %s: %s", path, strerror(errno));
        *slash = '/';
    }
    FILE *to = fopen(path, "w");
    if (!to || fputs(text, to) < 0 || fclose(to))
        fail_msg("cannot write %s: %s", path, strerror(errno));
}

/* A line from `at` on, or what there is room for: those of the report and of JSON are long. */
static inline void print_line(const char *head, const char *at)
{
    enum { ROOM = 300 };
    size_t length = strcspn(at, "\n");
    fprintf(stderr, "  %s %.*s\n", head, (int)(length < ROOM ? length : ROOM), at);
}

static inline void print_difference(const char *path, const char *expected, const char *found)
{
    enum { BEFORE = 80 };
    size_t at = 0, line = 1, start = 0;
    for (; expected[at] && expected[at] == found[at]; at++)
        if (expected[at] == '\n')
            line++, start = at + 1;
    if (at - start > BEFORE)
        start = at - BEFORE;
    fprintf(stderr, "%s:%zu:\n", path, line);
    print_line("expected:", expected + start);
    print_line("found:   ", found + start);
}

/* Compares a text with the file of that name below tests/golden. */
static inline void compare(const char *text, const char *format, ...)
{
    char path[PATH_MAX] = GOLDEN "/";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path + strlen(path), sizeof path - strlen(path), format, arguments);
    va_end(arguments);
    assert_true(pinned_count < MOST_FILES);
    assert_non_null(pinned[pinned_count++] = strdup(path));
    RELEASED_BY(free_text) char *expected = read_text(path);
    if (is_update() && (!expected || strcmp(expected, text) != 0)) {
        write_text(path, text);
    } else if (!expected) {
        fprintf(stderr, "%s: missing\n", path);
        different++;
    } else if (strcmp(expected, text) != 0) {
        print_difference(path, expected, text);
        different++;
    }
}

static inline void begin_comparing(void)
{
    different = 0;
    unfinished++;
}

static inline void assert_same(void)
{
    unfinished--;
    if (different)
        fail_msg("%d files differ; ORRERY_GOLDEN_UPDATE=1 writes what is found", different);
}

static inline int visit(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)walk;
    if (type == FTW_DP && is_update())
        rmdir(path); /* stays unless it is empty */
    if (type != FTW_F)
        return 0;
    for (size_t k = 0; k < pinned_count; k++)
        if (!strcmp(pinned[k], path))
            return 0;
    if (is_update())
        return unlink(path);
    fprintf(stderr, "%s: nothing is compared with it\n", path);
    different++;
    return 0;
}

/* Runs last: no file may outlive what it pinned. */
static inline void assert_every_file_is_used(void)
{
    if (unfinished)
        fail_msg("tests ended early: what they pin is not known");
    begin_comparing();
    assert_int_equal(nftw(GOLDEN, visit, 8, FTW_DEPTH | FTW_PHYS), 0);
    assert_same();
}

#endif
