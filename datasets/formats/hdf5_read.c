/* SPDX-License-Identifier: MIT */
/* Reading Gadget HDF5: PartType0, PartType1 ... merged in type order, then file order, of one file
 * or of all files of a snapshot. Coordinates are needed, Masses where /Header's MassTable has no
 * entry for the type; float or double; without Velocities the bodies are at rest. SWIFT's /Header
 * attribute "Dimension" or two-column Coordinates make a snapshot two-dimensional. */
#ifdef ORR_HAVE_HDF5
#include "datasets/formats/hdf5_common.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "memory.h"

enum { TYPES = ORR_BODY_TYPES, MOST_FILES = 4096 };

struct reader {
    const char *path;
    hid_t file;
    uint64_t counts[TYPES];
    bool left_out[TYPES]; /* a type without places */
    double mass_table[TYPES];
    uint64_t total[TYPES]; /* of all files, as the header counts them; some programs leave it 0 */
    int types;             /* that the header counts */
    int dimensions, files; /* of the snapshot */
    double facts[ORR_FACTS];
    void *slab;
};

/* Of /Header. */
static int read_attribute(const struct reader *r, const char *name, hid_t type, int most, void *out)
{
    return orr_hdf5_attribute(r->file, r->path, "/Header", name, type, most, out);
}

static int read_header(struct reader *r)
{
    int dimensions[3] = {3}, is_virtual = 0, found = 1;
    uint64_t high[TYPES] = {0};
    const struct {
        const char *name;
        hid_t type;
        int most;
        void *to;
    } attributes[] = {
        {"NumPart_ThisFile", H5T_NATIVE_UINT64, TYPES, r->counts},
        {"MassTable", H5T_NATIVE_DOUBLE, TYPES, r->mass_table},
        {"NumPart_Total", H5T_NATIVE_UINT64, TYPES, r->total},
        {"NumPart_Total_HighWord", H5T_NATIVE_UINT64, TYPES, high},
        {"NumFilesPerSnapshot", H5T_NATIVE_INT, 1, &r->files},
        {"Virtual", H5T_NATIVE_INT, 1, &is_virtual}, /* SWIFT's file that holds all others */
        {"Dimension", H5T_NATIVE_INT, 3, dimensions},
    };
    r->files = 1;
    for (size_t k = 0; k < sizeof attributes / sizeof *attributes; k++) {
        found = read_attribute(r, attributes[k].name, attributes[k].type, attributes[k].most,
                               attributes[k].to);
        if (found < 0)
            return found;
        if (!k && !found)
            return orr_fail(
                ORR_EINPUT,
                "%s: no attribute NumPart_ThisFile in /Header; is it a Gadget snapshot?", r->path);
        r->types = k ? r->types : found;
        if (k == 1 && found && found != r->types)
            return orr_fail(ORR_EINPUT,
                            "%s: /Header has %d types in NumPart_ThisFile, %d in MassTable",
                            r->path, r->types, found);
    }
    for (int k = 0; k < TYPES; k++)
        r->total[k] += high[k] << 32;
    r->files = is_virtual > 0 ? 1 : r->files;
    r->dimensions = dimensions[0];
    orr_hdf5_read_facts(r->file, r->facts);
    return r->dimensions == 2 || r->dimensions == 3
               ? 0
               : orr_fail(ORR_EINPUT, "%s: /Header says %d dimensions; 2 or 3 can be read", r->path,
                          r->dimensions);
}

/* Rows and columns of an open data set; one column when it has rank 1. */
static int shape(const struct reader *r, hid_t set, const char *name, H5T_class_t class,
                 hsize_t out[2])
{
    ORR_HID space = H5Dget_space(set), type = H5Dget_type(set);
    const int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
    out[0] = out[1] = 1;
    if (rank < 1 || rank > 2 || type < 0 || H5Tget_class(type) != class)
        return orr_fail(ORR_EINPUT, "%s: %s is no array of %s with one row a particle", r->path,
                        name, class == H5T_FLOAT ? "floats or doubles" : "whole numbers");
    H5Sget_simple_extent_dims(space, out, NULL);
    return 0;
}

