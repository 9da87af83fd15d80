/* SPDX-License-Identifier: MIT */
/* Tipsy: a header (double time; int nbodies, ndim, nsph, ndark, nstar, pad), then gas, dark and
 * star particles of 12, 9 and 11 floats, each starting with mass, position and velocity. "Standard"
 * files are big-endian, others as the machine that wrote them; the header tells, for no count makes
 * sense both ways. Old files lack the pad. ChaNGa, Gasoline and PKDGRAV may write positions,
 * velocities or everything in doubles, which the size of the file tells. */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "datasets/formats/codec.h"
#include "error.h"
#include "text.h"

#define LOSES "header (but Time), units, ids, further arrays and types but gas, dark and star"

enum { HEADER = 32, PAD = 4, KINDS = 3, LONGEST_RECORD = 12 };

/* Words a particle, and which word is its softening (gas has a smoothing length instead). */
static const struct {
    const char *name;
    int words, eps;
} kinds[KINDS] = {{"gas", 12, -1}, {"dark", 9, 7}, {"star", 11, 9}};

/* Kinds as Gadget counts types, and the reverse: its discs and bulges are dark here, black holes
 * stars. */
static const unsigned char gadget_type[KINDS] = {0, ORR_DARK, 4};
static const int kind_of_type[ORR_BODY_TYPES] = {0, 1, 1, 1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

struct header {
    int64_t bodies, dimensions, counts[KINDS];
    bool swapped, pad; /* what stands where a pad would is not 0 */
    double time;
    enum { FLOATS, WIDE_PLACES, WIDE_MOTIONS, DOUBLES } wide; /* motions: and places */
};

/* Words of a particle in a file so wide. */
static int words_of(int kind, int wide)
{
    return kinds[kind].words + (wide == DOUBLES ? kinds[kind].words : 3 * wide);
}

static uint32_t word_in(const unsigned char *bytes, bool swapped)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return swapped ? __builtin_bswap32(word) : word;
}

