/* SPDX-License-Identifier: MIT */
/* Is all of a data set there? The HDF5 library reads what is not as zeros: bodies at the origin, or
 * without mass. */
#ifdef ORR_HAVE_HDF5
#include "datasets/formats/hdf5_common.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"

enum { DEEPEST = 8 }; /* virtual data sets of virtual data sets */

struct set {
    const char *path, *name; /* of its file, in it */
    hid_t id, how, space;
    int depth;
};

static int check_set(hid_t id, const char *path, const char *name, int depth);

/* Old libraries take a compressed data set for a partly written one, by its bytes. */
static bool has_all_chunks(const struct set *s)
{
    hsize_t size[H5S_MAX_RANK], chunk[H5S_MAX_RANK], all = 1, written = 0;
    int rank = H5Sget_simple_extent_dims(s->space, size, NULL);
    if (H5Pget_layout(s->how) != H5D_CHUNKED || H5Pget_chunk(s->how, rank, chunk) != rank)
        return false;
    for (int d = 0; d < rank; d++)
        all *= (size[d] + chunk[d] - 1) / chunk[d];
#if H5_VERSION_GE(1, 10, 5)
    return H5Dget_num_chunks(s->id, s->space, &written) >= 0 && written >= all;
#else
    (void)written;
    return H5Pget_nfilters(s->how) > 0; /* which cannot be told from a whole one */
#endif
}

/* No compression gives more than a thousandfold: a bigger claim is a damaged file, and not worth
 * the memory. */
static int check_claim(const struct set *s)
{
    const hssize_t values = H5Sget_simple_extent_npoints(s->space);
    hsize_t bytes = 0;
    ORR_HID file = H5Iget_file_id(s->id);
    H5Fget_filesize(file, &bytes);
    return (hsize_t)values / 4096 <= bytes
               ? 0
               : orr_fail(ORR_EINPUT, "%s: %s claims %lld values in a file of %lld bytes", s->path,
                          s->name, (long long)values, (long long)bytes);
}

static int check_written(const struct set *s)
{
    H5D_space_status_t status;
    if (H5Dget_space_status(s->id, &status) < 0)
        return orr_fail(ORR_EINPUT, "%s: cannot tell whether all of %s was written: %s", s->path,
                        s->name, orr_hdf5_reason());
    const bool is_part = status == H5D_SPACE_STATUS_PART_ALLOCATED;
    if (status == H5D_SPACE_STATUS_ALLOCATED || (is_part && has_all_chunks(s)))
        return check_claim(s);
    return orr_fail(ORR_EINPUT,
                    "%s: %s%s was never written; did the program that wrote it stop early?",
                    s->path, is_part ? "a part of " : "", s->name);
}

/* Raw data in files beside the snapshot: a short one is read as if zeros followed. */
static int check_external(const struct set *s, int files)
{
    for (int k = 0; k < files; k++) {
        char name[PATH_MAX] = "";
        off_t offset = 0;
        hsize_t size = 0;
        struct stat status;
        if (H5Pget_external(s->how, (unsigned)k, sizeof name - 1, name, &offset, &size) < 0 ||
            stat(name, &status)) /* the read says what is wrong with it */
            continue;
        if (size != H5F_UNLIMITED && (hsize_t)status.st_size < (hsize_t)offset + size)
            return orr_fail(ORR_EINPUT, "%s: %s lies in %s, which has %lld bytes and not %" PRIu64,
                            s->path, s->name, name, (long long)status.st_size,
                            (uint64_t)offset + (uint64_t)size);
    }
    return 0;
}

/* A virtual data set's source as the library looks for it: under HDF5_VDS_PREFIX, beside the
 * virtual file, where the program runs, beside what the virtual file is a link to. */
static hid_t open_source(const struct set *s, const char *name, char path[PATH_MAX])
{
    char real[PATH_MAX];
    const char *prefix = getenv("HDF5_VDS_PREFIX");
    const char *beside[] = {s->path, "", realpath(s->path, real) ? real : ""};
    for (int k = *name == '/' ? 1 : prefix && *prefix ? -1 : 0; k < 3; k++) {
        const char *slash = k < 0 ? prefix + strlen(prefix) : strrchr(beside[k], '/');
        snprintf(path, PATH_MAX, "%.*s%s%s",
                 slash ? (int)(slash - (k < 0 ? prefix : beside[k])) : 0,
                 k < 0 ? prefix : beside[k], slash ? "/" : "", name);
        if (!access(path, F_OK))
            return orr_hdf5_open(path);
    }
    return -1;
}

/* Has the source all that mapping `k` takes from it, `asked` values? Negative: as many as it has.
 */
