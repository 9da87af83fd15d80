/* Writing HDF5: snapshots as Gadget's particle types, in floats when that loses nothing, and tables
 * of accelerations. */
#ifdef ORR_HAVE_HDF5
#include "datasets/formats/hdf5_common.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"

struct writer {
    const struct orr_bodies *bodies;
    struct orr_output *to;
    hid_t file, group;
    hid_t source; /* file whose header, units and attributes are carried along; -1: none */
    int code;     /* of the first failure, after which nothing more is done */
    void *slab;
};

static void fail(struct writer *w)
{
    if (!w->code)
        w->code = orr_fail(ORR_EIO, "cannot write %s: %s", w->to->target, orr_hdf5_reason());
}

/* Orrery's units have G = 1. Programs that want cgs are told some such units: kpc, 1e10 solar
 * masses and the velocity that goes with them. */
static const double KPC_CM = 3.0856775814913673e21, MASS_G = 1.98840987e43,
                    VELOCITY_CM_S = 2.073865297e+07;

/* An attribute of `count` values, or a scalar when count is 0, in the place of one that was carried
 * along. */
static void write_attribute(struct writer *w, const char *name, hid_t stored, hid_t given,
                            hsize_t count, const void *values)
{
    if (w->code)
        return;
    if (H5Aexists(w->group, name) > 0)
        H5Adelete(w->group, name);
    hid_t space = count ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(w->group, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0 || H5Awrite(attribute, given, values) < 0)
        fail(w);
    if (attribute >= 0)
        H5Aclose(attribute);
    H5Sclose(space);
}

static void write_double(struct writer *w, const char *name, double value)
{
    write_attribute(w, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 0, &value);
}

static void write_int(struct writer *w, const char *name, int value)
{
    write_attribute(w, name, H5T_STD_I32LE, H5T_NATIVE_INT, 0, &value);
}

static void write_text(struct writer *w, const char *name, const char *text, size_t size)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size);
    write_attribute(w, name, type, type, 0, text);
    H5Tclose(type);
}

static bool floats_suffice(const struct orr_bodies *bodies)
{
    for (int k = 0; k < ORR_COLUMNS; k++) {
        const double *values = orr_bodies_column(bodies, k);
        for (size_t i = 0; i < bodies->n; i++)
            if ((double)(float)values[i] != values[i])
                return false;
    }
    return true;
}

/* Bodies of each type: they stand one behind another. */
static void count_types(const struct orr_bodies *bodies, uint64_t counts[ORR_BODY_TYPES])
{
    memset(counts, 0, ORR_BODY_TYPES * sizeof *counts);
    if (!bodies->type)
        counts[ORR_DARK] = bodies->n;
    for (size_t i = 0; bodies->type && i < bodies->n; i++)
        counts[bodies->type[i]]++;
}

/* As many as the header that was carried along counts, and the bodies have. */
static hsize_t types_to_count(const struct writer *w, const uint64_t here[ORR_BODY_TYPES])
{
    uint64_t old[ORR_BODY_TYPES];
    int types = orr_hdf5_attribute(w->file, w->to->target, "/Header", "NumPart_ThisFile",
                                   H5T_NATIVE_UINT64, ORR_BODY_TYPES, old);
    types = types > 0 ? types : 6;
    for (int k = types; k < ORR_BODY_TYPES; k++)
        types = here[k] ? k + 1 : types;
    return (hsize_t)types;
}

/* Counts and masses are of this file; what else was carried along stays. */
static void write_header(struct writer *w, bool in_doubles)
{
    uint64_t here[ORR_BODY_TYPES];
    uint32_t low[ORR_BODY_TYPES], high[ORR_BODY_TYPES];
    const double masses[ORR_BODY_TYPES] = {0};
    count_types(w->bodies, here);
    for (int k = 0; k < ORR_BODY_TYPES; k++)
        low[k] = (uint32_t)here[k], high[k] = (uint32_t)(here[k] >> 32);
    const hsize_t types = types_to_count(w, here);
    const hid_t u32 = H5T_STD_U32LE, counts = w->bodies->n > UINT32_MAX ? H5T_STD_U64LE : u32;
    write_attribute(w, "NumPart_ThisFile", counts, H5T_NATIVE_UINT64, types, here);
    write_attribute(w, "NumPart_Total", u32, H5T_NATIVE_UINT32, types, low);
    write_attribute(w, "NumPart_Total_HighWord", u32, H5T_NATIVE_UINT32, types, high);
    write_attribute(w, "MassTable", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, types, masses);
    write_int(w, "NumFilesPerSnapshot", 1);
    write_int(w, "Flag_DoublePrecision", in_doubles);
    if (!w->code && H5Aexists(w->group, "Virtual") > 0) /* of SWIFT */
        write_int(w, "Virtual", 0);
    if (w->source >= 0)
        return;
    static const char *const zeros[] = {"Redshift", "BoxSize", "Omega0", "OmegaLambda"};
    for (int k = 0; k < 4; k++)
        write_double(w, zeros[k], 0);
    write_double(w, "Time", w->bodies->time);
    write_double(w, "HubbleParam", 1);
    write_int(w, "Dimension", w->bodies->dimensions);
}

