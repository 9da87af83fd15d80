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

#include "error.h"
#include "memory.h"

enum { TYPES = ORR_BODY_TYPES, MOST_FILES = 4096 };

struct reader {
    const char *path;
    hid_t file;
    uint64_t counts[TYPES];
    bool left_out[TYPES]; /* a type without places */
    double mass_table[TYPES];
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
    int dimensions[3] = {3}, is_virtual = 0;
    r->files = 1;
    r->types = read_attribute(r, "NumPart_ThisFile", H5T_NATIVE_UINT64, TYPES, r->counts);
    if (!r->types)
        return orr_fail(ORR_EINPUT,
                        "%s: no attribute NumPart_ThisFile in /Header; is it a Gadget snapshot?",
                        r->path);
    int found = r->types;
    if (found > 0)
        found = read_attribute(r, "MassTable", H5T_NATIVE_DOUBLE, TYPES, r->mass_table);
    if (found > 0 && found != r->types)
        found =
            orr_fail(ORR_EINPUT, "%s: /Header has %d types in NumPart_ThisFile, %d in MassTable",
                     r->path, r->types, found);
    if (found >= 0)
        found = read_attribute(r, "NumFilesPerSnapshot", H5T_NATIVE_INT, 1, &r->files);
    if (found >= 0)
        found = read_attribute(r, "Virtual", H5T_NATIVE_INT, 1, &is_virtual);
    if (is_virtual > 0) /* SWIFT's file that holds all others */
        r->files = 1;
    if (found >= 0)
        found = read_attribute(r, "Dimension", H5T_NATIVE_INT, 3, dimensions);
    if (found < 0)
        return found;
    r->dimensions = dimensions[0];
    if (r->dimensions != 2 && r->dimensions != 3)
        return orr_fail(ORR_EINPUT, "%s: /Header says %d dimensions; 2 or 3 can be read", r->path,
                        r->dimensions);
    orr_hdf5_read_facts(r->file, r->path, r->facts);
    return 0;
}

/* Rows and columns of an open data set; one column when it has rank 1. */
static int shape(const struct reader *r, hid_t set, const char *name, H5T_class_t class,
                 hsize_t out[2])
{
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space), code = 0;
    out[0] = out[1] = 1;
    if (rank < 1 || rank > 2 || type < 0 || H5Tget_class(type) != class)
        code = orr_fail(ORR_EINPUT, "%s: %s is no array of %s with one row a particle", r->path,
                        name, class == H5T_FLOAT ? "floats or doubles" : "whole numbers");
    else
        H5Sget_simple_extent_dims(space, out, NULL);
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    return code;
}

/* Its path in the file into `path`. */
static bool has_set(const struct reader *r, int type, const char *name, char path[64])
{
    snprintf(path, 64, "/PartType%d", type);
    bool has_group = H5Lexists(r->file, path, H5P_DEFAULT) > 0;
    snprintf(path, 64, "/PartType%d/%s", type, name);
    return has_group && H5Lexists(r->file, path, H5P_DEFAULT) > 0;
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
    hid_t from = H5Dget_space(set);
    hsize_t offset[2] = {start, 0}, size[2] = {rows, columns}, flat = rows * columns;
    hid_t memory = H5Screate_simple(1, &flat, NULL);
    int code = 0;
    if (H5Sselect_hyperslab(from, H5S_SELECT_SET, offset, NULL, size, NULL) < 0 ||
        H5Dread(set, type, memory, from, H5P_DEFAULT, r->slab) < 0)
        code = orr_hdf5_read_failed(set);
    H5Sclose(memory);
    H5Sclose(from);
    return code;
}

/* Reads data set `name` of a type, of floats into `to[c]` or of whole numbers into `ids`, from body
 * `first` on; *columns: how many it must have, 0 for 2 or 3. */
