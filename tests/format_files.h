/* SPDX-License-Identifier: MIT */
/* Files and random bodies for the tests of snapshot formats. */
#ifndef FORMAT_FILES_H
#define FORMAT_FILES_H

#include <dirent.h>

#include "datasets/bodies.h"
#include "datasets/formats/format.h"
#include "tests/cases.h"
#include "datasets/rng.h"
#include "folder_for_tests.h"
#include "random_for_tests.h"

/* "<folder>/<name>"; the next call overwrites it. */
static inline const char *in_folder(const char *name)
{
    return filled("%s/%s", folder, name);
}

static inline void put_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file))
        abort();
}

static inline size_t get_file(const char *path, unsigned char *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        abort();
    size_t size = fread(bytes, 1, room, file);
    fclose(file);
    return size;
}

static inline int files_in_folder(void)
{
    int count = 0;
    DIR *directory = opendir(folder);
    while (readdir(directory))
        count++;
    closedir(directory);
    return count - 2;
}

/* Values over many magnitudes, as floats or with all digits of a double. */
static inline struct orr_bodies random_bodies(size_t n, int dimensions, bool floats)
{
    struct orr_bodies b;
    if (orr_bodies_make(&b, n, dimensions))
        abort();
    for (size_t i = 0; i < n; i++) {
        struct orr_rng rng = orr_rng_make(seed, 99, i);
        for (int k = 0; k < ORR_COLUMNS; k++) {
            double magnitude = pow(10, orr_rng_between(&rng, -20, 20));
            double value = magnitude * orr_rng_between(&rng, k == 6 ? 0 : -1, 1);
            if (k == 6 || k % 3 < dimensions)
                orr_bodies_column(&b, k)[i] = value;
        }
    }
    if (floats)
        orr_bodies_round(&b);
    return b;
}

static inline bool same_bodies(const struct orr_bodies *a, const struct orr_bodies *b)
{
    char first[65], second[65];
    orr_bodies_sha256(a, first);
    orr_bodies_sha256(b, second);
    return !strcmp(first, second);
}

/* Reading must fail with this code, say this, name the file, and leave nothing behind. */
static inline void expect_refused(const char *path, int code, const char *says)
{
    struct orr_bodies b;
    orr_error_clear();
    int got = orr_snapshot_read(&b, path);
    if (got != code || !strstr(orr_error_text(), says) || !strstr(orr_error_text(), path))
        print_error("code %d, \"%s\"; wanted %d, \"%s\"\n", got, orr_error_text(), code, says);
    assert_int_equal(got, code);
    assert_non_null(strstr(orr_error_text(), says));
    assert_non_null(strstr(orr_error_text(), path));
    assert_null(b.mass);
}

/* A good file cut at random places. Reading may succeed or fail, but a failure has a message and
 * nothing crashes. */
static inline void survive_cuts(const char *good, const char *damaged)
{
    static unsigned char bytes[1 << 16];
    const size_t size = get_file(good, bytes, sizeof bytes);
    for (uint64_t round = 0; round < 300; round++) {
        struct orr_rng rng = orr_rng_make(seed, 98, round);
        RELEASED_BY(orr_bodies_release) struct orr_bodies b;
        put_file(damaged, bytes, (size_t)(orr_rng_uniform(&rng) * (double)size));
        orr_error_clear();
        if (orr_snapshot_read(&b, damaged))
            assert_true(strlen(orr_error_text()) > 10);
        else
            assert_true(b.n > 0 && !orr_bodies_check(&b));
    }
}

#endif
