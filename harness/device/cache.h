/* The kernel cache: files named by a key, whole or not there. A folder that cannot be written is no
 * error. */
#ifndef ORR_CACHE_H
#define ORR_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/* Key of everything that a compiled kernel depends on; parts are kept apart, so "ab","c" is not
 * "a","bc". */
void orr_cache_key(char key[65], const char *const *parts, size_t count);
/* False when there is no whole entry; a damaged one is removed. The caller frees *data. */
bool orr_cache_load(const char *key, void **data, size_t *size);
/* Keeps a copy. False when it could not be written, which costs only the next compilation. */
bool orr_cache_store(const char *key, const void *data, size_t size);
/* Removes an entry that turned out to be of no use. */
void orr_cache_forget(const char *key);

#endif
