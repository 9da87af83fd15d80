/* Writing HDF5: snapshots as Gadget's particle types, in floats when that loses nothing, and tables
 * of accelerations. */
#ifdef ORR_HAVE_HDF5
#include "datasets/formats/hdf5_common.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

struct writer {
    const struct orr_bodies *bodies;
    struct orr_output *to;
    hid_t file, group;
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

/* An attribute of `count` values, or a scalar when count is 0. */
static int write_attribute(const struct writer *w, const char *name, hid_t stored, hid_t given,
                           hsize_t count, const void *values)
{
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

static int write_header(const struct writer *w, bool in_doubles)
{
    uint64_t n = w->bodies->n, here[ORR_BODY_TYPES];
    uint32_t low[ORR_BODY_TYPES], high[ORR_BODY_TYPES];
    const double masses[6] = {0};
    count_types(w->bodies, here);
    for (int k = 0; k < ORR_BODY_TYPES; k++)
        low[k] = (uint32_t)here[k], high[k] = (uint32_t)(here[k] >> 32);
    int code =
        write_attribute(w, "NumPart_ThisFile", n > UINT32_MAX ? H5T_STD_U64LE : H5T_STD_U32LE,
                        H5T_NATIVE_UINT64, 6, here);
    if (!code)
        code = write_attribute(w, "NumPart_Total", H5T_STD_U32LE, H5T_NATIVE_UINT32, 6, low);
    if (!code)
        code =
            write_attribute(w, "NumPart_Total_HighWord", H5T_STD_U32LE, H5T_NATIVE_UINT32, 6, high);
    if (!code)
        code = write_attribute(w, "MassTable", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 6, masses);
    static const char *const zeros[] = {"Time", "Redshift", "BoxSize", "Omega0", "OmegaLambda"};
    for (int k = 0; k < 5 && !code; k++)
        code = write_double(w, zeros[k], 0);
    if (!code)
        code = write_double(w, "HubbleParam", 1);
    if (!code)
        code = write_int(w, "NumFilesPerSnapshot", 1);
    if (!code)
        code = write_int(w, "Flag_DoublePrecision", in_doubles);
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
    (void)from, (void)columns;
    for (hsize_t i = 0; i < rows; i++)
        ((uint64_t *)w->slab)[i] = start + i + 1;
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
};

/* What pynbody and others look for beside an array. */
static int describe(struct writer *w, hid_t set, const struct array *a)
{
    hid_t group = w->group, text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, strlen(a->unit) + 1);
    w->group = set; /* attributes go to either */
    int code = write_attribute(w, "VarDescription", text, text, 0, a->unit);
    if (!code)
        code = write_double(w, "CGSConversionFactor", a->cgs);
    if (!code)
        code = write_double(w, "aexp-scale-exponent", 0);
    if (!code)
        code = write_double(w, "h-scale-exponent", 0);
    w->group = group;
    H5Tclose(text);
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
        code = describe(w, set, a);
    if (set >= 0 && H5Dclose(set) < 0 && !code)
        code = write_failed(w);
    H5Sclose(space);
    return code;
}

/* `count` bodies from `first` on. */
static int write_particles(struct writer *w, bool in_doubles, hsize_t first, hsize_t count)
{
    const struct orr_bodies *b = w->bodies;
    hid_t stored = in_doubles ? H5T_IEEE_F64LE : H5T_IEEE_F32LE;
    const struct array arrays[] = {
        {"Coordinates", stored, H5T_NATIVE_DOUBLE, count, 3, fill_doubles, b->pos, "U_L", KPC_CM,
         first},
        {"Velocities", stored, H5T_NATIVE_DOUBLE, count, 3, fill_doubles, b->vel, "U_V",
         VELOCITY_CM_S, first},
        {"Masses", stored, H5T_NATIVE_DOUBLE, count, 1, fill_doubles, &b->mass, "U_M", MASS_G,
         first},
        {"ParticleIDs", b->n > UINT32_MAX ? H5T_STD_U64LE : H5T_STD_U32LE, H5T_NATIVE_UINT64, count,
         1, fill_ids, NULL, "number", 1, first},
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
    w->group = H5Gcreate2(w->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
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

static int write_snapshot(struct writer *w)
{
    bool in_doubles = !floats_suffice(w->bodies);
    uint64_t counts[ORR_BODY_TYPES];
    hsize_t first = 0;
    count_types(w->bodies, counts);
    int code = enter(w, "/Header");
    if (!code)
        code = write_header(w, in_doubles);
    if (!code)
        code = enter(w, "/Units");
    if (!code)
        code = write_units(w);
    for (int type = 0; type < ORR_BODY_TYPES && !code; first += counts[type++]) {
        char name[32];
        snprintf(name, sizeof name, "/PartType%d", type);
        if (counts[type] && !(code = enter(w, name)))
            code = write_particles(w, in_doubles, first, counts[type]);
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
    *w = (struct writer){
        .to = to, .file = -1, .group = -1, .slab = malloc(sizeof(double) * 3 * ORR_HDF5_SLAB)};
    if (!w->slab)
        return orr_fail(ORR_EMEMORY, "no memory to write %s", to->target);
    if (to->in_place)
        return orr_fail(ORR_EIO, "cannot write HDF5 to %s: it is no plain file", to->target);
    int code = orr_output_open(to); /* a file of our own, which HDF5 then empties */
    if (code)
        return code;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
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
    free(w->slab);
    return code;
}

int orr_hdf5_write(const struct orr_bodies *bodies, struct orr_output *to)
{
    struct writer w;
    int code = open_file(&w, to);
    w.bodies = bodies;
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
    for (int c = 0; c < table->count && !code; c++) {
        struct array column = {.name = table->names[c],
                               .stored = H5T_IEEE_F32LE,
                               .given = H5T_NATIVE_FLOAT,
                               .rows = table->n,
                               .columns = 1,
                               .fill = fill_floats,
                               .from = table->values[c]};
        code = write_array(&w, &column);
    }
    return close_file(&w, code);
}
#else
typedef int orr_no_hdf5; /* a translation unit must declare something */
#endif