static int read_set(struct reader *r, int type, const char *name, hsize_t *columns,
                    double *const to[], uint64_t *ids, size_t first)
{
    hid_t set;
    int code = open_set(r, type, name, ids ? H5T_INTEGER : H5T_FLOAT, &set, columns);
    if (code)
        return code;
    for (hsize_t done = 0; done < r->counts[type] && !code; done += ORR_HDF5_SLAB) {
        hsize_t left = r->counts[type] - done, rows = left < ORR_HDF5_SLAB ? left : ORR_HDF5_SLAB;
        code = read_slab(r, set, ids ? H5T_NATIVE_UINT64 : H5T_NATIVE_DOUBLE, done, rows, *columns);
        if (code)
            orr_error_context("%s: cannot read /PartType%d/%s from row %" PRIu64 " on", r->path,
                              type, name, (uint64_t)done);
        else if (ids)
            memcpy(ids + first + done, r->slab, rows * sizeof *ids);
        else
            for (hsize_t i = 0; i < rows; i++)
                for (hsize_t c = 0; c < *columns; c++)
                    to[c][first + done + i] = ((const double *)r->slab)[i * *columns + c];
    }
    H5Dclose(set);
    return code;
}

/* Codes take MassTable where it is not 0; a data set that says something else may be one that was
 * never filled, or meant. */
static int check_table(const struct reader *r, const struct orr_bodies *out, int type, size_t first)
{
    const double mass = r->mass_table[type];
    for (size_t i = 0; i < r->counts[type]; i++)
        if (!(fabs(out->mass[first + i] - mass) <= 1e-6 * fabs(mass)))
            return orr_fail(ORR_EINPUT,
                            "%s: MassTable of /Header says %g for type %d, but /PartType%d/Masses "
                            "says %g in row %zu; remove the one that is wrong",
                            r->path, mass, type, type, out->mass[first + i], i);
    return 0;
}

static int read_masses(struct reader *r, struct orr_bodies *out, int type, size_t first)
{
    char path[64];
    hsize_t one = 1;
    const bool in_table = r->mass_table[type] != 0;
    /* SWIFT's black holes also have a mass that they grow by, which does not act. */
    const char *name = has_set(r, type, "DynamicalMasses", path) ? "DynamicalMasses" : "Masses";
    if (has_set(r, type, name, path)) {
        int code = read_set(r, type, name, &one, &out->mass, NULL, first);
        return code || !in_table ? code : check_table(r, out, type, first);
    }
    if (!in_table)
        return orr_fail(ORR_EINPUT, "%s: no data set %s, and MassTable has no mass for type %d",
                        r->path, path, type);
    for (size_t i = 0; i < r->counts[type]; i++)
        out->mass[first + i] = r->mass_table[type];
    return 0;
}

static bool is_whole(const struct reader *r, const char *path)
{
    hid_t set = H5Dopen2(r->file, path, H5P_DEFAULT), type = set < 0 ? -1 : H5Dget_type(set);
    const bool is = type >= 0 && H5Tget_class(type) == H5T_INTEGER;
    if (type >= 0)
        H5Tclose(type);
    if (set >= 0)
        H5Dclose(set);
    return is;
}

/* Bodies are told apart by ids where all have one; accelerations need none. */
static int read_ids(struct reader *r, struct orr_bodies *out, int type, size_t first)
{
    char path[64];
    hsize_t one = 1;
    if (!out->id)
        return 0;
    if (has_set(r, type, "ParticleIDs", path) && is_whole(r, path))
        return read_set(r, type, "ParticleIDs", &one, NULL, out->id, first);
    orr_bodies_note(out, "%s has no %s of whole numbers: no ids are read", r->path, path);
    free(out->id);
    out->id = NULL;
    return 0;
}

static int read_type(struct reader *r, struct orr_bodies *out, int type, size_t first)
{
    hsize_t columns = 0;
    char path[64];
    int code = read_set(r, type, "Coordinates", &columns, out->pos, NULL, first);
    if (!code && has_set(r, type, "Velocities", path))
        code = read_set(r, type, "Velocities", &columns, out->vel, NULL, first);
    if (!code && columns == 2)
        out->dimensions = 2;
    if (!code)
        code = read_masses(r, out, type, first);
    return code ? code : read_ids(r, out, type, first);
}

/* Tracers of a flow (AREPO's Monte Carlo tracers) have names and parents, but neither place nor
 * mass. */