static int check_reach(const struct set *s, size_t k, hssize_t asked, hid_t source,
                       const char *file)
{
    hsize_t size[H5S_MAX_RANK], start[H5S_MAX_RANK], end[H5S_MAX_RANK];
    ORR_HID has = H5Dget_space(source), wanted = H5Pget_virtual_srcspace(s->how, k);
    int rank = H5Sget_simple_extent_dims(has, size, NULL);
    const hssize_t given = H5Sget_select_type(wanted) == H5S_SEL_ALL
                               ? H5Sget_simple_extent_npoints(has)
                               : H5Sget_select_npoints(wanted);
    bool reaches = asked < 0 || given >= asked;
    if (given > 0 && H5Sget_select_type(wanted) != H5S_SEL_ALL &&
        H5Sget_simple_extent_ndims(wanted) == rank && H5Sget_select_bounds(wanted, start, end) >= 0)
        for (int d = 0; d < rank; d++)
            reaches = reaches && end[d] < size[d];
    return reaches ? 0
                   : orr_fail(ORR_EINPUT, "%s: %s is virtual and takes more of %s than that has",
                              s->path, s->name, file);
}

/* The name of block `block`, which stands for %b. */
static void name_block(char *out, size_t size, const char *form, unsigned long long block)
{
    size_t used = 0;
    for (; *form && used + 1 < size; form++) {
        const bool is_mark = *form == '%' && (form[1] == 'b' || form[1] == '%');
        int more = is_mark && form[1] == 'b' ? snprintf(out + used, size - used, "%llu", block)
                                             : snprintf(out + used, size - used, "%c", *form);
        used += (size_t)more;
        form += is_mark;
    }
}

static int check_block(const struct set *s, size_t k, unsigned long long block, hssize_t points)
{
    char form[PATH_MAX] = "", name[PATH_MAX] = "", inside[1024] = "", path[PATH_MAX];
    H5Pget_virtual_filename(s->how, k, form, sizeof form);
    name_block(name, sizeof name, form, block);
    H5Pget_virtual_dsetname(s->how, k, form, sizeof inside);
    name_block(inside, sizeof inside, form, block);
    const bool own = !strcmp(name, ".");
    ORR_HID file = own ? H5Iget_file_id(s->id) : open_source(s, name, path);
    ORR_HID source = file < 0 ? -1 : H5Dopen2(file, inside, H5P_DEFAULT);
    if (source < 0)
        return orr_fail(ORR_EINPUT, "%s: %s is virtual and its source %s%s%s is not there", s->path,
                        s->name, own ? "" : name, file < 0 ? "" : ":", file < 0 ? "" : inside);
    int code = check_reach(s, k, points, source, own ? inside : name);
    return code ? code : check_set(source, own ? s->path : path, inside, s->depth + 1);
}

/* As many blocks, each with a source of its own and of *points values, as the data set has with
 * those that are there. */
static unsigned long long blocks_of(const struct set *s, size_t k, hssize_t *points)
{
    hsize_t size[H5S_MAX_RANK], start[H5S_MAX_RANK], stride[H5S_MAX_RANK], count[H5S_MAX_RANK],
        block[H5S_MAX_RANK], blocks = 1, in_block = 1;
    ORR_HID part = H5Pget_virtual_vspace(s->how, k), wanted = H5Pget_virtual_srcspace(s->how, k);
    const int rank = H5Sget_simple_extent_dims(s->space, size, NULL);
    *points = H5Sget_select_npoints(part);
    if (*points >= 0 || H5Sget_select_npoints(wanted) < 0 ||
        H5Sget_regular_hyperslab(part, start, stride, count, block) < 0)
        return 1;
    for (int d = 0; d < rank; d++) {
        const bool goes_on = count[d] == H5S_UNLIMITED;
        in_block *= goes_on ? block[d] : count[d] * block[d];
        if (goes_on)
            blocks = size[d] > start[d] ? (size[d] - start[d] + stride[d] - 1) / stride[d] : 0;
    }
    *points = (hssize_t)in_block;
    return blocks;
}

/* Values that mappings cover, each counted once where the library can tell; those of a mapping
 * without an end are all. */
static hssize_t covered(const struct set *s, size_t sources)
{
    const hssize_t all = H5Sget_simple_extent_npoints(s->space);
    hssize_t sum = 0;
    ORR_HID held = sources ? H5Pget_virtual_vspace(s->how, 0) : H5Scopy(s->space);
    for (size_t k = 0; k < sources; k++) {
        ORR_HID part = H5Pget_virtual_vspace(s->how, k);
        hssize_t points = H5Sget_select_npoints(part);
        if (points < 0 || points >= all)
            return all;
        sum += points;
#if H5_VERSION_GE(1, 10, 6)
        if (k && H5Smodify_select(held, H5S_SELECT_OR, part) >= 0)
            sum = H5Sget_select_npoints(held);
#endif
    }
    return sum;
}

