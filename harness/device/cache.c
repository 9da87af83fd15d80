/* SPDX-License-Identifier: MIT */
/* The kernel cache: a file for each compiled kernel, with a checksum. */
#include "device/backend.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "memory.h"
#include "paths.h"
#include "text.h"

/* An entry is this line, the hash of what follows in hex, a newline, and the data. */
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

static bool read_whole(const char *path, unsigned char **out, size_t *size)
{
    const char *why;
    FILE *file = orr_plain_file_open(path, &why);
    struct stat about;
    *out = NULL;
    if (!file)
        return false;
    if (!fstat(fileno(file), &about) && about.st_size > HEADER &&
        (*out = malloc((size_t)about.st_size)))
        *size = fread(*out, 1, (size_t)about.st_size, file);
    bool good = *out && *size == (size_t)about.st_size;
    fclose(file);
    return good;
}

static bool is_whole(const unsigned char *entry, size_t size)
{
    char hex[65];
    if (size <= HEADER || memcmp(entry, magic, sizeof magic - 1))
        return false;
    orr_text_sha256(entry + HEADER, size - HEADER, hex);
    return !memcmp(entry + sizeof magic - 1, hex, 64);
}

bool orr_cache_load(const char *key, void **data, size_t *size)
{
    char path[1200];
    unsigned char *entry = NULL;
    size_t length = 0;
    *data = NULL;
    if (!entry_path(path, sizeof path, key, ".bin"))
        return false;
    if (!read_whole(path, &entry, &length) || !is_whole(entry, length)) {
        unlink(path);
        free(entry);
        return false;
    }
    *size = length - HEADER;
    memmove(entry, entry + HEADER, *size);
    entry[*size] = '\0';
    *data = entry;
    return true;
}

/* The note and its 0 byte come first. */
bool orr_cache_load_noted(const char *key, char **note, void **data, size_t *size)
{
    *note = NULL;
    if (!orr_cache_load(key, data, size))
        return false;
    const size_t head = strlen(*data) + 1;
    if (head > *size) {
        free(*data);
        *data = NULL;
        return false;
    }
    *note = orr_memory_text(*data);
    *size -= head;
    memmove(*data, (char *)*data + head, *size + 1);
    return true;
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

static bool write_whole(const char *path, const void *data, size_t size)
{
    char hex[65];
    FILE *file = fopen(path, "wbx");
    if (!file)
        return false;
    orr_text_sha256(data, size, hex);
    bool good = fputs(magic, file) >= 0 && fprintf(file, "%s\n", hex) > 0 &&
                fwrite(data, 1, size, file) == size;
    return !fclose(file) && good;
}

bool orr_cache_store(const char *key, const void *data, size_t size)
{
    char path[1200], fresh[1200], suffix[64];
    snprintf(suffix, sizeof suffix, ".%ld.new", (long)getpid());
    if (!entry_path(path, sizeof path, key, ".bin") ||
        !entry_path(fresh, sizeof fresh, key, suffix))
        return false;
    make_folders(path);
    if (write_whole(fresh, data, size) && !rename(fresh, path))
        return true;
    unlink(fresh);
    return false;
}

void orr_cache_store_noted(const char *key, const char *note, const void *data, size_t size)
{
    const size_t head = strlen(note) + 1;
    char *entry = orr_memory_get(head + size);
    memcpy(entry, note, head);
    memcpy(entry + head, data, size);
    orr_cache_store(key, entry, head + size);
    free(entry);
}

void orr_cache_forget(const char *key)
{
    char path[1200];
    if (entry_path(path, sizeof path, key, ".bin"))
        unlink(path);
}