/* Fills the slab with rows start ... start + rows - 1, `columns` values each. */
typedef void fill_rows(const struct writer *w, const void *from, hsize_t start, hsize_t rows,
                       hsize_t columns);

static void fill_doubles(const struct writer *w, const void *from, hsize_t start, hsize_t rows,
                         hsize_t columns)
{
    double *const *arrays = from;
    double *slab = w->slab;
    for (hsize_t i = 0; i < rows; i++)
        for (hsize_t c = 0; c < columns; c++)
            *slab++ = arrays[c][start + i];
}

static void fill_floats(const struct writer *w, const void *from, hsize_t start, hsize_t rows,
                        hsize_t columns)
{
    const float *values = from;
    (void)columns;
    for (hsize_t i = 0; i < rows; i++)
        ((float *)w->slab)[i] = values[start + i];
}

static void fill_ids(const struct writer *w, const void *from, hsize_t start, hsize_t rows,
                     hsize_t columns)
{
    const uint64_t *ids = from;
    (void)columns;
    for (hsize_t i = 0; i < rows; i++)
        ((uint64_t *)w->slab)[i] = ids ? ids[start + i] : start + i + 1;
}

static void fill_types(const struct writer *w, const void *from, hsize_t start, hsize_t rows,
                       hsize_t columns)
{
    (void)columns;
    memcpy(w->slab, (const unsigned char *)from + start, rows);
}

struct array {
    const char *name;
    hid_t stored, given;
    hsize_t rows, columns;
    fill_rows *fill;
    const void *from;
    const char *unit; /* as Gadget describes it; NULL: of a table, which has none */
    double cgs;
    hsize_t first; /* row of the bodies */
    const char *group;
};

/* What pynbody and others look for beside an array. */
static void describe(struct writer *w, const struct array *a)
{
    write_text(w, "VarDescription", a->unit, strlen(a->unit) + 1);
    write_double(w, "CGSConversionFactor", a->cgs);
    write_double(w, "aexp-scale-exponent", 0);
    write_double(w, "h-scale-exponent", 0);
}

/* But references, which lead nowhere in another file. */
static herr_t carry_attribute(hid_t from, const char *name, const H5A_info_t *info, void *writer)
{
    struct writer *w = writer;
    hid_t attribute = H5Aopen(from, name, H5P_DEFAULT), stored = H5Aget_type(attribute),
          space = H5Aget_space(attribute), type = H5Tcopy(stored);
    const hssize_t values = H5Sget_simple_extent_npoints(space);
    void *bytes = orr_memory_get(H5Tget_size(type) * (size_t)(values > 0 ? values : 1));
    (void)info;
    if (H5Tdetect_class(type, H5T_REFERENCE) <= 0) {
        hid_t copy = H5Aread(attribute, type, bytes) < 0
                         ? -1
                         : H5Acreate2(w->group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
        if (copy < 0 || H5Awrite(copy, type, bytes) < 0)
            fail(w);
        if (copy >= 0)
            H5Aclose(copy);
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, bytes);
    }
    free(bytes);
    H5Sclose(space);
    H5Tclose(type);
    H5Tclose(stored);
    H5Aclose(attribute);
    return w->code ? -1 : 0;
}

/* Of an array of the source: its units, as each code describes them. */
static void carry_attributes(struct writer *w, const char *group, const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", group, name);
    if (H5Lexists(w->source, group, H5P_DEFAULT) <= 0 ||
        H5Lexists(w->source, path, H5P_DEFAULT) <= 0)
        return;
    hid_t from = H5Oopen(w->source, path, H5P_DEFAULT);
    if (from < 0 || H5Aiterate2(from, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, carry_attribute, w) < 0)
        fail(w);
    if (from >= 0)
        H5Oclose(from);
}

/* Attributes go to a data set as to a group. */
static void write_attributes(struct writer *w, hid_t set, const struct array *a)
{
    hid_t group = w->group;
    w->group = set;
    if (w->source < 0)
        describe(w, a);
    else
        carry_attributes(w, a->group, a->name);
    w->group = group;
}

