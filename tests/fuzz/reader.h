/* SPDX-License-Identifier: MIT */
/* A reader of foreign bytes, as the fuzzer and the test of the corpora call it. Bytes become a
 * text, or a file that exists in memory only. Any bytes may be refused, none may do harm: what a
 * reader promises besides is held by promise(). */
#ifndef ORR_FUZZ_READER_H
#define ORR_FUZZ_READER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "tests/released.h"

struct reader {
    const char *name; /* of its folder in tests/fuzz/corpus */
    void (*read)(const uint8_t *bytes, size_t size);
};

/* A folder with papers, which ORRERY_HOME names. */
static char home[PATH_MAX / 2];

#define promise(holds)                                                                  \
    do {                                                                                \
        if (!(holds)) {                                                                 \
            fprintf(stderr, "%s:%d: broken promise: %s\n", __FILE__, __LINE__, #holds); \
            abort();                                                                    \
        }                                                                               \
    } while (0)

/* The bytes as a file; its path is good until the next call. */
static inline const char *as_file(const uint8_t *bytes, size_t size)
{
    static int fd = -1;
    static char path[64];
    if (fd < 0) {
        fd = memfd_create("input", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    promise(!ftruncate(fd, 0) && pwrite(fd, bytes, size, 0) == (ssize_t)size);
    return path;
}

/* The bytes as a text, up to the first zero. Free it. */
static inline char *as_text(const uint8_t *bytes, size_t size)
{
    char *text = strndup((const char *)bytes, size);
    promise(text);
    return text;
}

/* "folder/name"; good until the next call. */
static inline const char *path_in(const char *of, const char *name)
{
    static char path[PATH_MAX];
    promise((size_t)snprintf(path, sizeof path, "%s/%s", of, name) < sizeof path);
    return path;
}

static inline void write_file(const char *of, const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(path_in(of, name), "wb");
    promise(file && fwrite(bytes, 1, size, file) == size && !fclose(file));
}

/* <home>/variants/<key>, made. */
static inline const char *paper_folder(const char *key)
{
    static char made[PATH_MAX];
    const char *path = path_in(home, "variants");
    mkdir(path, 0700);
    promise((size_t)snprintf(made, sizeof made, "%s/variants/%s", home, key) < sizeof made);
    mkdir(made, 0700);
    return made;
}

#endif