/* The names of one array, of which the first that is there counts: EAGLE has one velocity and one
 * mass, SWIFT's black holes also one that they grow by, which does not act. */
static const char *const velocities[] = {"Velocities", "Velocity", NULL}, *const masses[] = {
                                                                              "DynamicalMasses",
                                                                              "Masses", "Mass",
                                                                              NULL};

/* Its path in the file into `path`. */
static bool has_set(const struct reader *r, int type, const char *name, char path[64])
{
    snprintf(path, 64, "/PartType%d", type);
    bool has_group = H5Lexists(r->file, path, H5P_DEFAULT) > 0;
    snprintf(path, 64, "/PartType%d/%s", type, name);
    return has_group && H5Lexists(r->file, path, H5P_DEFAULT) > 0;
}

/* The first of `names` that is there; NULL: none. */
static const char *named(const struct reader *r, int type, const char *const names[])
{
    char path[64];
    while (*names && !has_set(r, type, *names, path))
        names++;
    return *names;
}

/* Opens data set `name` of a type's group and checks that it has the rows the header promises. */
static int open_set(const struct reader *r, int type, const char *name, H5T_class_t class,
                    hid_t *set, hsize_t *columns)
{
    char path[64];
    hsize_t size[2];
    if (!has_set(r, type, name, path))
        return orr_fail(ORR_EINPUT,
                        "%s: no data set %s, though the header counts %" PRIu64
                        " particles of type %d",
                        r->path, path, r->counts[type], type);
    *set = orr_hdf5_open_whole(r->file, r->path, path);
    if (*set < 0)
        return orr_error_code();
    int code = shape(r, *set, path, class, size);
    if (!code && size[0] != r->counts[type])
        code =
            orr_fail(ORR_EINPUT, "%s: %s has %" PRIu64 " rows, but NumPart_ThisFile says %" PRIu64,
                     r->path, path, (uint64_t)size[0], r->counts[type]);
    if (!code && (*columns ? size[1] != *columns : size[1] != 2 && size[1] != 3))
        code = orr_fail(ORR_EINPUT, "%s: %s has %" PRIu64 " columns, not %" PRIu64, r->path, path,
                        (uint64_t)size[1], (uint64_t)(*columns ? *columns : 3));
    *columns = size[1];
    if (code)
        H5Dclose(*set);
    return code;
}

static int read_slab(const struct reader *r, hid_t set, hid_t type, hsize_t start, hsize_t rows,
                     hsize_t columns)
{
    hsize_t offset[2] = {start, 0}, size[2] = {rows, columns}, flat = rows * columns;
    ORR_HID from = H5Dget_space(set), memory = H5Screate_simple(1, &flat, NULL);
    if (H5Sselect_hyperslab(from, H5S_SELECT_SET, offset, NULL, size, NULL) < 0 ||
        H5Dread(set, type, memory, from, H5P_DEFAULT, r->slab) < 0)
        return orr_hdf5_read_failed(set);
    return 0;
}

/* What a row of floats holds that was never written. */
static double fill_of(hid_t set)
{
    double fill = 0;
    ORR_HID how = H5Dget_create_plist(set);
    H5Pget_fill_value(how, H5T_NATIVE_DOUBLE, &fill);
    return fill;
}

/* Allocated early, or written in part, rows hold their fill value, and no library can tell: of
 * places and masses, which are rarely 0 and never a value that stands for none. `filled` rows of a
 * type's data set have it. */
static int doubt_rows(const struct reader *r, struct orr_bodies *out, int type, const char *name,
                      hsize_t filled, double fill)
{
    const hsize_t rows = r->counts[type];
    const bool are_places = !strcmp(name, "Coordinates"), all = filled == rows;
    if (filled < 2 || (!are_places && (all || !strstr(name, "Mass"))))
        return 0;
    if (fill < 0 || fill > 0 || all)
        return orr_fail(ORR_EINPUT,
                        "%s: %" PRIu64 " of %" PRIu64 " rows of /PartType%d/%s hold its fill "
                        "value, %g: they were never written; did the program that wrote it stop "
                        "early?",
                        r->path, (uint64_t)filled, (uint64_t)rows, type, name, fill);
    orr_bodies_note(out,
                    "%" PRIu64 " of %" PRIu64 " rows of /PartType%d/%s are 0: were they ever "
                    "written?",
                    (uint64_t)filled, (uint64_t)rows, type, name);
    return 0;
}

