/* SPDX-License-Identifier: MIT */
/* Helpers for text, files and hashes. */
#ifndef ORR_TEXT_H
#define ORR_TEXT_H

#include <openssl/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

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
/* Shell-style glob (fnmatch without special slashes). */
bool orr_text_matches(const char *glob, const char *text);
/* Whether `word` is one of the words of a list with commas or blanks between, "cuda,opencl". */
bool orr_text_lists(const char *list, const char *word);
/* Whole-string number parsing: false unless every character was used and the value is finite. */
bool orr_text_number(const char *text, double *out);

/* --- how numbers look to people. Each returns `out`; NAN is shown as "—" --- */

/* Three significant digits, without an exponent where that stays short: "249", "1.09", "0.00412",
 * "2.1e+06". */
char *orr_format_number(char *out, size_t size, double value);
/* "1.204 ms", "36.1 us", "12.3 s". Not for NAN. */
char *orr_format_seconds(char *out, size_t size, double seconds);
/* "212 Gint/s", "3.20 nJ": the value with an SI prefix and three significant digits, then `unit`.
 */
char *orr_format_si(char *out, size_t size, double value, const char *unit);
/* "± 0.3 %" of what may be off by that share; "" for NAN. */
char *orr_format_plus_minus(char *out, size_t size, double share);

/* An interval of fewer than three processes says nothing of other runs: these words follow it, in
 * cells of a table their mark. */
#define ORR_WITHIN_ONE_RUN "within one run"
#define ORR_WITHIN_ONE_RUN_MARK "†"

/* --- files that others may have made. Opening never waits and refuses all but regular files and
 * /dev/null, for a pipe or a device has no end; lines have a largest length --- */

/* NULL with the reason in *why. */
FILE *orr_plain_file_open(const char *path, const char **why);
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