static void write_slabs(struct writer *w, const struct array *a, hid_t set, hid_t space)
{
    for (hsize_t done = 0; done < a->rows && !w->code; done += ORR_HDF5_SLAB) {
        hsize_t left = a->rows - done, rows = left < ORR_HDF5_SLAB ? left : ORR_HDF5_SLAB;
        hsize_t offset[2] = {done, 0}, size[2] = {rows, a->columns}, flat = rows * a->columns;
        a->fill(w, a->from, a->first + done, rows, a->columns);
        hid_t memory = H5Screate_simple(1, &flat, NULL);
        if (H5Sselect_hyperslab(space, H5S_SELECT_SET, offset, NULL, size, NULL) < 0 ||
            H5Dwrite(set, a->given, memory, space, H5P_DEFAULT, w->slab) < 0)
            fail(w);
        H5Sclose(memory);
    }
}

static void write_array(struct writer *w, const struct array *a)
{
    if (w->code)
        return;
    hsize_t size[2] = {a->rows, a->columns};
    hid_t space = H5Screate_simple(a->columns > 1 ? 2 : 1, size, NULL);
    hid_t set =
        H5Dcreate2(w->group, a->name, a->stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (set < 0)
        fail(w);
    else
        write_slabs(w, a, set, space);
    if (!w->code && a->unit)
        write_attributes(w, set, a);
    if (set >= 0 && H5Dclose(set) < 0)
        fail(w);
    H5Sclose(space);
}

static bool ids_need_64_bits(const struct orr_bodies *b)
{
    for (size_t i = 0; b->id && i < b->n; i++)
        if (b->id[i] > UINT32_MAX)
            return true;
    return b->n > UINT32_MAX;
}

/* `count` bodies from `first` on. */
static void write_particles(struct writer *w, const char *group, bool in_doubles, hsize_t first,
                            hsize_t count)
{
    const struct orr_bodies *b = w->bodies;
    hid_t stored = in_doubles ? H5T_IEEE_F64LE : H5T_IEEE_F32LE;
    const struct array arrays[] = {
        {"Coordinates", stored, H5T_NATIVE_DOUBLE, count, 3, fill_doubles, b->pos, "U_L", KPC_CM,
         first, group},
        {"Velocities", stored, H5T_NATIVE_DOUBLE, count, 3, fill_doubles, b->vel, "U_V",
         VELOCITY_CM_S, first, group},
        {"Masses", stored, H5T_NATIVE_DOUBLE, count, 1, fill_doubles, &b->mass, "U_M", MASS_G,
         first, group},
        {"ParticleIDs", ids_need_64_bits(b) ? H5T_STD_U64LE : H5T_STD_U32LE, H5T_NATIVE_UINT64,
         count, 1, fill_ids, b->id, "number", 1, first, group},
    };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        write_array(w, &arrays[k]);
}

static void enter(struct writer *w, const char *name)
{
    if (w->code)
        return;
    if (w->group >= 0)
        H5Gclose(w->group);
    w->group = H5Lexists(w->file, name, H5P_DEFAULT) > 0
                   ? H5Gopen2(w->file, name, H5P_DEFAULT)
                   : H5Gcreate2(w->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (w->group < 0)
        fail(w);
}

/* Looks for a data set in all that hard links lead to; *left: objects to look at, for links may go
 * round. 1 ends it. */
static herr_t find_array(hid_t at, const char *name, const H5L_info_t *link, void *left)
{
    if (link->type != H5L_TYPE_HARD)
        return 0;
    hid_t object = H5Oopen(at, name, H5P_DEFAULT);
    const H5I_type_t type = H5Iget_type(object);
    herr_t found = object < 0 || type == H5I_DATASET || --*(int *)left < 0;
    if (!found && type == H5I_GROUP)
        found = H5Literate(object, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, find_array, left);
    if (object >= 0)
        H5Oclose(object);
    return found;
}

/* A group of attributes alone says something of the snapshot as a whole: /Header, /Parameters,
 * /Units, /Cosmology, /Code ... */
static herr_t carry_group(hid_t from, const char *name, const H5L_info_t *link, void *writer)
{
    const struct writer *w = writer;
    int left = 1000;
    if (link->type != H5L_TYPE_HARD || !strncmp(name, "PartType", 8) || !strcmp(name, "Orrery") ||
        find_array(from, name, link, &left))
        return 0;
    return H5Ocopy(from, name, w->file, name, H5P_DEFAULT, H5P_DEFAULT) < 0 ? -1 : 0;
}

/* The header and the units of the file that the bodies come from, or else our own. */
static void write_about(struct writer *w, bool in_doubles)
{
    if (w->source >= 0 &&
        H5Literate(w->source, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, carry_group, w) < 0)
        fail(w);
    enter(w, "/Header");
    write_header(w, in_doubles);
    if (w->source >= 0)
        return;
    enter(w, "/Units");
    write_double(w, "UnitLength_in_cm", KPC_CM);
    write_double(w, "UnitMass_in_g", MASS_G);
    write_double(w, "UnitVelocity_in_cm_per_s", VELOCITY_CM_S);
    write_double(w, "UnitTime_in_s", KPC_CM / VELOCITY_CM_S);
}

static void write_snapshot(struct writer *w)
{
    bool in_doubles = !floats_suffice(w->bodies);
    uint64_t counts[ORR_BODY_TYPES];
    hsize_t first = 0;
    count_types(w->bodies, counts);
    write_about(w, in_doubles);
    for (int type = 0; type < ORR_BODY_TYPES; first += counts[type++]) {
        char name[32];
        snprintf(name, sizeof name, "/PartType%d", type);
        if (!counts[type])
            continue;
        enter(w, name);
        write_particles(w, name, in_doubles, first, counts[type]);
    }
    enter(w, "/Orrery"); /* what Gadget has no place for; other programs pass over it */
    write_double(w, "Softening", w->bodies->eps);
    write_double(w, "TimeStep", w->bodies->dt);
}

static void open_file(struct writer *w, struct orr_output *to)
{
    orr_hdf5_quiet();
    *w = (struct writer){.to = to,
                         .file = -1,
                         .group = -1,
                         .source = -1,
                         .slab = malloc(sizeof(double) * 3 * ORR_HDF5_SLAB)};
    if (!w->slab)
        w->code = orr_fail(ORR_EMEMORY, "no memory to write %s", to->target);
    else if (to->in_place)
        w->code = orr_fail(ORR_EIO, "cannot write HDF5 to %s: it is no plain file", to->target);
    else
        w->code = orr_output_open(to); /* a file of our own, which HDF5 then empties */
    if (w->code)
        return;
    hid_t access = orr_hdf5_own_access();
    H5Pset_fclose_degree(
        access, H5F_CLOSE_STRONG); /* closing the file closes whatever an error left open */
    w->file = H5Fcreate(to->path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    if (w->file < 0)
        fail(w); /* before another call clears the reason */
    H5Pclose(access);
}

static int close_file(struct writer *w)
{
    if (w->group >= 0)
        H5Gclose(w->group);
    if (w->file >= 0 && H5Fclose(w->file) < 0)
        fail(w);
    if (w->source >= 0)
        H5Fclose(w->source);
    free(w->slab);
    return w->code;
}

int orr_hdf5_write(const struct orr_bodies *bodies, struct orr_output *to)
{
    struct writer w;
    open_file(&w, to);
    w.bodies = bodies;
    if (!w.code && bodies->source) {
        w.source = orr_hdf5_open(bodies->source);
        w.code = w.source < 0 ? orr_error_failed() : 0;
    }
    if (!w.code)
        write_snapshot(&w);
    return close_file(&w);
}

/* A column of a table. */
static void write_column(struct writer *w, const char *name, hid_t stored, hid_t given, size_t n,
                         fill_rows *fill, const void *from)
{
    if (from)
        write_array(w, &(struct array){.name = name,
                                       .stored = stored,
                                       .given = given,
                                       .rows = n,
                                       .columns = 1,
                                       .fill = fill,
                                       .from = from});
}

int orr_hdf5_write_table(const struct orr_table *table, struct orr_output *to)
{
    struct writer w;
    open_file(&w, to);
    if (!w.code)
        w.group = H5Gopen2(w.file, "/", H5P_DEFAULT);
    if (table->words)
        write_text(&w, "sum", table->words->sum, strlen(table->words->sum));
    for (int c = 0; c < table->count; c++)
        write_column(&w, table->names[c], H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, table->n, fill_floats,
                     table->values[c]);
    write_column(&w, "type", H5T_STD_U8LE, H5T_NATIVE_UCHAR, table->n, fill_types, table->types);
    write_column(&w, "ParticleIDs", H5T_STD_U64LE, H5T_NATIVE_UINT64, table->n, fill_ids,
                 table->ids);
    return close_file(&w);
}
#else
typedef int orr_no_hdf5; /* a translation unit must declare something */
#endif