/* Spreads the slab's rows over columns; how many of them are all `fill`. */
static hsize_t spread(const struct reader *r, double *const to[], size_t first, hsize_t rows,
                      hsize_t columns, double fill)
{
    const double *row = r->slab;
    hsize_t filled = 0;
    for (hsize_t i = 0; i < rows; i++, row += columns) {
        for (hsize_t c = 0; c < columns; c++)
            to[c][first + i] = row[c];
        filled += row[0] == fill && row[columns / 2] == fill && row[columns - 1] == fill;
    }
    return filled;
}

/* Reads data set `name` of a type, of floats into `to[c]` or of whole numbers into `ids`, from body
 * `first` on; *columns: how many it must have, 0 for 2 or 3. */
static int read_set(struct reader *r, struct orr_bodies *out, int type, const char *name,
                    hsize_t *columns, double *const to[], uint64_t *ids, size_t first)
{
    hid_t whole = ids ? out->signed_ids ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64 : H5T_NATIVE_DOUBLE;
    hid_t set;
    hsize_t filled = 0;
    int code = open_set(r, type, name, ids ? H5T_INTEGER : H5T_FLOAT, &set, columns);
    if (code)
        return code;
    const double fill = ids ? 0 : fill_of(set);
    for (hsize_t done = 0; done < r->counts[type] && !code; done += ORR_HDF5_SLAB) {
        hsize_t left = r->counts[type] - done, rows = left < ORR_HDF5_SLAB ? left : ORR_HDF5_SLAB;
        code = read_slab(r, set, whole, done, rows, *columns);
        if (code)
            orr_error_context("%s: cannot read /PartType%d/%s from row %" PRIu64 " on", r->path,
                              type, name, (uint64_t)done);
        else if (ids)
            memcpy(ids + first + done, r->slab, rows * sizeof *ids);
        else
            filled += spread(r, to, first + done, rows, *columns, fill);
    }
    H5Dclose(set);
    return code || ids ? code : doubt_rows(r, out, type, name, filled, fill);
}

/* Codes take MassTable where it is not 0; a data set that says something else may be one that was
 * never filled, or meant. */
static int check_table(const struct reader *r, const struct orr_bodies *out, int type, size_t first)
{
    const double mass = r->mass_table[type];
    for (size_t i = 0; i < r->counts[type]; i++)
        if (!(fabs(out->mass[first + i] - mass) <= 1e-6 * fabs(mass)))
            return orr_fail(ORR_EINPUT,
                            "%s: MassTable of /Header says %g for type %d, but /PartType%d/%s "
                            "says %g in row %zu; remove the one that is wrong",
                            r->path, mass, type, type, named(r, type, masses), out->mass[first + i],
                            i);
    return 0;
}

static int read_masses(struct reader *r, struct orr_bodies *out, int type, size_t first)
{
    hsize_t one = 1;
    const bool in_table = r->mass_table[type] != 0;
    const char *name = named(r, type, masses);
    if (name) {
        int code = read_set(r, out, type, name, &one, &out->mass, NULL, first);
        return code || !in_table ? code : check_table(r, out, type, first);
    }
    if (!in_table)
        return orr_fail(ORR_EINPUT,
                        "%s: no data set /PartType%d/Masses, and MassTable has no mass for type %d",
                        r->path, type, type);
    for (size_t i = 0; i < r->counts[type]; i++)
        out->mass[first + i] = r->mass_table[type];
    return 0;
}

static bool is_whole(const struct reader *r, const char *path, bool *is_signed)
{
    ORR_HID set = H5Dopen2(r->file, path, H5P_DEFAULT), type = set < 0 ? -1 : H5Dget_type(set);
    *is_signed = *is_signed || (type >= 0 && H5Tget_sign(type) == H5T_SGN_2);
    return type >= 0 && H5Tget_class(type) == H5T_INTEGER;
}

