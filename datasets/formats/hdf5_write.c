/* SPDX-License-Identifier: MIT */
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
    struct orr_bodies *bodies;
    struct orr_output *to;
    hid_t file, group; /* where attributes and arrays go */
    hid_t source;      /* file whose header, units, attributes and further arrays are carried along;
                          -1: none */
    bool is_whole;     /* that file alone holds all bodies */
    int code;          /* of the first failure, after which nothing more is done */
    char *left_out;    /* names of what is not carried along */
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
    ORR_HID space = count ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    ORR_HID attribute = H5Acreate2(w->group, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0 || H5Awrite(attribute, given, values) < 0)
        fail(w);
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
    ORR_HID type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size);
    write_attribute(w, name, type, type, 0, text);
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

/* --- what is carried along --- */

/* But references, which lead nowhere in another file. */
static herr_t carry_attribute(hid_t from, const char *name, const H5A_info_t *info, void *writer)
{
    struct writer *w = writer;
    ORR_HID attribute = H5Aopen(from, name, H5P_DEFAULT), type = H5Aget_type(attribute),
            space = H5Aget_space(attribute);
    const hssize_t values = H5Sget_simple_extent_npoints(space);
    (void)info;
    if (H5Tdetect_class(type, H5T_REFERENCE) > 0)
        return 0;
    void *bytes = orr_memory_get(H5Tget_size(type) * (size_t)(values > 0 ? values : 1));
    ORR_HID copy = H5Aread(attribute, type, bytes) < 0
                       ? -1
                       : H5Acreate2(w->group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (copy < 0 || H5Awrite(copy, type, bytes) < 0)
        fail(w);
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, bytes);
    free(bytes);
    return w->code ? -1 : 0;
}

static void leave_out(struct writer *w, hid_t from, const char *name)
{
    char group[64] = "";
    size_t used = w->left_out ? strlen(w->left_out) : 0, room = sizeof group + strlen(name) + 4;
    H5Iget_name(from, group, sizeof group);
    w->left_out = orr_memory_more(w->left_out, used + room);
    snprintf(w->left_out + used, room, "%s%s%s%s", used ? ", " : "", group,
             group[0] && group[1] ? "/" : "", name);
}

/* Arrays of the snapshot that Orrery reads and writes itself. */
static const char *const own[] = {"Coordinates", "Velocities", "Masses", "ParticleIDs"};

/* What else is known of the bodies holds for them in their new file, too, where its values lie in
 * the old one and in the same order. */
static herr_t carry_array(hid_t from, const char *name, const H5L_info_t *link, void *writer)
{
    struct writer *w = writer;
    for (int k = 0; k < 4; k++)
        if (!strcmp(name, own[k]))
            return 0;
    ORR_HID set =
        w->is_whole && link->type == H5L_TYPE_HARD ? H5Oopen(from, name, H5P_DEFAULT) : -1;
    ORR_HID how = set >= 0 && H5Iget_type(set) == H5I_DATASET ? H5Dget_create_plist(set) : -1;
    if (how < 0 || H5Pget_layout(how) == H5D_VIRTUAL || H5Pget_external_count(how) > 0)
        leave_out(w, from, name);
    else if (H5Ocopy(from, name, w->group, name, H5P_DEFAULT, H5P_DEFAULT) < 0)
        fail(w);
    return w->code ? -1 : 0;
}

/* Looks for a data set in all that hard links lead to; *left: objects to look at, for links may go
 * round. 1 ends it. */
static herr_t find_array(hid_t at, const char *name, const H5L_info_t *link, void *left)
{
    if (link->type != H5L_TYPE_HARD)
        return 0;
    ORR_HID object = H5Oopen(at, name, H5P_DEFAULT);
    const H5I_type_t type = H5Iget_type(object);
    if (object < 0 || type == H5I_DATASET || --*(int *)left < 0)
        return 1;
    return type == H5I_GROUP
               ? H5Literate(object, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, find_array, left)
               : 0;
}

/* A group of attributes alone says something of the snapshot as a whole: /Header, /Parameters,
 * /Units, /Cosmology, /Code ... What has arrays may be of where rows lie in the old file. */
static herr_t carry_group(hid_t from, const char *name, const H5L_info_t *link, void *writer)
{
    struct writer *w = writer;
    int left = 1000;
    if (link->type != H5L_TYPE_HARD || !strncmp(name, "PartType", 8) || !strcmp(name, "Orrery"))
        return 0;
    if (find_array(from, name, link, &left))
        leave_out(w, from, name);
    else if (H5Ocopy(from, name, w->file, name, H5P_DEFAULT, H5P_DEFAULT) < 0)
        fail(w);
    return w->code ? -1 : 0;
}

