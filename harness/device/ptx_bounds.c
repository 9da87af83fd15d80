/* Bounds on registers for NVIDIA's OpenCL, whose language has none. Its binaries are PTX, the text
 * that CUDA's compiler makes, too, and PTX has the directive behind __launch_bounds__ (PTX ISA,
 * .minnctapersm): a kernel asks for it by RESIDENT_BOUND() of kernels/dialect.h, which leaves a
 * comment in its text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/opencl.h"
#include "memory.h"

static const char MARK[] = "// orr_resident ", DIRECTIVE[] = ".minnctapersm ";
enum { MOST_DIGITS = 9 };

/* The kernel from `entry` to `end`: the start of the line behind its declared threads; NULL where
 * it declares none, or has a bound already. */
static const char *place_of_bound(const char *entry, const char *end)
{
    const char *body = strchr(entry, '{');
    const char *threads = strstr(entry, ".reqntid "), *bound = strstr(entry, DIRECTIVE);
    if (!body || body > end)
        return NULL;
    if (!threads || threads > body)
        threads = strstr(entry, ".maxntid ");
    if (!threads || threads > body || (bound && bound < body))
        return NULL;
    const char *line = strchr(threads, '\n');
    return line && line < body ? line + 1 : NULL;
}

char *orr_ptx_with_bounds(const char *ptx)
{
    static const char ENTRY[] = ".entry ";
    size_t marks = 0;
    for (const char *at = ptx; (at = strstr(at, MARK)); at += strlen(MARK))
        marks++;
    if (!marks)
        return NULL;
    char *out = orr_memory_get(strlen(ptx) + marks * (sizeof DIRECTIVE + MOST_DIGITS + 1) + 1);
    char *to = out;
    const char *from = ptx, *next;
    for (const char *entry = strstr(ptx, ENTRY); entry; entry = next) {
        next = strstr(entry + 1, ENTRY);
        const char *end = next ? next : entry + strlen(entry), *mark = strstr(entry, MARK);
        const char *place = mark && mark < end ? place_of_bound(entry, end) : NULL;
        if (!place)
            continue;
        const char *number = mark + strlen(MARK);
        const size_t digits = strspn(number, "0123456789");
        memcpy(to, from, (size_t)(place - from));
        to += place - from;
        to += sprintf(to, "%s%.*s\n", DIRECTIVE, digits < MOST_DIGITS ? (int)digits : MOST_DIGITS,
                      number);
        from = place;
    }
    if (from == ptx) {
        free(out);
        return NULL;
    }
    strcpy(to, from);
    return out;
}