/* Bodies are told apart by ids where all have one; accelerations need none. */
static int read_ids(struct reader *r, struct orr_bodies *out, int type, size_t first)
{
    char path[64];
    hsize_t one = 1;
    if (!out->id)
        return 0;
    if (has_set(r, type, "ParticleIDs", path) && is_whole(r, path, &out->signed_ids))
        return read_set(r, out, type, "ParticleIDs", &one, NULL, out->id, first);
    orr_bodies_note(out, "%s has no %s of whole numbers: no ids are read", r->path, path);
    free(out->id);
    out->id = NULL;
    return 0;
}

static void widen(double range[2], double value)
{
    range[0] = range[1] > 0 ? fmin(range[0], value) : value;
    range[1] = fmax(range[1], value);
}

/* One length for all is what variants take: of others the range is told. */
static int read_softening(struct reader *r, struct orr_bodies *out, int type)
{
    char path[64];
    hsize_t one = 1;
    if (!has_set(r, type, "Softenings", path)) { /* of SWIFT */
        const double eps = orr_hdf5_softening(r->file, type, orr_hdf5_expansion(r->facts));
        if (eps >= 0)
            widen(out->softening, eps);
        return 0;
    }
    double *each = orr_memory_get(r->counts[type] * sizeof *each);
    int code = read_set(r, out, type, "Softenings", &one, &each, NULL, 0);
    for (uint64_t i = 0; i < r->counts[type] && !code; i++)
        widen(out->softening, each[i]);
    free(each);
    return code;
}

static int read_type(struct reader *r, struct orr_bodies *out, int type, size_t first)
{
    hsize_t columns = 0;
    const char *moving = named(r, type, velocities);
    if (read_set(r, out, type, "Coordinates", &columns, out->pos, NULL, first) ||
        (moving && read_set(r, out, type, moving, &columns, out->vel, NULL, first)) ||
        read_masses(r, out, type, first) || read_softening(r, out, type))
        return orr_error_failed();
    out->dimensions = columns == 2 ? 2 : out->dimensions;
    return read_ids(r, out, type, first);
}

/* Tracers of a flow (AREPO's Monte Carlo tracers) have names and parents, but neither place nor
 * mass. */
static bool is_tracer(const struct reader *r, int type)
{
    char path[64];
    if (has_set(r, type, "Coordinates", path) || named(r, type, velocities) ||
        named(r, type, masses))
        return false;
    return has_set(r, type, "ParentID", path) || has_set(r, type, "TracerID", path) ||
           (has_set(r, type, "ParticleIDs", path) && r->mass_table[type] == 0);
}

/* Before anything is allocated for the bodies, which are added to *total: every type's Coordinates
 * must be there with the right length. */
static int count_bodies(struct reader *r, size_t *total)
{
    for (int type = 0; type < TYPES; type++) {
        char path[64];
        hid_t set;
        hsize_t columns = 0;
        r->left_out[type] = r->counts[type] && is_tracer(r, type);
        if (r->left_out[type] || (!r->counts[type] && !has_set(r, type, "Coordinates", path)))
            continue;
        int code = open_set(r, type, "Coordinates", H5T_FLOAT, &set, &columns);
        if (code)
            return code;
        H5Dclose(set);
        *total += r->counts[type];
    }
    return 0;
}

static int open_reader(struct reader *out, const char *path, void *slab)
{
    *out = (struct reader){.path = path, .slab = slab};
    out->file = orr_hdf5_open(path);
    if (out->file < 0)
        return orr_error_code();
    return read_header(out);
}

static void close_reader(struct reader *r)
{
    if (r->file > 0)
        H5Fclose(r->file);
    r->file = 0;
}

/* --- a snapshot of one file or of several --- */

struct snapshot {
    struct reader *parts;
    char (*paths)[PATH_MAX];
    int count;
};

