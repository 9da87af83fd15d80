/* Reading Gadget HDF5: PartType0 ... PartType5 merged in type order, then file order, of one file
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

enum { TYPES = ORR_BODY_TYPES, MOST_FILES = 4096 };

struct reader {
    const char *path;
    hid_t file;
    uint64_t bytes; /* of the file */
    uint64_t counts[TYPES];
    double mass_table[TYPES];
    int dimensions, files; /* of the snapshot */
    double expansion, period;
    double *slab;
};

/* Reads `count` values of an attribute as `type`. 1, 0 when it is not there, or a negative code. */
static int read_attribute(const struct reader *r, const char *group, const char *name, hid_t type,
                          hssize_t count, void *out)
{
    if (H5Lexists(r->file, group, H5P_DEFAULT) <= 0 ||
        H5Aexists_by_name(r->file, group, name, H5P_DEFAULT) <= 0)
        return 0;
    int code = 1;
    hid_t attribute = H5Aopen_by_name(r->file, group, name, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    hssize_t length = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    if (length >= 0 && length != count)
        code = orr_fail(ORR_EINPUT, "%s: attribute %s of %s has %lld values, not %lld", r->path,
                        name, group, (long long)length, (long long)count);
    else if (length < 0 || H5Aread(attribute, type, out) < 0)
        code = orr_fail(ORR_EINPUT, "%s: cannot read attribute %s of %s: %s", r->path, name, group,
                        orr_hdf5_reason());
    if (space >= 0)
        H5Sclose(space);
    if (attribute >= 0)
        H5Aclose(attribute);
    return code;
}

static int read_header(struct reader *r)
{
    int dimensions = 3;
    double hubble = 0, time = 0, redshift = 0;
    r->files = 1;
    int found =
        read_attribute(r, "/Header", "NumPart_ThisFile", H5T_NATIVE_UINT64, TYPES, r->counts);
    if (!found)
        found = orr_fail(ORR_EINPUT,
                         "%s: no attribute NumPart_ThisFile in /Header; is it a Gadget snapshot?",
                         r->path);
    if (found > 0)
        found = read_attribute(r, "/Header", "MassTable", H5T_NATIVE_DOUBLE, TYPES, r->mass_table);
    if (found >= 0)
        found = read_attribute(r, "/Header", "NumFilesPerSnapshot", H5T_NATIVE_INT, 1, &r->files);
    if (found >= 0)
        found = read_attribute(r, "/Header", "Dimension", H5T_NATIVE_INT, 1, &dimensions);
    if (found < 0)
        return found;
    if (dimensions != 2 && dimensions != 3)
        return orr_fail(ORR_EINPUT, "%s: /Header says %d dimensions; 2 or 3 can be read", r->path,
                        dimensions);
    r->dimensions = dimensions;
    /* What only a note depends on may have any form. */
    if (read_attribute(r, "/Header", "Omega0", H5T_NATIVE_DOUBLE, 1, &hubble) > 0 && hubble > 0 &&
        read_attribute(r, "/Header", "Time", H5T_NATIVE_DOUBLE, 1, &time) > 0 &&
        read_attribute(r, "/Header", "Redshift", H5T_NATIVE_DOUBLE, 1, &redshift) > 0 &&
        fabs(time * (1 + redshift) - 1) < 1e-3)
        r->expansion = time;
    if (read_attribute(r, "/Header", "BoxSize", H5T_NATIVE_DOUBLE, 1, &r->period) <= 0)
        r->period = 0;
    orr_error_clear();
    return 0;
}

/* G in the units of the file, where it names them. */
static double read_gravity(const struct reader *r)
{
    static const double G_CGS = 6.67430e-8;
    static const char *const names[] = {"UnitLength_in_cm", "UnitMass_in_g",
                                        "UnitVelocity_in_cm_per_s"};
    double units[3];
    for (int k = 0; k < 3; k++)
        if (read_attribute(r, "/Units", names[k], H5T_NATIVE_DOUBLE, 1, &units[k]) <= 0 ||
            !(units[k] > 0)) {
            orr_error_clear();
            return 0;
        }
    double gravity = G_CGS * units[1] / (units[0] * units[2] * units[2]);
    return isfinite(gravity) ? gravity : 0;
}

/* Rows and columns of an open data set; one column when it has rank 1. */
static int shape(const struct reader *r, hid_t set, const char *name, hsize_t out[2])
{
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space), code = 0;
    out[0] = out[1] = 1;
    if (rank < 1 || rank > 2 || type < 0 || H5Tget_class(type) != H5T_FLOAT)
        code =
            orr_fail(ORR_EINPUT, "%s: %s is no array of floats or doubles with one row a particle",
                     r->path, name);
    else
        H5Sget_simple_extent_dims(space, out, NULL);
    /* No compression gives more than a thousandfold: a bigger claim is a damaged file, and not
     * worth the memory. */
    if (!code && out[0] / 1024 > r->bytes)
        code = orr_fail(ORR_EINPUT, "%s: %s claims %" PRIu64 " rows in a file of %" PRIu64 " bytes",
                        r->path, name, (uint64_t)out[0], r->bytes);
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    return code;
}

