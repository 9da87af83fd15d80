/* SPDX-License-Identifier: MIT */
/* One policy for memory. What is small ends the process when there is none, with one line: nothing
 * goes on without it, and the end of a worker costs one cell, as a crash does. What grows with the
 * number of bodies is asked for by malloc(), checked, and reported as ORR_EMEMORY. */
#ifndef ORR_MEMORY_H
#define ORR_MEMORY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* Zeroed. */
void *orr_memory_get(size_t bytes) __attribute__((malloc, returns_nonnull, alloc_size(1)));
/* Does as realloc() does. */
void *orr_memory_more(void *old, size_t bytes) __attribute__((returns_nonnull, alloc_size(2)));
/* Does as strdup() does. */
char *orr_memory_text(const char *text) __attribute__((malloc, returns_nonnull));
/* These do as strndup() and vasprintf() do. */
char *orr_memory_part(const char *text, size_t length) __attribute__((malloc, returns_nonnull));
char *orr_memory_format(const char *format, va_list arguments)
    __attribute__((malloc, returns_nonnull, format(printf, 1, 0)));
/* Adds room for one more item of `size` bytes, zeroed, to the list that a pointer `list` points to.
 */
void *orr_memory_add(void *list, size_t *count, size_t size) __attribute__((returns_nonnull));
/* Does as open_memstream() does. */
FILE *orr_memory_stream(char **text, size_t *size) __attribute__((returns_nonnull));

#endif