/* snap_042.3.hdf5 -> snap_042.K.hdf5: the number before the ending; false where there is none. */
static bool name_part(char out[PATH_MAX], const char *path, int part)
{
    const char *ending = strrchr(path, '.'), *number = ending ? ending : path;
    while (number > path && number[-1] >= '0' && number[-1] <= '9')
        number--;
    return ending && number < ending && number > path && number[-1] == '.' &&
           snprintf(out, PATH_MAX, "%.*s%d%s", (int)(number - path), path, part, ending) < PATH_MAX;
}

/* Beside the file named, or beside what that is a link to. */
static int path_of_part(char out[PATH_MAX], const char *path, int part)
{
    char real[PATH_MAX], other[PATH_MAX];
    const bool is_numbered = name_part(out, path, part);
    if (is_numbered && !access(out, F_OK))
        return 0;
    if (realpath(path, real) && name_part(other, real, part) &&
        (!is_numbered || !access(other, F_OK)))
        strcpy(out, other);
    else if (!is_numbered)
        return orr_fail(ORR_EINPUT,
                        "%s is one of several files of a snapshot, whose names should end with a "
                        "number and .hdf5, as in snapshot.0.hdf5",
                        path);
    return 0;
}

static int open_parts(struct snapshot *s, const char *path, void *slab)
{
    struct reader first;
    int code = open_reader(&first, path, slab), files = first.files;
    close_reader(&first);
    if (!code && (files < 1 || files > MOST_FILES))
        code = orr_fail(ORR_EINPUT, "%s: NumFilesPerSnapshot is %d", path, files);
    if (code)
        return code;
    s->parts = calloc((size_t)files, sizeof *s->parts);
    s->paths = calloc((size_t)files, sizeof *s->paths);
    if (!s->parts || !s->paths)
        return orr_fail(ORR_EMEMORY, "no memory to read %s", path);
    for (; s->count < files && !code; s->count++) {
        if (files == 1)
            snprintf(s->paths[0], PATH_MAX, "%s", path);
        else
            code = path_of_part(s->paths[s->count], path, s->count);
        if (!code)
            code = open_reader(&s->parts[s->count], s->paths[s->count], slab);
        if (!code && s->parts[s->count].files != files)
            code = orr_fail(ORR_EINPUT, "%s is one of %d files of a snapshot, %s of %d",
                            s->paths[s->count], s->parts[s->count].files, path, files);
    }
    return code;
}

static void close_parts(struct snapshot *s)
{
    for (int k = 0; k < s->count; k++)
        close_reader(&s->parts[k]);
    free(s->parts);
    free(s->paths);
}

/* Files of one name may be of several runs or moments. */
static int check_part(const struct reader *first, const struct reader *other, const char *what,
                      double one, double two)
{
    return one < two || one > two
               ? orr_fail(ORR_EINPUT,
                          "%s says %s %.10g, %s says %.10g: they are no parts of one snapshot",
                          first->path, what, one, other->path, two)
               : 0;
}

static int check_parts(const struct snapshot *s)
{
    const struct reader *first = s->parts;
    int code = 0;
    for (const struct reader *r = first; r < first + s->count; r++) {
        for (int f = 0; f < ORR_FACTS && !code; f++)
            code = check_part(first, r, orr_hdf5_facts[f], first->facts[f], r->facts[f]);
        for (int k = 0; k < TYPES && !code; k++)
            if (first->mass_table[k] != 0 && r->mass_table[k] != 0)
                code = check_part(first, r, "MassTable", first->mass_table[k], r->mass_table[k]);
    }
    return code;
}

/* NumPart_Total counts what all files hold, without NumPart_Total_HighWord in 32 bits. */
static int check_totals(const struct snapshot *s, struct orr_bodies *out)
{
    for (int type = 0; type < TYPES; type++) {
        uint64_t here = 0, total = 0;
        for (const struct reader *r = s->parts; r < s->parts + s->count; r++) {
            here += r->counts[type];
            total = r->total[type] > total ? r->total[type] : total;
        }
        if (here < total)
            return orr_fail(
                ORR_EINPUT,
                "%s: %" PRIu64 " of %" PRIu64
                " bodies of the snapshot: so many of type %d are here and in "
                "NumPart_Total, though NumFilesPerSnapshot is %d; where are the others?",
                s->parts->path, here, total, type, s->count);
        if (total && here > total && (uint32_t)here != total)
            orr_bodies_note(out,
                            "NumPart_Total says %" PRIu64 " bodies of type %d, but %" PRIu64
                            " are here; all are read",
                            total, type, here);
    }
    return 0;
}

