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
    void *slab;
};

static int write_failed(const struct writer *w)
{
    return orr_fail(ORR_EIO, "cannot write %s: %s", w->to->target, orr_hdf5_reason());
}

/* Orrery's units have G = 1. Programs that want cgs are told some such units: kpc, 1e10 solar
 * masses and the velocity that goes with them. */
static const double KPC_CM = 3.0856775814913673e21, MASS_G = 1.98840987e43,
                    VELOCITY_CM_S = 2.073865297e+07;

/* An attribute of `count` values, or a scalar when count is 0, in the place of one that was carried
 * along. */
static int write_attribute(const struct writer *w, const char *name, hid_t stored, hid_t given,
                           hsize_t count, const void *values)
{
    if (H5Aexists(w->group, name) > 0)
        H5Adelete(w->group, name);
    hid_t space = count ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(w->group, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
    int code = attribute < 0 || H5Awrite(attribute, given, values) < 0 ? write_failed(w) : 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    H5Sclose(space);
    return code;
}

static int write_double(const struct writer *w, const char *name, double value)
{
    return write_attribute(w, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 0, &value);
}

static int write_int(const struct writer *w, const char *name, int value)
{
    return write_attribute(w, name, H5T_STD_I32LE, H5T_NATIVE_INT, 0, &value);
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
static int types_to_count(const struct writer *w, const uint64_t here[ORR_BODY_TYPES])
{
    uint64_t old[ORR_BODY_TYPES];
    int types = orr_hdf5_attribute(w->file, w->to->target, "/Header", "NumPart_ThisFile",
                                   H5T_NATIVE_UINT64, ORR_BODY_TYPES, old);
    if (types <= 0)
        types = 6;
    while (types < ORR_BODY_TYPES && here[types])
        types++;
    return types;
}

/* Counts and masses are of this file; what else was carried along stays. */
static int write_header(const struct writer *w, bool in_doubles)
{
    uint64_t n = w->bodies->n, here[ORR_BODY_TYPES];
    uint32_t low[ORR_BODY_TYPES], high[ORR_BODY_TYPES];
    const double masses[ORR_BODY_TYPES] = {0};
    count_types(w->bodies, here);
    const hsize_t types = (hsize_t)types_to_count(w, here);
    for (int k = 0; k < ORR_BODY_TYPES; k++)
        low[k] = (uint32_t)here[k], high[k] = (uint32_t)(here[k] >> 32);
    const hid_t u32 = H5T_STD_U32LE, u64 = H5T_STD_U64LE, f64 = H5T_IEEE_F64LE;
    int code = write_attribute(w, "NumPart_ThisFile", n > UINT32_MAX ? u64 : u32, H5T_NATIVE_UINT64,
                               types, here);
    if (!code)
        code = write_attribute(w, "NumPart_Total", u32, H5T_NATIVE_UINT32, types, low);
    if (!code)
        code = write_attribute(w, "NumPart_Total_HighWord", u32, H5T_NATIVE_UINT32, types, high);
    if (!code)
        code = write_attribute(w, "MassTable", f64, H5T_NATIVE_DOUBLE, types, masses);
    if (!code)
        code = write_int(w, "NumFilesPerSnapshot", 1);
    if (!code)
        code = write_int(w, "Flag_DoublePrecision", in_doubles);
    if (w->source >= 0)
        return code;
    static const char *const zeros[] = {"Redshift", "BoxSize", "Omega0", "OmegaLambda"};
    if (!code)
        code = write_double(w, "Time", w->bodies->time);
    for (int k = 0; k < 4 && !code; k++)
        code = write_double(w, zeros[k], 0);
    if (!code)
        code = write_double(w, "HubbleParam", 1);
    return code ? code : write_int(w, "Dimension", w->bodies->dimensions);
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
static int describe(struct writer *w, const struct array *a)
{
    hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, strlen(a->unit) + 1);
    int code = write_attribute(w, "VarDescription", text, text, 0, a->unit);
    if (!code)
        code = write_double(w, "CGSConversionFactor", a->cgs);
    if (!code)
        code = write_double(w, "aexp-scale-exponent", 0);
    if (!code)
        code = write_double(w, "h-scale-exponent", 0);
    H5Tclose(text);
    return code;
}

static herr_t carry_attribute(hid_t from, const char *name, const H5A_info_t *info, void *writer)
{
    const struct writer *w = writer;
    hid_t attribute = H5Aopen(from, name, H5P_DEFAULT), type = H5Aget_type(attribute),
          space = H5Aget_space(attribute);
    hssize_t values = H5Sget_simple_extent_npoints(space);
    void *bytes = orr_memory_get(H5Tget_size(type) * (size_t)(values > 0 ? values : 1));
    hid_t copy = H5Aread(attribute, type, bytes) < 0
                     ? -1
                     : H5Acreate2(w->group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    herr_t code = copy < 0 ? -1 : H5Awrite(copy, type, bytes);
    (void)info;
    if (H5Tdetect_class(type, H5T_VLEN) > 0 || H5Tis_variable_str(type) > 0)
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, bytes);
    free(bytes);
    if (copy >= 0)
        H5Aclose(copy);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return code < 0 ? -1 : 0;
}

/* Of an array of the source: its units, as each code describes them. */
static int carry_attributes(struct writer *w, const char *group, const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", group, name);
    if (H5Lexists(w->source, group, H5P_DEFAULT) <= 0 ||
        H5Lexists(w->source, path, H5P_DEFAULT) <= 0)
        return 0;
    hid_t from = H5Oopen(w->source, path, H5P_DEFAULT);
    int code =
        from < 0 || H5Aiterate2(from, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, carry_attribute, w) < 0
            ? write_failed(w)
            : 0;
    if (from >= 0)
        H5Oclose(from);
    return code;
}

/* Attributes go to a data set as to a group. */
static int write_attributes(struct writer *w, hid_t set, const struct array *a)
{
    hid_t group = w->group;
    w->group = set;
    int code = w->source < 0 ? describe(w, a) : carry_attributes(w, a->group, a->name);
    w->group = group;
    return code;
}

static int write_slabs(const struct writer *w, const struct array *a, hid_t set, hid_t space)
{
    int code = 0;
    for (hsize_t done = 0; done < a->rows && !code; done += ORR_HDF5_SLAB) {
        hsize_t left = a->rows - done, rows = left < ORR_HDF5_SLAB ? left : ORR_HDF5_SLAB;
        hsize_t offset[2] = {done, 0}, size[2] = {rows, a->columns}, flat = rows * a->columns;
        a->fill(w, a->from, a->first + done, rows, a->columns);
        hid_t memory = H5Screate_simple(1, &flat, NULL);
        if (H5Sselect_hyperslab(space, H5S_SELECT_SET, offset, NULL, size, NULL) < 0 ||
            H5Dwrite(set, a->given, memory, space, H5P_DEFAULT, w->slab) < 0)
            code = write_failed(w);
        H5Sclose(memory);
    }
    return code;
}

static int write_array(struct writer *w, const struct array *a)
{
    hsize_t size[2] = {a->rows, a->columns};
    hid_t space = H5Screate_simple(a->columns > 1 ? 2 : 1, size, NULL);
    hid_t set =
        H5Dcreate2(w->group, a->name, a->stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    int code = set < 0 ? write_failed(w) : write_slabs(w, a, set, space);
    if (!code && a->unit)
        code = write_attributes(w, set, a);
    if (set >= 0 && H5Dclose(set) < 0 && !code)
        code = write_failed(w);
    H5Sclose(space);
    return code;
}

static bool ids_need_64_bits(const struct orr_bodies *b)
{
    for (size_t i = 0; b->id && i < b->n; i++)
        if (b->id[i] > UINT32_MAX)
            return true;
    return b->n > UINT32_MAX;
}

/* `count` bodies from `first` on. */
static int write_particles(struct writer *w, const char *group, bool in_doubles, hsize_t first,
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
    int code = 0;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays && !code; k++)
        code = write_array(w, &arrays[k]);
    return code;
}

static int enter(struct writer *w, const char *name)
{
    if (w->group >= 0)
        H5Gclose(w->group);
    w->group = H5Lexists(w->file, name, H5P_DEFAULT) > 0
                   ? H5Gopen2(w->file, name, H5P_DEFAULT)
                   : H5Gcreate2(w->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return w->group < 0 ? write_failed(w) : 0;
}

static int write_units(const struct writer *w)
{
    int code = write_double(w, "UnitLength_in_cm", KPC_CM);
    if (!code)
        code = write_double(w, "UnitMass_in_g", MASS_G);
    if (!code)
        code = write_double(w, "UnitVelocity_in_cm_per_s", VELOCITY_CM_S);
    return code ? code : write_double(w, "UnitTime_in_s", KPC_CM / VELOCITY_CM_S);
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
static int write_about(struct writer *w, bool in_doubles)
{
    int code = 0;
    if (w->source >= 0 &&
        H5Literate(w->source, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, carry_group, w) < 0)
        code = write_failed(w);
    if (!code)
        code = enter(w, "/Header");
    if (!code)
        code = write_header(w, in_doubles);
    if (code || w->source >= 0)
        return code;
    code = enter(w, "/Units");
    return code ? code : write_units(w);
}

static int write_snapshot(struct writer *w)
{
    bool in_doubles = !floats_suffice(w->bodies);
    uint64_t counts[ORR_BODY_TYPES];
    hsize_t first = 0;
    count_types(w->bodies, counts);
    int code = write_about(w, in_doubles);
    for (int type = 0; type < ORR_BODY_TYPES && !code; first += counts[type++]) {
        char name[32];
        snprintf(name, sizeof name, "/PartType%d", type);
        if (counts[type] && !(code = enter(w, name)))
            code = write_particles(w, name, in_doubles, first, counts[type]);
    }
    if (!code)
        code = enter(w, "/Orrery"); /* what Gadget has no place for; other programs pass over it */
    if (!code)
        code = write_double(w, "Softening", w->bodies->eps);
    return code ? code : write_double(w, "TimeStep", w->bodies->dt);
}

static int open_file(struct writer *w, struct orr_output *to)
{
    orr_hdf5_quiet();
    *w = (struct writer){.to = to,
                         .file = -1,
                         .group = -1,
                         .source = -1,
                         .slab = malloc(sizeof(double) * 3 * ORR_HDF5_SLAB)};
    if (!w->slab)
        return orr_fail(ORR_EMEMORY, "no memory to write %s", to->target);
    if (to->in_place)
        return orr_fail(ORR_EIO, "cannot write HDF5 to %s: it is no plain file", to->target);
    int code = orr_output_open(to); /* a file of our own, which HDF5 then empties */
    if (code)
        return code;
    hid_t access = orr_hdf5_own_access();
    H5Pset_fclose_degree(
        access, H5F_CLOSE_STRONG); /* closing the file closes whatever an error left open */
    w->file = H5Fcreate(to->path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    code = w->file < 0 ? write_failed(w) : 0; /* before another call clears the reason */
    H5Pclose(access);
    return code;
}

static int close_file(struct writer *w, int code)
{
    if (w->group >= 0)
        H5Gclose(w->group);
    if (w->file >= 0 && H5Fclose(w->file) < 0 && !code)
        code = write_failed(w);
    if (w->source >= 0)
        H5Fclose(w->source);
    free(w->slab);
    return code;
}

int orr_hdf5_write(const struct orr_bodies *bodies, struct orr_output *to)
{
    struct writer w;
    int code = open_file(&w, to);
    w.bodies = bodies;
    if (!code && bodies->source) {
        w.source = orr_hdf5_open(bodies->source);
        code = w.source < 0 ? orr_error_code() : 0;
    }
    return close_file(&w, code ? code : write_snapshot(&w));
}

static int write_text(const struct writer *w, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text));
    int code = write_attribute(w, name, type, type, 0, text);
    H5Tclose(type);
    return code;
}

int orr_hdf5_write_table(const struct orr_table *table, struct orr_output *to)
{
    struct writer w;
    int code = open_file(&w, to);
    if (!code)
        w.group = H5Gopen2(w.file, "/", H5P_DEFAULT);
    if (!code && table->words)
        code = write_text(&w, "sum", table->words->sum);
    for (int c = 0; c < table->count && !code; c++)
        code = write_array(&w, &(struct array){.name = table->names[c],
                                               .stored = H5T_IEEE_F32LE,
                                               .given = H5T_NATIVE_FLOAT,
                                               .rows = table->n,
                                               .columns = 1,
                                               .fill = fill_floats,
                                               .from = table->values[c]});
    if (!code && table->types)
        code = write_array(&w, &(struct array){.name = "type",
                                               .stored = H5T_STD_U8LE,
                                               .given = H5T_NATIVE_UCHAR,
                                               .rows = table->n,
                                               .columns = 1,
                                               .fill = fill_types,
                                               .from = table->types});
    if (!code && table->ids)
        code = write_array(&w, &(struct array){.name = "ParticleIDs",
                                               .stored = H5T_STD_U64LE,
                                               .given = H5T_NATIVE_UINT64,
                                               .rows = table->n,
                                               .columns = 1,
                                               .fill = fill_ids,
                                               .from = table->ids});
    return close_file(&w, code);
}
#else
typedef int orr_no_hdf5; /* a translation unit must declare something */
#endif
