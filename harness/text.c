/* SPDX-License-Identifier: MIT */
#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <math.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "error.h"
#include "memory.h"

enum { LONGEST_WORD = 63, LARGEST_TEXT = 1 << 20 };

/* Levenshtein distance over at most LONGEST_WORD characters, whatever their case. */
static size_t distance(const char *a, const char *b)
{
    size_t rows = strnlen(a, LONGEST_WORD), columns = strnlen(b, LONGEST_WORD);
    size_t line[LONGEST_WORD + 1];
    for (size_t j = 0; j <= columns; j++)
        line[j] = j;
    for (size_t i = 1; i <= rows; i++) {
        size_t diagonal = line[0];
        line[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            size_t above = line[j];
            const size_t shorter = (above < line[j - 1] ? above : line[j - 1]) + 1,
                         other = diagonal + (tolower((unsigned char)a[i - 1]) !=
                                             tolower((unsigned char)b[j - 1]));
            line[j] = shorter < other ? shorter : other;
            diagonal = above;
        }
    }
    return line[columns];
}

const char *orr_text_nearest(const char *word, const char *const *names, size_t count)
{
    const char *best = NULL;
    size_t best_distance = 0;
    bool whole = strchr(word, '/') != NULL; /* else "table2" means "fujiwara/table2" */
    size_t length = strlen(word);
    for (size_t k = 0; k < count; k++) {
        const char *slash = whole ? NULL : strrchr(names[k], '/');
        size_t d = distance(word, slash ? slash + 1 : names[k]);
        if (!best || d < best_distance)
            best = names[k], best_distance = d;
    }
    return best && best_distance < length && best_distance <= (length + 1) / 3 + 1 ? best : NULL;
}

char *orr_text_hint(char *out, size_t size, const char *word, const char *const *names,
                    size_t count)
{
    const char *near = orr_text_nearest(word, names, count);
    snprintf(out, size, near ? "; did you mean '%s'?" : "", near);
    return out;
}

/* Bytes of the UTF-8 character at `at`; 0 when there is none. Overlong forms, surrogates and what
 * is beyond Unicode are none. */
static int character(const unsigned char *at, uint32_t *code)
{
    static const uint32_t least_of[] = {0, 0, 0x80, 0x800, 0x10000};
    int size = *at < 0x80             ? 1
               : (*at & 0xe0) == 0xc0 ? 2
               : (*at & 0xf0) == 0xe0 ? 3
               : (*at & 0xf8) == 0xf0 ? 4
                                      : 0;
    *code = size < 2 ? *at : *at & (0x7fu >> size);
    for (int k = 1; k < size; k++) {
        if ((at[k] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (at[k] & 0x3fu);
    }
    bool valid = size && *code >= least_of[size] && *code <= 0x10ffff && *code >> 11 != 0x1b;
    return valid ? size : 0;
}

char *orr_text_tame(char *text)
{
    uint32_t code;
    for (char *at = text; *at;) {
        int size = character((unsigned char *)at, &code);
        if (!size || (code != '\n' && code < ' ') || (code >= 0x7f && code < 0xa0) ||
            (code & 0xfffe) == 0xfffe) { /* no XML holds these */
            size = size ? size : 1;
            memset(at, *at == '\t' || *at == '\r' ? ' ' : '?', (size_t)size);
        }
        at += size;
    }
    return text;
}

size_t orr_text_characters(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

bool orr_text_matches(const char *glob, const char *text)
{
    return fnmatch(glob, text, 0) == 0;
}

bool orr_text_lists(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; *at; at += strcspn(at, ", "), at += *at != '\0')
        if (strcspn(at, ", ") == length && !strncmp(at, word, length))
            return true;
    return false;
}

bool orr_text_number(const char *text, double *out)
{
    char *end;
    errno = 0;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*out);
}

/* --- numbers --- */

char *orr_format_number(char *out, size_t size, double value)
{
    double a = fabs(value);
    if (isnan(value))
        snprintf(out, size, "—");
    else if (a >= 1e6 || (a < 1e-3 && a > 0))
        snprintf(out, size, "%.2e", value);
    else
        snprintf(out, size, "%.*f",
                 a >= 99.95      ? 0
                 : a >= 9.995    ? 1
                 : a >= 0.9995   ? 2
                 : a >= 0.09995  ? 3
                 : a >= 0.009995 ? 4
                                 : 5,
                 value);
    return out;
}

char *orr_format_seconds(char *out, size_t size, double seconds)
{
    static const struct {
        double scale;
        const char *unit;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    size_t k = 0;
    while (k < 3 && fabs(seconds) < 0.9995 * units[k].scale)
        k++;
    double value = seconds / units[k].scale;
    int digits = fabs(value) >= 1000 ? 0 : fabs(value) >= 100 ? 1 : fabs(value) >= 10 ? 2 : 3;
    snprintf(out, size, "%.*f %s", digits, value, units[k].unit);
    return out;
}

char *orr_format_si(char *out, size_t size, double value, const char *unit)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    static const char *const below[] = {"", "m", "u", "n", "p", "f", "a"};
    size_t k = 0, down = 0;
    if (isnan(value)) {
        snprintf(out, size, "—");
        return out;
    }
    while (k < 5 && fabs(value) >= 999.5) {
        value /= 1000;
        k++;
    }
    while (value != 0 && down < 6 && fabs(value) < 0.9995) {
        value *= 1000;
        down++;
    }
    int digits = fabs(value) >= 99.95 ? 0 : fabs(value) >= 9.995 ? 1 : 2;
    snprintf(out, size, "%.*f %s%s", digits, value, down ? below[down] : prefixes[k], unit);
    return out;
}

char *orr_format_plus_minus(char *out, size_t size, double share)
{
    *out = '\0';
    if (!isnan(share))
        snprintf(out, size, "± %.*f %%", share < 0.0995 ? 1 : 0, 100 * share);
    return out;
}

/* --- files --- */

/* /dev/null has an end, at once, and is commonly named for an empty file. */
static bool is_plain(const struct stat *status)
{
    return S_ISREG(status->st_mode) ||
           (S_ISCHR(status->st_mode) && status->st_rdev == makedev(1, 3));
}

FILE *orr_plain_file_open(const char *path, const char **why)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    FILE *file = NULL;
    if (fd >= 0 && !fstat(fd, &status)) {
        if (is_plain(&status))
            file = fdopen(fd, "rb");
        else
            errno = S_ISDIR(status.st_mode) ? EISDIR : 0;
    }
    if (file)
        return file;
    *why = errno ? strerror(errno) : "it is not a plain file";
    if (fd >= 0)
        close(fd);
    return NULL;
}