/* Type by type through all files, so that types do not fall. */
static int read_bodies(struct snapshot *s, struct orr_bodies *out)
{
    size_t first = 0;
    int code = 0;
    for (int type = 0; type < TYPES; type++) {
        uint64_t left_out = 0;
        for (int k = 0; k < s->count && !code; k++) {
            struct reader *r = &s->parts[k];
            left_out += r->left_out[type] ? r->counts[type] : 0;
            if (!r->counts[type] || r->left_out[type])
                continue;
            code = read_type(r, out, type, first);
            memset(out->type + first, type, r->counts[type]);
            first += r->counts[type];
        }
        if (left_out)
            orr_bodies_note(out,
                            "%" PRIu64 " particles of type %d have no Coordinates and are left "
                            "out, as tracers are",
                            left_out, type);
    }
    out->by_type = s->count > 1 || (first && out->type[0] != out->type[first - 1]);
    return code;
}

static void note_box(const struct reader *r, struct orr_bodies *out)
{
    double edges[3];
    if (!(r->facts[ORR_FACT_BOX] > 0) || r->facts[ORR_FACT_PERIODIC] <= 0)
        return;
    out->period = r->facts[ORR_FACT_BOX];
    if (read_attribute(r, "BoxSize", H5T_NATIVE_DOUBLE, 3, edges) == 3 &&
        (edges[0] != edges[1] || edges[1] != edges[2]))
        orr_bodies_note(out, "the edges of its box are %g, %g and %g", edges[0], edges[1],
                        edges[2]);
}

static int read_snapshot(struct snapshot *s, struct orr_bodies *out)
{
    struct reader *r = s->parts;
    size_t total = 0;
    int code = check_parts(s);
    for (int k = 0; k < s->count && !code; k++)
        code = count_bodies(&s->parts[k], &total);
    if (!code && !total)
        code = orr_fail(ORR_EINPUT, "%s holds no bodies (NumPart_ThisFile is 0 for every type)",
                        r->path);
    if (code || orr_bodies_make(out, total, r->dimensions) || check_totals(s, out) ||
        orr_bodies_add_types(out) || orr_bodies_add_ids(out) || read_bodies(s, out))
        return orr_error_failed();
    for (size_t i = 0; i < total && out->dimensions == 2; i++)
        out->pos[2][i] = out->vel[2][i] = 0;
    out->gravity = orr_hdf5_gravity(r->facts);
    out->expansion = orr_hdf5_expansion(r->facts);
    note_box(r, out);
    out->time = isnan(r->facts[ORR_FACT_TIME]) ? 0 : r->facts[ORR_FACT_TIME];
    out->source = orr_memory_text(r->path);
    if (orr_hdf5_attribute(r->file, r->path, "/Orrery", "Softening", H5T_NATIVE_DOUBLE, 1,
                           &out->eps) < 0 ||
        orr_hdf5_attribute(r->file, r->path, "/Orrery", "TimeStep", H5T_NATIVE_DOUBLE, 1,
                           &out->dt) < 0)
        return orr_error_code();
    return 0;
}

int orr_hdf5_read(struct orr_bodies *out, const char *path)
{
    struct snapshot snapshot = {0};
    orr_hdf5_begin_reading(path);
    void *slab = malloc(sizeof(double) * 3 * ORR_HDF5_SLAB);
    if (!slab)
        return orr_fail(ORR_EMEMORY, "no memory to read %s", path);
    int code = open_parts(&snapshot, path, slab);
    if (!code)
        code = read_snapshot(&snapshot, out);
    close_parts(&snapshot);
    free(slab);
    return code;
}
#else
typedef int orr_no_hdf5; /* a translation unit must declare something */
#endif
