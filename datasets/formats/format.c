/* SPDX-License-Identifier: MIT */
#include "datasets/formats/format.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "datasets/formats/codec.h"
#include "error.h"
#include "names.h"

static const struct orr_codec *const formats[] = {&orr_codec_hdf5, &orr_codec_tipsy,
                                                  &orr_codec_tipsy_native, &orr_codec_csv};
enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && !strcasecmp(path + length - tail, ending);
}

static const struct orr_codec *by_ending(const char *path)
{
    for (size_t k = 0; k < FORMAT_COUNT; k++)
        for (int e = 0; e < 3 && formats[k]->endings[e]; e++)
            if (ends_with(path, formats[k]->endings[e]))
                return formats[k];
    return NULL;
}

static const struct orr_codec *by_content(const struct orr_head *head)
{
    for (size_t k = 0; k < FORMAT_COUNT; k++)
        if (formats[k]->recognise && formats[k]->recognise(head))
            return formats[k];
    return NULL;
}

static const struct orr_codec *by_name(const char *name)
{
    const char *names[FORMAT_COUNT];
    for (size_t k = 0; k < FORMAT_COUNT; k++) {
        names[k] = formats[k]->name;
        if (!strcmp(name, names[k]))
            return formats[k];
    }
    orr_names_fail("no format", name, names, FORMAT_COUNT, sizeof *names);
    return NULL;
}

/* A snapshot must be a plain file: formats are told apart by their content, sizes are checked
 * against the file, and opening a pipe would wait for ever. */
static int read_head(struct orr_head *head, const char *path)
{
    struct stat status;
    if (stat(path, &status))
        return orr_fail(ORR_EIO, "cannot read %s: %s", path, strerror(errno));
    if (!S_ISREG(status.st_mode))
        return orr_fail(ORR_EINPUT, "%s is not a plain file; copy the snapshot into one", path);
    FILE *file = fopen(path, "rb");
    if (!file)
        return orr_fail(ORR_EIO, "cannot read %s: %s", path, strerror(errno));
    int code = 0;
    head->size = (uint64_t)status.st_size;
    head->used = fread(head->bytes, 1, sizeof head->bytes, file);
    if (ferror(file))
        code = orr_fail(ORR_EIO, "cannot read %s: %s", path, strerror(errno));
    else if (!head->used)
        code = orr_fail(ORR_EINPUT, "%s is empty (0 bytes)", path);
    fclose(file);
    return code;
}

/* Gadget's binary snapshots begin with the length of their header, 256, or of a name, 8. */
static const char *foreign(const struct orr_head *head)
{
    uint32_t words[66] = {0};
    memcpy(words, head->bytes, head->used < sizeof words ? head->used : sizeof words);
    const uint32_t first = words[0], swapped = __builtin_bswap32(first);
    if ((first == 256 || swapped == 256) && words[65] == first)
        return "Gadget's binary format 1";
    if ((first == 8 || swapped == 8) && !memcmp(&words[1], "HEAD", 4))
        return "Gadget's binary format 2";
    return NULL;
}

static int read_as(struct orr_bodies *out, const char *path, const struct orr_codec *format)
{
    int code = format->read(out, path);
    if (code)
        return code;
    if (!out->n)
        return orr_fail(ORR_EINPUT, "%s holds no bodies", path);
    code = orr_bodies_check(out);
    if (code)
        orr_error_context("%s", path);
    return code;
}

int orr_snapshot_read(struct orr_bodies *out, const char *path)
{
    struct orr_head head = {.used = 0};
    memset(out, 0, sizeof *out);
    int code = read_head(&head, path);
    if (code)
        return code;
    const char *other = foreign(&head);
    if (other)
        return orr_fail(ORR_EUNSUPPORTED,
                        "%s is a snapshot in %s, which cannot be read; write it as HDF5, by "
                        "SnapFormat 3 of Gadget or by pynbody",
                        path, other);
    const struct orr_codec *format = by_content(&head);
    if (!format)
        format = by_ending(path);
    if (!format)
        return orr_fail(ORR_EINPUT,
                        "%s is no snapshot: its content is neither Gadget HDF5, Tipsy nor CSV",
                        path);
    code = read_as(out, path, format);
    if (code)
        orr_bodies_release(out);
    return code;
}

int orr_snapshot_write(struct orr_bodies *bodies, const char *path, const char *format_name)
{
    const struct orr_codec *format = format_name ? by_name(format_name) : by_ending(path);
    if (!format)
        return format_name ? ORR_EUSAGE
                           : orr_fail(ORR_EUSAGE,
                                      "the ending of %s names no format; use .hdf5, .h5, .tipsy or "
                                      ".csv, or say which "
                                      "(hdf5, tipsy, tipsy-native, csv)",
                                      path);
    const struct orr_codec *ending = by_ending(path);
    if (ending && ending->read != format->read) /* the two kinds of Tipsy are read alike */
        return orr_fail(ORR_EUSAGE, "%s ends as %s does, but --to says %s; leave out one of them",
                        path, ending->name, format->name);
    struct orr_output output;
    int code = orr_output_begin(&output, path);
    if (!code)
        code = format->write(bodies, &output);
    if (!code && bodies->source && format->loses)
        orr_bodies_note(bodies, "%s has no place for the %s of %s", path, format->loses,
                        bodies->source);
    return orr_output_end(&output, code);
}

/* The writer of tables that belongs to the ending, or NULL. */
static int (*table_writer(const char *path))(const struct orr_table *, struct orr_output *)
{
    const struct orr_codec *format = by_ending(path);
    return format == &orr_codec_hdf5  ? orr_hdf5_write_table
           : format == &orr_codec_csv ? orr_csv_write_table
                                      : NULL;
}

int orr_forces_check_path(const char *path)
{
    if (table_writer(path))
        return by_ending(path) == &orr_codec_hdf5 ? orr_hdf5_check(path) : 0;
    return orr_fail(ORR_EUSAGE,
                    "accelerations go to a file that ends in .csv, .hdf5 or .h5, not to %s", path);
}

int orr_forces_write(const float *const acc[3], const float *phi, const struct orr_bodies *bodies,
                     int dimensions, const struct orr_forces_words *words, const char *path)
{
    static const char *const names[] = {"ax", "ay", "az"};
    int code = orr_forces_check_path(path);
    if (code)
        return code;
    struct orr_table table = {.n = bodies->n, .words = words};
    if (bodies->by_type) {
        table.types = bodies->type;
        table.ids = bodies->id;
        table.signed_ids = bodies->signed_ids;
    }
    for (; table.count < dimensions && table.count < 3; table.count++) {
        table.names[table.count] = names[table.count];
        table.values[table.count] = acc[table.count];
    }
    if (phi) {
        table.names[table.count] = "phi";
        table.values[table.count++] = phi;
    }
    struct orr_output output;
    code = orr_output_begin(&output, path);
    if (!code)
        code = table_writer(path)(&table, &output);
    return orr_output_end(&output, code);
}