static int check_virtual(const struct set *s)
{
    size_t sources = 0;
    const hssize_t all = H5Sget_simple_extent_npoints(s->space);
    if (H5Pget_virtual_count(s->how, &sources) < 0 || s->depth > DEEPEST)
        return orr_fail(ORR_EINPUT, "%s: cannot follow the virtual data set %s", s->path, s->name);
    for (size_t k = 0; k < sources; k++) {
        hssize_t points;
        const unsigned long long blocks = blocks_of(s, k, &points);
        for (unsigned long long block = 0; block < blocks; block++)
            if (check_block(s, k, block, points))
                return orr_error_code();
    }
    const hssize_t held = covered(s, sources);
    return held >= all ? 0
                       : orr_fail(ORR_EINPUT,
                                  "%s: %s is virtual, and %lld of its %lld values have no source",
                                  s->path, s->name, (long long)(all - held), (long long)all);
}

static int check_set(hid_t id, const char *path, const char *name, int depth)
{
    struct set s = {path, name, id, H5Dget_create_plist(id), H5Dget_space(id), depth};
    int code = 0, files = H5Pget_external_count(s.how);
    H5D_layout_t layout = H5Pget_layout(s.how);
    if (H5Sget_simple_extent_npoints(s.space) == 0)
        code = 0;
    else if (layout == H5D_VIRTUAL)
        code = check_virtual(&s);
    else if (files > 0)
        code = check_external(&s, files);
    else if (layout != H5D_COMPACT)
        code = check_written(&s);
    H5Idec_ref(s.space);
    H5Idec_ref(s.how);
    return code;
}

hid_t orr_hdf5_open_whole(hid_t file, const char *path, const char *name)
{
    ORR_HID how = H5Pcreate(H5P_DATASET_ACCESS);
    /* Of sources that are numbered, those behind a gap are not taken. */
    H5Pset_virtual_view(how, H5D_VDS_FIRST_MISSING);
    hid_t set = H5Dopen2(file, name, how);
    if (set < 0) {
        orr_fail(ORR_EINPUT, "%s: cannot open %s: %s", path, name, orr_hdf5_reason());
        return -1;
    }
    if (!check_set(set, path, name, 0))
        return set;
    H5Dclose(set);
    return -1;
}

static const struct {
    H5Z_filter_t id;
    const char *name;
} filters[] = {{H5Z_FILTER_DEFLATE, "gzip"},
               {H5Z_FILTER_SZIP, "szip"},
               {307, "bzip2"},
               {32000, "LZF"},
               {32001, "Blosc"},
               {32004, "LZ4"},
               {32008, "bitshuffle"},
               {32013, "ZFP"},
               {32015, "Zstandard"},
               {32017, "SZ"},
               {32022, "BitGroom"},
               {32024, "SZ3"},
               {32026, "Blosc2"},
               {32027, "FLAC"}};

static const char *filter_named(H5Z_filter_t id, const char *own)
{
    for (size_t k = 0; k < sizeof filters / sizeof *filters; k++)
        if (filters[k].id == id)
            return filters[k].name;
    return *own ? own : "without a name";
}

int orr_hdf5_read_failed(hid_t set)
{
    char why[256];
    snprintf(why, sizeof why, "%s", orr_hdf5_reason()); /* before another call clears it */
    ORR_HID how = H5Dget_create_plist(set);
    int count = H5Pget_nfilters(how), code = 0;
    for (int k = 0; k < count && !code; k++) {
        char name[64] = "";
        size_t none = 0;
        unsigned flags, config;
        H5Z_filter_t id =
            H5Pget_filter2(how, (unsigned)k, &flags, &none, NULL, sizeof name, name, &config);
        if (id >= 0 && H5Zfilter_avail(id) <= 0)
            code = orr_fail(ORR_EINPUT,
                            "it is compressed by the HDF5 filter %d (%s), which is not installed; "
                            "name the folder of its plugin in HDF5_PLUGIN_PATH, or write a copy "
                            "without it by h5repack -f NONE where it is",
                            (int)id, filter_named(id, name));
    }
    return code ? code : orr_fail(ORR_EINPUT, "%s", why);
}
#else
typedef int orr_no_hdf5; /* a translation unit must declare something */
#endif