/* Of an object of the source, if it has it: attributes to w->group, or the arrays of a group. */
static void carry(struct writer *w, const char *group, const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", group, name ? name : "");
    if (w->code || w->source < 0 || H5Lexists(w->source, group, H5P_DEFAULT) <= 0 ||
        (name && H5Lexists(w->source, path, H5P_DEFAULT) <= 0))
        return;
    ORR_HID from = H5Oopen(w->source, path, H5P_DEFAULT);
    if (from < 0 ||
        (name ? H5Aiterate2(from, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, carry_attribute, w)
              : H5Literate(from, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, carry_array, w)) < 0)
        fail(w);
}

/* --- arrays --- */

struct array {
    const char *name;
    hid_t stored, given;
    hsize_t columns;
    const void *from; /* rows of one column, or as many arrays as columns */
    const char *unit; /* as Gadget describes it; NULL: of a table, which has none */
    double cgs;
};

/* What pynbody and others look for beside an array. */
static void describe(struct writer *w, const struct array *a)
{
    write_text(w, "VarDescription", a->unit, strlen(a->unit) + 1);
    write_double(w, "CGSConversionFactor", a->cgs);
    write_double(w, "aexp-scale-exponent", 0);
    write_double(w, "h-scale-exponent", 0);
}

/* Columns side by side, some rows at a time; rows of one column as they lie. */
static void write_rows(struct writer *w, const struct array *a, hid_t set, hid_t space,
                       hsize_t first, hsize_t rows)
{
    double *const *columns = a->from;
    if (a->columns == 1) {
        if (H5Dwrite(set, a->given, H5S_ALL, H5S_ALL, H5P_DEFAULT, a->from) < 0)
            fail(w);
        return;
    }
    double *slab = orr_memory_get(sizeof *slab * 3 * ORR_HDF5_SLAB);
    for (hsize_t done = 0; done < rows && !w->code; done += ORR_HDF5_SLAB) {
        const hsize_t left = rows - done, now = left < ORR_HDF5_SLAB ? left : ORR_HDF5_SLAB,
                      flat = now * 3;
        for (hsize_t i = 0; i < now; i++)
            for (int c = 0; c < 3; c++)
                slab[3 * i + (hsize_t)c] = columns[c][first + done + i];
        ORR_HID memory = H5Screate_simple(1, &flat, NULL);
        if (H5Sselect_hyperslab(space, H5S_SELECT_SET, (hsize_t[]){done, 0}, NULL,
                                (hsize_t[]){now, 3}, NULL) < 0 ||
            H5Dwrite(set, a->given, memory, space, H5P_DEFAULT, slab) < 0)
            fail(w);
    }
    free(slab);
}