/* Opens data set `name` of a type's group and checks that it has the rows the header promises. */
static int open_set(const struct reader *r, int type, const char *name, hid_t *set,
                    hsize_t *columns)
{
    char path[64];
    hsize_t size[2];
    snprintf(path, sizeof path, "/PartType%d/%s", type, name);
    *set = H5Dopen2(r->file, path, H5P_DEFAULT);
    if (*set < 0)
        return orr_fail(ORR_EINPUT,
                        "%s: no data set %s, though the header counts %" PRIu64
                        " particles of type %d",
                        r->path, path, r->counts[type], type);
    int code = shape(r, *set, path, size);
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

static int read_slab(const struct reader *r, hid_t set, hsize_t start, hsize_t rows,
                     hsize_t columns)
{
    hid_t from = H5Dget_space(set);
    hsize_t offset[2] = {start, 0}, size[2] = {rows, columns}, flat = rows * columns;
    hid_t memory = H5Screate_simple(1, &flat, NULL);
    int code = 0;
    if (H5Sselect_hyperslab(from, H5S_SELECT_SET, offset, NULL, size, NULL) < 0 ||
        H5Dread(set, H5T_NATIVE_DOUBLE, memory, from, H5P_DEFAULT, r->slab) < 0)
        code = orr_fail(ORR_EINPUT, "%s", orr_hdf5_reason()); /* before another call clears it */
    H5Sclose(memory);
    H5Sclose(from);
    return code;
}

/* Reads data set `name` of a type into `to[c]` from body `first` on; *columns: how many it must
 * have, 0 for 2 or 3. */
static int read_set(struct reader *r, int type, const char *name, hsize_t *columns,
                    double *const to[], size_t first)
{
    hid_t set;
    int code = open_set(r, type, name, &set, columns);
    if (code)
        return code;
    for (hsize_t done = 0; done < r->counts[type] && !code; done += ORR_HDF5_SLAB) {
        hsize_t left = r->counts[type] - done, rows = left < ORR_HDF5_SLAB ? left : ORR_HDF5_SLAB;
        code = read_slab(r, set, done, rows, *columns);
        if (code)
            orr_error_context("%s: cannot read /PartType%d/%s from row %" PRIu64 " on", r->path,
                              type, name, (uint64_t)done);
        for (hsize_t i = 0; i < rows && !code; i++)
            for (hsize_t c = 0; c < *columns; c++)
                to[c][first + done + i] = r->slab[i * *columns + c];
    }
    H5Dclose(set);
    return code;
}

static int read_masses(struct reader *r, struct orr_bodies *out, int type, size_t first)
{
    char path[64];
    hsize_t one = 1;
    snprintf(path, sizeof path, "/PartType%d/Masses", type);
    if (H5Lexists(r->file, path, H5P_DEFAULT) > 0)
        return read_set(r, type, "Masses", &one, &out->mass, first);
    if (r->mass_table[type] == 0)
        return orr_fail(ORR_EINPUT, "%s: no data set %s, and MassTable has no mass for type %d",
                        r->path, path, type);
    for (size_t i = 0; i < r->counts[type]; i++)
        out->mass[first + i] = r->mass_table[type];
    return 0;
}

static int read_type(struct reader *r, struct orr_bodies *out, int type, size_t first)
{
    hsize_t columns = 0;
    int code = read_set(r, type, "Coordinates", &columns, out->pos, first);
    char path[64];
    snprintf(path, sizeof path, "/PartType%d/Velocities", type);
    if (!code && H5Lexists(r->file, path, H5P_DEFAULT) > 0)
        code = read_set(r, type, "Velocities", &columns, out->vel, first);
    if (!code && columns == 2)
        out->dimensions = 2;
    return code ? code : read_masses(r, out, type, first);
}

/* Before anything is allocated for `total` bodies: every type's Coordinates must be there with the
 * right length. */
static int count_bodies(const struct reader *r, size_t *total)
{
    *total = 0;
    for (int type = 0; type < TYPES; type++) {
        char group[32];
        hid_t set;
        hsize_t columns = 0;
        snprintf(group, sizeof group, "/PartType%d", type);
        if (H5Lexists(r->file, group, H5P_DEFAULT) <= 0) {
            if (r->counts[type])
                return orr_fail(ORR_EINPUT,
                                "%s: no group %s, though the header counts %" PRIu64
                                " such particles",
                                r->path, group, r->counts[type]);
            continue;
        }
        if (!r->counts[type] && H5Lexists(r->file, strcat(group, "/Coordinates"), H5P_DEFAULT) <= 0)
            continue;
        int code = open_set(r, type, "Coordinates", &set, &columns);
        if (code)
            return code;
        H5Dclose(set);
        *total += r->counts[type];
    }
    return 0;
}

static int open_reader(struct reader *out, const char *path, double *slab)
{
    hsize_t bytes = 0;
    *out = (struct reader){.path = path, .slab = slab};
    out->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (out->file < 0)
        return orr_fail(ORR_EINPUT, "%s is no readable HDF5 file: %s", path, orr_hdf5_reason());
    H5Fget_filesize(out->file, &bytes);
    out->bytes = bytes;
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

static int open_parts(struct snapshot *s, const char *path, double *slab)
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

/* Type by type through all files, so that types do not fall. */
static int read_bodies(struct snapshot *s, struct orr_bodies *out)
{
    size_t first = 0;
    int code = 0;
    for (int type = 0; type < TYPES; type++)
        for (int k = 0; k < s->count && !code; k++) {
            struct reader *r = &s->parts[k];
            if (r->counts[type])
                code = read_type(r, out, type, first);
            for (size_t i = 0; i < r->counts[type] && !code; i++)
                out->type[first + i] = (unsigned char)type;
            first += r->counts[type];
        }
    return code;
}

static int read_snapshot(struct snapshot *s, struct orr_bodies *out)
{
    const struct reader *r = s->parts;
    size_t total = 0, here;
    int code = 0;
    for (int k = 0; k < s->count && !code; k++) {
        code = count_bodies(&s->parts[k], &here);
        total += code ? 0 : here;
    }
    if (!code)
        code = total
                   ? orr_bodies_make(out, total, r->dimensions)
                   : orr_fail(ORR_EINPUT,
                              "%s holds no bodies (NumPart_ThisFile is 0 for every type)", r->path);
    if (!code)
        code = orr_bodies_add_types(out);
    if (!code)
        code = read_bodies(s, out);
    if (code)
        return code;
    for (size_t i = 0; i < total && out->dimensions == 2; i++)
        out->pos[2][i] = out->vel[2][i] = 0;
    out->gravity = read_gravity(r);
    out->expansion = r->expansion;
    out->period = r->period;
    if (read_attribute(r, "/Orrery", "Softening", H5T_NATIVE_DOUBLE, 1, &out->eps) < 0 ||
        read_attribute(r, "/Orrery", "TimeStep", H5T_NATIVE_DOUBLE, 1, &out->dt) < 0)
        return orr_error_code();
    return 0;
}

int orr_hdf5_read(struct orr_bodies *out, const char *path)
{
    struct snapshot snapshot = {0};
    orr_hdf5_quiet();
    double *slab = malloc(sizeof(double) * 3 * ORR_HDF5_SLAB);
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