static double double_in(const unsigned char *bytes, bool swapped)
{
    uint64_t bits;
    double value;
    memcpy(&bits, bytes, sizeof bits);
    bits = swapped ? __builtin_bswap64(bits) : bits;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static struct header decode(const unsigned char *bytes, bool swapped)
{
    struct header h = {.swapped = swapped, .time = double_in(bytes, swapped)};
    h.bodies = (int32_t)word_in(bytes + 8, swapped);
    h.dimensions = (int32_t)word_in(bytes + 12, swapped);
    for (int k = 0; k < KINDS; k++)
        h.counts[k] = (int32_t)word_in(bytes + 16 + 4 * (size_t)k, swapped);
    return h;
}

/* The header in whichever order makes sense; false when neither does. */
static bool find_header(struct header *h, const unsigned char *bytes, size_t size)
{
    for (int swapped = 0; swapped < 2 && size >= HEADER - PAD; swapped++) {
        *h = decode(bytes, swapped);
        if (h->counts[0] >= 0 && h->counts[1] >= 0 && h->counts[2] >= 0 &&
            h->counts[0] + h->counts[1] + h->counts[2] == h->bodies && h->dimensions >= 1 &&
            h->dimensions <= 3)
            return true;
    }
    return false;
}

static bool recognise(const struct orr_head *head)
{
    struct header h;
    return find_header(&h, head->bytes, head->used);
}

static int no_header(const char *path, const unsigned char *bytes, size_t size)
{
    if (size < HEADER - PAD)
        return orr_fail(ORR_EINPUT, "%s: a Tipsy header has %d bytes, the file only %zu", path,
                        HEADER, size);
    const struct header a = decode(bytes, false), b = decode(bytes, true);
    return orr_fail(ORR_EINPUT,
                    "%s: no Tipsy header at byte 8 in either byte order: %lld bodies in %lld "
                    "dimensions, or swapped %lld in %lld",
                    path, (long long)a.bodies, (long long)a.dimensions, (long long)b.bodies,
                    (long long)b.dimensions);
}

static int64_t payload_of(const struct header *h, int wide)
{
    int64_t payload = 0;
    for (int k = 0; k < KINDS; k++)
        payload += h->counts[k] * words_of(k, wide) * 4;
    return payload;
}

/* Compares what the header promises with the file before anything is allocated. *start: where the
 * particles begin. Where the pad is, 0, an old file has a mass, half of which may be 0 in doubles:
 * one that lacks its last word is not taken for an old one. */
static int check_size(const char *path, struct header *h, int64_t size, long *start)
{
    bool fits = false;
    for (int wide = FLOATS; wide <= DOUBLES && !fits; wide++) {
        const int64_t payload = payload_of(h, wide);
        *start =
            size == HEADER - PAD + payload && (h->pad || wide == DOUBLES) ? HEADER - PAD : HEADER;
        fits = size == *start + payload;
        h->wide = wide;
    }
    if (!fits)
        return orr_fail(ORR_EINPUT,
                        "%s: the header at byte 8 promises %lld gas, %lld dark and %lld star "
                        "particles, %lld bytes in all, "
                        "but the file has %lld%s",
                        path, (long long)h->counts[0], (long long)h->counts[1],
                        (long long)h->counts[2], (long long)(HEADER + payload_of(h, FLOATS)),
                        (long long)size, size < HEADER + payload_of(h, FLOATS) ? ": cut off" : "");
    if (!h->bodies)
        return orr_fail(ORR_EINPUT, "%s holds no bodies (its header says 0)", path);
    if (h->dimensions == 1)
        return orr_fail(ORR_EUNSUPPORTED,
                        "%s is one-dimensional; bodies in 2 or 3 dimensions can be read", path);
    return 0;
}

/* Field k of a record: 0 the mass, 1 to 3 the position, 4 to 6 the velocity, then the others. */
static double field_in(const unsigned char *record, int k, const struct header *h)
{
    const bool is_wide = h->wide == DOUBLES || (k >= 1 && k < 1 + 3 * (int)h->wide);
    const int before = k < 1 ? 0 : k - 1, most = 3 * (int)h->wide;
    const int word = h->wide == DOUBLES ? 2 * k : k + (before < most ? before : most);
    if (is_wide)
        return double_in(record + 4 * (size_t)word, h->swapped);
    uint32_t bits = word_in(record + 4 * (size_t)word, h->swapped);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static void store(struct orr_bodies *out, size_t i, const unsigned char *record,
                  const struct header *h)
{
    out->mass[i] = field_in(record, 0, h);
    for (int k = 0; k < out->dimensions; k++) {
        out->pos[k][i] = field_in(record, 1 + k, h);
        out->vel[k][i] = field_in(record, 4 + k, h);
    }
}

/* The short decimal that the float stands for, so that 0.01 comes back as 0.01. */
static double tidy(double eps)
{
    char text[32];
    double number;
    snprintf(text, sizeof text, "%.7g", eps);
    return orr_text_number(text, &number) && (float)number == (float)eps ? number : eps;
}

/* One softening for all or none: eps stays 0 where particles differ. */
static int read_particles(struct orr_bodies *out, const struct header *h, FILE *file,
                          const char *path)
{
    size_t i = 0;
    double least = INFINITY, largest = 0;
    for (int k = 0; k < KINDS; k++) {
        for (int64_t p = 0; p < h->counts[k]; p++, i++) {
            unsigned char record[8 * LONGEST_RECORD];
            const size_t words = (size_t)words_of(k, (int)h->wide);
            if (fread(record, 4, words, file) != words)
                return orr_fail(ORR_EIO, "cannot read %s particle %lld of %s: %s", kinds[k].name,
                                (long long)p, path,
                                ferror(file) ? strerror(errno) : "the file ends");
            store(out, i, record, h);
            out->type[i] = gadget_type[k];
            double eps = kinds[k].eps < 0 ? 0 : field_in(record, kinds[k].eps, h);
            least = fmin(least, eps);
            largest = fmax(largest, eps);
        }
    }
    out->eps = least == largest && least > 0 && isfinite(least) ? tidy(least) : 0;
    if (least < largest) {
        out->softening[0] = tidy(least);
        out->softening[1] = tidy(largest);
    }
    return 0;
}

static int read_open(struct orr_bodies *out, FILE *file, const char *path)
{
    unsigned char bytes[HEADER];
    struct header h;
    struct stat status;
    long start;
    size_t got = fread(bytes, 1, sizeof bytes, file);
    if (ferror(file) || fstat(fileno(file), &status))
        return orr_fail(ORR_EIO, "cannot read %s: %s", path, strerror(errno));
    if (!find_header(&h, bytes, got))
        return no_header(path, bytes, got);
    h.pad = got == HEADER && word_in(bytes + HEADER - PAD, false);
    int code = check_size(path, &h, status.st_size, &start);
    if (!code && fseek(file, start, SEEK_SET))
        code = orr_fail(ORR_EIO, "cannot read %s: %s", path, strerror(errno));
    if (code || orr_bodies_make(out, (size_t)h.bodies, (int)h.dimensions) ||
        orr_bodies_add_types(out))
        return orr_error_failed();
    out->time = isfinite(h.time) ? h.time : 0;
    return read_particles(out, &h, file, path);
}

static int read_tipsy(struct orr_bodies *out, const char *path)
{
    const char *why;
    FILE *file = orr_plain_file_open(path, &why);
    if (!file)
        return orr_fail(ORR_EIO, "cannot read %s: %s", path, why);
    int code = read_open(out, file, path);
    fclose(file);
    return code;
}

/* What a body is not known to have, as the density of gas, is 0. */
static int write_body(const struct orr_bodies *bodies, size_t i, struct orr_output *to,
                      bool swapped)
{
    const int kind = bodies->type ? kind_of_type[bodies->type[i]] : ORR_DARK;
    double fields[LONGEST_RECORD] = {bodies->mass[i]};
    uint32_t record[LONGEST_RECORD];
    for (int k = 0; k < 3; k++) {
        fields[1 + k] = bodies->pos[k][i];
        fields[4 + k] = bodies->vel[k][i];
    }
    if (kinds[kind].eps >= 0)
        fields[kinds[kind].eps] = bodies->eps;
    for (int k = 0; k < kinds[kind].words; k++) {
        const float rounded = (float)fields[k];
        if (!(fabs(fields[k]) <= (double)FLT_MAX))
            return orr_fail(ORR_EINPUT,
                            "body %zu (counted from 0): %g does not fit into Tipsy's floats", i,
                            fields[k]);
        memcpy(&record[k], &rounded, sizeof rounded);
        record[k] = swapped ? __builtin_bswap32(record[k]) : record[k];
    }
    return orr_output_write(to, record, 4 * (size_t)kinds[kind].words);
}

static int write_order(const struct orr_bodies *bodies, struct orr_output *to, bool swapped)
{
    uint64_t time;
    memcpy(&time, &bodies->time, sizeof time);
    time = swapped ? __builtin_bswap64(time) : time;
    if (bodies->n > INT32_MAX)
        return orr_fail(ORR_EUSAGE,
                        "%zu bodies do not fit into a Tipsy file; its counts have 31 bits",
                        bodies->n);
    uint32_t words[] = {(uint32_t)bodies->n, (uint32_t)bodies->dimensions, 0, 0, 0, 0};
    for (size_t i = 0; i < bodies->n; i++)
        words[2 + (bodies->type ? kind_of_type[bodies->type[i]] : ORR_DARK)]++;
    for (int k = 0; k < 6 && swapped; k++)
        words[k] = __builtin_bswap32(words[k]);
    int code = orr_output_open(to) || orr_output_write(to, &time, sizeof time) ||
                       orr_output_write(to, words, sizeof words)
                   ? orr_error_failed()
                   : 0;
    for (size_t i = 0; i < bodies->n && !code; i++)
        code = write_body(bodies, i, to, swapped);
    return code;
}

static int write_standard(struct orr_bodies *bodies, struct orr_output *to)
{
    return write_order(bodies, to, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
}

static int write_native(struct orr_bodies *bodies, struct orr_output *to)
{
    return write_order(bodies, to, false);
}

const struct orr_codec orr_codec_tipsy = {
    .name = "tipsy",
    .endings = {".tipsy"},
    .recognise = recognise,
    .read = read_tipsy,
    .write = write_standard,
    .loses = LOSES,
};
const struct orr_codec orr_codec_tipsy_native = {
    .name = "tipsy-native",
    .read = read_tipsy,
    .write = write_native,
    .loses = LOSES,
};