int orr_text_read(char **out, size_t *size, const char *path, const char *shown)
{
    const char *why;
    FILE *file = orr_plain_file_open(path, &why);
    *out = orr_memory_get(LARGEST_TEXT + 1);
    if (!file)
        return orr_fail(ORR_EINPUT, "cannot open %s: %s", shown, why);
    *size = fread(*out, 1, LARGEST_TEXT, file);
    (*out)[*size] = '\0';
    const bool whole = !ferror(file) && feof(file);
    fclose(file);
    return whole ? 0
                 : orr_fail(ORR_EINPUT, "cannot read %s, or it is larger than %d bytes", shown,
                            LARGEST_TEXT);
}

/* --- SHA-256 --- */

/* Only memory can run out here: the algorithm is part of the library. */
static void insist(int done)
{
    if (done == 1)
        return;
    fputs("orrery: no memory to hash with SHA-256\n", stderr);
    exit(orr_error_exit(ORR_EMEMORY));
}

/* The machine's configuration of OpenSSL is not read: it says nothing of SHA-256, and a sandbox
 * forbids the file. */
void orr_digest_begin(struct orr_digest *digest)
{
    insist(OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL));
    digest->context = EVP_MD_CTX_new();
    insist(digest->context && EVP_DigestInit_ex(digest->context, EVP_sha256(), NULL));
}

void orr_digest_add(struct orr_digest *digest, const void *bytes, size_t count)
{
    insist(EVP_DigestUpdate(digest->context, bytes, count));
}

void orr_digest_end(struct orr_digest *digest, char hex[65])
{
    unsigned char bytes[32];
    insist(EVP_DigestFinal_ex(digest->context, bytes, NULL));
    EVP_MD_CTX_free(digest->context);
    for (size_t k = 0; k < sizeof bytes; k++)
        snprintf(hex + 2 * k, 3, "%02x", bytes[k]);
}

void orr_text_sha256(const void *data, size_t size, char hex[65])
{
    struct orr_digest digest;
    orr_digest_begin(&digest);
    orr_digest_add(&digest, data, size);
    orr_digest_end(&digest, hex);
}

int orr_text_sha256_file(const char *path, char hex[65])
{
    const char *why;
    char chunk[1 << 14];
    size_t got;
    struct orr_digest digest;
    FILE *file = orr_plain_file_open(path, &why);
    if (!file)
        return orr_fail(ORR_EIO, "cannot read %s: %s", path, why);
    orr_digest_begin(&digest);
    while ((got = fread(chunk, 1, sizeof chunk, file)) > 0)
        orr_digest_add(&digest, chunk, got);
    orr_digest_end(&digest, hex);
    int code = ferror(file) ? orr_fail(ORR_EIO, "cannot read %s: %s", path, strerror(errno)) : 0;
    fclose(file);
    return code;
}
