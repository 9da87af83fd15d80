/* Bounds on registers for NVIDIA's OpenCL, whose language has none. Its binaries are PTX, the text
 * that CUDA's compiler makes, too, and PTX has the directive behind __launch_bounds__ (PTX ISA,
 * .minnctapersm): a kernel asks for it by RESIDENT_BOUND() of kernels/dialect.h, which leaves a
 * comment in its text. */
#include <stdlib.h>
#include <string.h>

#include "device/opencl.h"

static const char MARK[] = "// orr_resident ", DIRECTIVE[] = ".minnctapersm ";

/* Where kernels begin: the next at or behind `from`, else the end of the text. */
static const char *next_entry(const char *from)
{
    const char *entry = strstr(from, ".entry ");
    return entry ? entry : from + strlen(from);
}

/* The start of the line behind the kernel's declared threads; NULL where it has a bound already, or
 * declares none. */
static const char *place_of_bound(const char *entry, const char *body)
{
    const char *threads = strstr(entry, ".reqntid "), *bound = strstr(entry, DIRECTIVE);
    if (!threads || threads > body)
        threads = strstr(entry, ".maxntid ");
    if (!threads || threads > body || (bound && bound < body))
        return NULL;
    const char *end = strchr(threads, '\n');
    return end && end < body ? end + 1 : NULL;
}

char *orr_ptx_with_bounds(const char *ptx)
{
    size_t marks = 0;
    for (const char *at = ptx; (at = strstr(at, MARK)); at += strlen(MARK))
        marks++;
    /* A directive, its number and a line's end are no longer than a mark and its number. */
    char *out = marks ? malloc(strlen(ptx) + marks * (sizeof MARK + 12) + 1) : NULL;
    if (!out)
        return NULL;
    char *to = out;
    size_t bounds = 0;
    for (const char *from = ptx, *entry = next_entry(ptx); *from;) {
        const char *next = *entry ? next_entry(entry + 1) : entry, *mark = strstr(entry, MARK);
        const char *body = *entry ? strchr(entry, '{') : NULL;
        const char *place = mark && mark < next && body ? place_of_bound(entry, body) : NULL;
        const char *copied = place ? place : next;

        memcpy(to, from, (size_t)(copied - from));
        to += copied - from;
        if (place) {
            const char *number = mark + strlen(MARK);
            const size_t digits = strspn(number, "0123456789");
            to = stpcpy(to, DIRECTIVE);
            memcpy(to, number, digits < 9 ? digits : 9);
            to += digits < 9 ? digits : 9;
            *to++ = '\n';
            memcpy(to, place, (size_t)(next - place));
            to += next - place;
            bounds++;
        }
        from = next;
        entry = next;
    }
    *to = '\0';
    if (!bounds) {
        free(out);
        out = NULL;
    }
    return out;
}
