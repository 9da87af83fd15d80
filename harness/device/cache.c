/* SPDX-License-Identifier: MIT */
/* The kernel cache: a file for each compiled kernel, with a checksum. */
#include "device/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "memory.h"
#include "paths.h"
#include "text.h"

/* An entry is this line, the hash of what follows in hex, a newline, the note with its 0 byte, and
 * the data. */
static const char magic[] = "orrery kernel cache 2\n";
enum { HEADER = sizeof magic - 1 + 64 + 1 };

void orr_cache_key(char key[65], const char *const *parts, size_t count)
{
    char *hashes = orr_memory_get(count * 64);
    char hex[65];
    for (size_t k = 0; k < count; k++) {
        orr_text_sha256(parts[k], strlen(parts[k]), hex);
        memcpy(hashes + 64 * k, hex, 64);
    }
    orr_text_sha256(hashes, 64 * count, key);
    free(hashes);
}

static bool entry_path(char *out, size_t size, const char *key, const char *suffix)
{
    char folder[1024];
    if (orr_paths_cache(folder, sizeof folder)) {
        orr_error_clear();
        return false;
    }
    return (size_t)snprintf(out, size, "%s/%s%s", folder, key, suffix) < size;
}

static bool is_whole(const unsigned char *entry, size_t size)
{
    char hex[65];
    if (size <= HEADER || memcmp(entry, magic, sizeof magic - 1))
        return false;
    orr_text_sha256(entry + HEADER, size - HEADER, hex);
    return !memcmp(entry + sizeof magic - 1, hex, 64) &&
           memchr(entry + HEADER, '\0', size - HEADER);
}

/* The file with a 0 byte behind it; NULL where there is none. */
static unsigned char *read_whole(const char *path, size_t *size)
{
    const char *why;
    struct stat about;
    unsigned char *out = NULL;
    FILE *file = orr_plain_file_open(path, &why);
    if (file && !fstat(fileno(file), &about)) {
        out = orr_memory_get((size_t)about.st_size + 1);
        *size = fread(out, 1, (size_t)about.st_size, file);
    }
    if (file)
        fclose(file);
    return out;
}

char *orr_cache_load(const char *key, void **data, size_t *size)
{
    char path[1200];
    size_t length = 0;
    if (!entry_path(path, sizeof path, key, ".bin"))
        return NULL;
    unsigned char *entry = read_whole(path, &length);
    if (!entry || !is_whole(entry, length)) {
        unlink(path);
        free(entry);
        return NULL;
    }
    char *note = memmove(entry, entry + HEADER, length - HEADER + 1);
    if (data) {
        *data = note + strlen(note) + 1;
        *size = length - HEADER - strlen(note) - 1;
    }
    return note;
}

static void make_folders(const char *path)
{
    char folder[1200];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *c = folder + 1; *c; c++)
        if (*c == '/') {
            *c = '\0';
            mkdir(folder, 0755);
            *c = '/';
        }
}

bool orr_cache_folder(char *out, size_t size, const char *const *parts, size_t count)
{
    char key[65], inside[1200];
    orr_cache_key(key, parts, count);
    if (!entry_path(out, size, key, ""))
        return false;
    snprintf(inside, sizeof inside, "%s/", out);
    make_folders(inside);
    return !access(out, W_OK | X_OK);
}

static bool write_whole(const char *path, const void *entry, size_t size)
{
    char hex[65];
    FILE *file = fopen(path, "wbx");
    if (!file)
        return false;
    orr_text_sha256(entry, size, hex);
    bool good = fprintf(file, "%s%s\n", magic, hex) > 0 && fwrite(entry, 1, size, file) == size;
    return !fclose(file) && good;
}

bool orr_cache_store(const char *key, const char *note, const void *data, size_t size)
{
    const size_t head = strlen(note) + 1;
    char path[1200], fresh[1200], suffix[64], *entry = orr_memory_get(head + size);
    snprintf(suffix, sizeof suffix, ".%ld.new", (long)getpid());
    memcpy(entry, note, head);
    if (size)
        memcpy(entry + head, data, size);
    bool good =
        entry_path(path, sizeof path, key, ".bin") && entry_path(fresh, sizeof fresh, key, suffix);
    if (good) {
        make_folders(path);
        good = write_whole(fresh, entry, head + size) && !rename(fresh, path);
        if (!good)
            unlink(fresh);
    }
    free(entry);
    return good;
}

void orr_cache_forget(const char *key)
{
    char path[1200];
    if (entry_path(path, sizeof path, key, ".bin"))
        unlink(path);
}