static bool is_tracer(const struct reader *r, int type)
{
    static const char *const of_bodies[] = {"Coordinates", "Velocities", "Masses"};
    char path[64];
    for (int k = 0; k < 3; k++)
        if (has_set(r, type, of_bodies[k], path))
            return false;
    return has_set(r, type, "ParentID", path) || has_set(r, type, "TracerID", path) ||
           (has_set(r, type, "ParticleIDs", path) && r->mass_table[type] == 0);
}

/* Before anything is allocated for `total` bodies: every type's Coordinates must be there with the
 * right length. */
static int count_bodies(struct reader *r, size_t *total)
{
    *total = 0;
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

/* snap_042.3.hdf5 -> snap_042.K.hdf5: the number before the ending. */
static int path_of_part(char out[PATH_MAX], const char *path, int part)
{
    const char *ending = strrchr(path, '.');
    const char *number = ending ? ending : path;
    while (number > path && number[-1] >= '0' && number[-1] <= '9')
        number--;
    if (!ending || number == ending || number == path || number[-1] != '.')
        return orr_fail(ORR_EINPUT,
                        "%s is one of several files of a snapshot, whose names should end with a "
                        "number and .hdf5, as in snapshot.0.hdf5",
                        path);
    if (snprintf(out, PATH_MAX, "%.*s%d%s", (int)(number - path), path, part, ending) >= PATH_MAX)
        return orr_fail(ORR_EINPUT, "path too long: %s", path);
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
static int check_moments(const struct snapshot *s)
{
    for (int k = 1; k < s->count; k++)
        for (int f = 0; f < ORR_FACTS; f++) {
            const double one = s->parts[0].facts[f], other = s->parts[k].facts[f];
            if (one < other || one > other)
                return orr_fail(
                    ORR_EINPUT,
                    "%s says %s %.10g, %s says %.10g: they are no parts of one snapshot",
                    s->parts[0].path, orr_hdf5_facts[f], one, s->parts[k].path, other);
        }
    return 0;
}

/* NumPart_Total counts what all files hold; some programs leave it 0. */
static int check_totals(const struct snapshot *s)
{
    const struct reader *r = s->parts;
    uint64_t total[TYPES] = {0}, high[TYPES] = {0};
    if (read_attribute(r, "NumPart_Total", H5T_NATIVE_UINT64, TYPES, total) < 0 ||
        read_attribute(r, "NumPart_Total_HighWord", H5T_NATIVE_UINT64, TYPES, high) < 0)
        return orr_error_code();
    for (int type = 0; type < TYPES; type++) {
        uint64_t here = 0;
        for (int k = 0; k < s->count; k++)
            here += s->parts[k].counts[type];
        total[type] += high[type] << 32;
        if (here < total[type])
            return orr_fail(
                ORR_EINPUT,
                "%s: %" PRIu64 " of %" PRIu64
                " bodies of the snapshot: so many of type %d are here and in "
                "NumPart_Total, though NumFilesPerSnapshot is %d; where are the others?",
                r->path, here, total[type], type, s->count);
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

/* Allocated early, what was never written reads as zeros, and no library can tell. */
static void doubt_zeros(struct orr_bodies *out)
{
    size_t zeros = 0;
    for (size_t i = 0; i < out->n; i++)
        zeros += out->pos[0][i] == 0 && out->pos[1][i] == 0 && out->pos[2][i] == 0;
    if (zeros > 1)
        orr_bodies_note(out, "%zu bodies lie at 0, 0, 0: were their Coordinates ever written?",
                        zeros);
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
    size_t total = 0, here;
    int code = check_moments(s);
    for (int k = 0; k < s->count && !code; k++) {
        code = count_bodies(&s->parts[k], &here);
        total += code ? 0 : here;
    }
    if (!code && !total)
        code = orr_fail(ORR_EINPUT, "%s holds no bodies (NumPart_ThisFile is 0 for every type)",
                        r->path);
    if (!code)
        code = check_totals(s);
    if (!code)
        code = orr_bodies_make(out, total, r->dimensions);
    if (!code)
        code = orr_bodies_add_types(out);
    if (!code)
        code = orr_bodies_add_ids(out);
    if (!code)
        code = read_bodies(s, out);
    if (code)
        return code;
    for (size_t i = 0; i < total && out->dimensions == 2; i++)
        out->pos[2][i] = out->vel[2][i] = 0;
    doubt_zeros(out);
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
