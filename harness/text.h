/* SPDX-License-Identifier: MIT */
/* Helpers for text, files and hashes. */
#ifndef ORR_TEXT_H
#define ORR_TEXT_H

#include <openssl/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

/* The nearest of `names` by edit distance; NULL when none is near enough for a typo. */
const char *orr_text_nearest(const char *word, const char *const *names, size_t count);
/* "; did you mean 'x'?" with the nearest name into `out`, "" when none is near; returns `out`. */
char *orr_text_hint(char *out, size_t size, const char *word, const char *const *names,
                    size_t count);
/* Makes a text safe to show, in place: '?' for each byte that is not UTF-8 and for control
 * characters, which could steer a terminal, but a space for tabs and returns. Line breaks stay.
 * Returns `text`. */
char *orr_text_tame(char *text);
/* The number of characters of a text; UTF-8 needs several bytes for some. */
size_t orr_text_characters(const char *text);
/* "14:02", of another day "2026-11-23 14:02", here. Returns `out`. */
char *orr_text_hour(char *out, size_t size, time_t at);
/* Shell-style glob (fnmatch without special slashes). */
bool orr_text_matches(const char *glob, const char *text);
/* Whether `word` is one of the words of a list with commas, "cuda,opencl". */
bool orr_text_lists(const char *list, const char *word);
/* Whole-string number parsing: false unless every character was used and the value is finite. */
bool orr_text_number(const char *text, double *out);
/* --- files that others may have made. Opening never waits and refuses all but regular files and
 * /dev/null, for a pipe or a device has no end; lines have a largest length. --- */

/* NULL with the reason in *why. */
FILE *orr_plain_file_open(const char *path, const char **why);
/* The next line with its newline, if it has one, and a NUL into *line, which grows; free it. 1, at
 * the end or after a read error 0, or ORR_EINPUT beyond `limit` bytes. */
int orr_plain_file_line(char **line, size_t *room, size_t *length, FILE *from, size_t limit);
/* Reads a whole file and adds a NUL; free *out whatever is returned. `shown` names it in
 * ORR_EINPUT. */
int orr_text_read(char **out, size_t *size, const char *path, const char *shown);
/* SHA-256 of a stream of bytes; what was begun must be ended. */
struct orr_digest {
    EVP_MD_CTX *context;
};
void orr_digest_begin(struct orr_digest *digest);
void orr_digest_add(struct orr_digest *digest, const void *bytes, size_t count);
void orr_digest_end(struct orr_digest *digest, char hex[65]);
/* SHA-256 of a file or of memory as lower-case hex. */
int orr_text_sha256_file(const char *path, char hex[65]);
void orr_text_sha256(const void *data, size_t size, char hex[65]);

#endif