/* An array of bodies or of a table; `first`: of its rows in arrays of columns. */
static void write_array(struct writer *w, const struct array *a, const char *path, hsize_t first,
                        hsize_t rows)
{
    if (w->code)
        return;
    const hid_t group = w->group;
    ORR_HID space = H5Screate_simple(a->columns > 1 ? 2 : 1, (hsize_t[]){rows, a->columns}, NULL);
    hid_t set = H5Dcreate2(group, a->name, a->stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (set < 0)
        fail(w);
    else
        write_rows(w, a, set, space, first, rows);
    w->group = set; /* attributes go to a data set as to a group */
    if (a->unit && w->source < 0 && !w->code)
        describe(w, a);
    else if (a->unit)
        carry(w, path, a->name);
    w->group = group;
    if (set >= 0 && H5Dclose(set) < 0)
        fail(w);
}

/* As narrow as they fit. */
static hid_t type_of_ids(const struct orr_bodies *b)
{
    bool is_below_0 = false, is_wide = !b->id && b->n > UINT32_MAX;
    for (size_t i = 0; b->id && i < b->n; i++) {
        is_below_0 |= b->signed_ids && (int64_t)b->id[i] < 0;
        is_wide |= b->id[i] > UINT32_MAX;
    }
    return is_below_0 ? H5T_STD_I64LE : is_wide ? H5T_STD_U64LE : H5T_STD_U32LE;
}

/* Bodies from `first` on; those without ids are counted. */
static void write_particles(struct writer *w, const char *group, bool in_doubles, hsize_t first,
                            hsize_t count)
{
    const struct orr_bodies *b = w->bodies;
    const hid_t stored = in_doubles ? H5T_IEEE_F64LE : H5T_IEEE_F32LE, ids = type_of_ids(b),
                given = ids == H5T_STD_I64LE ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64;
    uint64_t *numbers = b->id ? NULL : malloc(count * sizeof *numbers);
    if (!b->id && !numbers)
        w->code = orr_fail(ORR_EMEMORY, "no memory to write %s", w->to->target);
    for (hsize_t i = 0; numbers && i < count; i++)
        numbers[i] = first + i + 1;
    const struct array arrays[] = {
        {own[0], stored, H5T_NATIVE_DOUBLE, 3, b->pos, "U_L", KPC_CM},
        {own[1], stored, H5T_NATIVE_DOUBLE, 3, b->vel, "U_V", VELOCITY_CM_S},
        {own[2], stored, H5T_NATIVE_DOUBLE, 1, b->mass + first, "U_M", MASS_G},
        {own[3], ids, given, 1, numbers ? numbers : b->id + first, "number", 1},
    };
    for (int k = 0; k < 4; k++)
        write_array(w, &arrays[k], group, first, count);
    free(numbers);
    carry(w, group, NULL);
}

static void enter(struct writer *w, const char *name)
{
    if (w->code)
        return;
    orr_hdf5_release(&w->group);
    w->group = H5Lexists(w->file, name, H5P_DEFAULT) > 0
                   ? H5Gopen2(w->file, name, H5P_DEFAULT)
                   : H5Gcreate2(w->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (w->group < 0)
        fail(w);
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
    if (w->left_out)
        orr_bodies_note(w->bodies, "not carried along: %s", w->left_out);
}

static void open_file(struct writer *w, struct orr_output *to)
{
    orr_hdf5_quiet();
    *w = (struct writer){.to = to, .file = -1, .group = -1, .source = -1};
    w->code = to->in_place
                  ? orr_fail(ORR_EIO, "cannot write HDF5 to %s: it is no plain file", to->target)
                  : orr_output_open(to); /* a file of our own, which HDF5 then empties */
    if (w->code)
        return;
    ORR_HID access = orr_hdf5_own_access();
    H5Pset_fclose_degree(
        access, H5F_CLOSE_STRONG); /* closing the file closes whatever an error left open */
    w->file = H5Fcreate(to->path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    if (w->file < 0)
        fail(w);
}

static int close_file(struct writer *w)
{
    orr_hdf5_release(&w->group);
    if (w->file >= 0 && H5Fclose(w->file) < 0)
        fail(w);
    orr_hdf5_release(&w->source);
    free(w->left_out);
    return w->code;
}

static void open_source(struct writer *w, const char *path)
{
    int files = 1;
    w->source = orr_hdf5_open(path);
    if (w->source < 0 || orr_hdf5_attribute(w->source, path, "/Header", "NumFilesPerSnapshot",
                                            H5T_NATIVE_INT, 1, &files) < 0)
        w->code = orr_error_code();
    w->is_whole = files == 1;
}

int orr_hdf5_write(struct orr_bodies *bodies, struct orr_output *to)
{
    struct writer w;
    open_file(&w, to);
    w.bodies = bodies;
    if (!w.code && bodies->source)
        open_source(&w, bodies->source);
    if (!w.code)
        write_snapshot(&w);
    return close_file(&w);
}

int orr_hdf5_write_table(const struct orr_table *t, struct orr_output *to)
{
    struct writer w;
    open_file(&w, to);
    if (!w.code)
        w.group = H5Gopen2(w.file, "/", H5P_DEFAULT);
    if (t->words)
        write_text(&w, "sum", t->words->sum, strlen(t->words->sum));
    struct array arrays[6] = {[4] = {"type", H5T_STD_U8LE, H5T_NATIVE_UCHAR, 1, t->types, NULL, 0},
                              [5] = {"ParticleIDs", t->signed_ids ? H5T_STD_I64LE : H5T_STD_U64LE,
                                     t->signed_ids ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64, 1,
                                     t->ids, NULL, 0}};
    for (int c = 0; c < t->count; c++)
        arrays[c] =
            (struct array){t->names[c], H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, 1, t->values[c], NULL, 0};
    for (int k = 0; k < 6; k++)
        if (arrays[k].from)
            write_array(&w, &arrays[k], "", 0, t->n);
    return close_file(&w);
}
#else
typedef int orr_no_hdf5; /* a translation unit must declare something */
#endif
