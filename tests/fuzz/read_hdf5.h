/* SPDX-License-Identifier: MIT */
/* Snapshots that are whole HDF5 files and hold anything: the bytes choose which attributes and data
 * sets there are, of which type, rank and size. */
#ifndef ORR_FUZZ_READ_HDF5_H
#define ORR_FUZZ_READ_HDF5_H

#include "read_data.h"

#ifdef ORR_HAVE_HDF5
#include <hdf5.h>

struct choices {
    const uint8_t *at, *end;
};

static inline unsigned choose(struct choices *from, unsigned count)
{
    return from->at < from->end ? *from->at++ % count : 0;
}

static inline hid_t choose_type(struct choices *from)
{
    const hid_t types[] = {H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_IEEE_F32BE,
                           H5T_STD_I32LE,  H5T_STD_U64BE,  H5T_C_S1};
    return types[choose(from, sizeof types / sizeof *types)];
}

static inline void put_attribute(hid_t at, const char *name, struct choices *from, hsize_t usual)
{
    double values[8] = {0};
    unsigned is = choose(from, 8);
    hsize_t count = is == 6 ? choose(from, 8) : usual;
    if (is == 7) /* it is not there */
        return;
    for (hsize_t k = 0; k < count && k < 8; k++)
        values[k] = choose(from, 2) ? choose(from, 5) : choose(from, 2) ? -1e30 : usual == 1;
    hid_t space = is == 5 ? H5Screate(H5S_NULL) : H5Screate_simple(1, &count, NULL);
    hid_t stored = is == 4 ? choose_type(from) : H5T_NATIVE_INT;
    hid_t made = H5Acreate2(at, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
    if (made >= 0) {
        H5Awrite(made, H5T_NATIVE_DOUBLE, values);
        H5Aclose(made);
    }
    H5Sclose(space);
}

/* Some claim far more rows than are stored. */
static inline void put_set(hid_t at, const char *name, struct choices *from, hsize_t columns)
{
    static const double values[64] = {1, 2, 3, 0.5, -1, 1e30, 7};
    unsigned is = choose(from, 16);
    int rank = is == 1 ? (int)choose(from, 4) : columns > 1 ? 2 : 1;
    hsize_t size[3] = {choose(from, 5), is == 2 ? choose(from, 5) : columns, 2},
            chunk[3] = {4, 2, 1};
    bool vast = is == 3;
    if (is == 4)
        return;
    if (vast)
        size[0] = 4000000000u;
    hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    if (vast && rank)
        H5Pset_chunk(how, rank, chunk);
    hid_t space = rank ? H5Screate_simple(rank, size, NULL) : H5Screate(H5S_SCALAR);
    hid_t stored = is == 5 ? choose_type(from) : H5T_NATIVE_FLOAT;
    hid_t made = is == 6 ? H5Gcreate2(at, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)
                         : H5Dcreate2(at, name, stored, space, H5P_DEFAULT, how, H5P_DEFAULT);
    if (made >= 0 && is != 6 && !vast)
        H5Dwrite(made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    if (made >= 0)
        H5Oclose(made);
    H5Sclose(space);
    H5Pclose(how);
}

static inline void put_groups(hid_t file, struct choices *from)
{
    static const char *const attributes[] = {"NumPart_ThisFile", "MassTable", "NumFilesPerSnapshot",
                                             "Dimension"};
    hid_t header = H5Gcreate2(file, choose(from, 16) == 1 ? "/Head" : "/Header", H5P_DEFAULT,
                              H5P_DEFAULT, H5P_DEFAULT);
    for (int k = 0; k < 4; k++)
        put_attribute(header, attributes[k], from, k < 2 ? 6 : 1);
    H5Gclose(header);
    for (int type = 0; type < 6; type++) {
        char name[16];
        if (!choose(from, 3))
            continue;
        snprintf(name, sizeof name, "/PartType%d", type);
        hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        put_set(group, "Coordinates", from, 2 + !choose(from, 4));
        put_set(group, "Velocities", from, 3);
        if (choose(from, 2))
            put_set(group, "Masses", from, 1);
        H5Gclose(group);
    }
    if (choose(from, 2)) {
        hid_t own = H5Gcreate2(file, "/Orrery", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        put_attribute(own, "Softening", from, 1);
        put_attribute(own, "TimeStep", from, 1);
        H5Gclose(own);
    }
}

/* The file as bytes; free it. Made in memory. */
static inline uint8_t *make_hdf5(struct choices *from, size_t *size)
{
    hid_t in_memory = H5Pcreate(H5P_FILE_ACCESS);
    promise(H5Pset_fapl_core(in_memory, 1 << 16, 0) >= 0);
    hid_t file = H5Fcreate("in memory", H5F_ACC_TRUNC, H5P_DEFAULT, in_memory);
    promise(file >= 0);
    put_groups(file, from);
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    ssize_t needed = H5Fget_file_image(file, NULL, 0);
    promise(needed > 0);
    uint8_t *image = malloc((size_t)needed);
    promise(image && H5Fget_file_image(file, image, (size_t)needed) == needed);
    H5Fclose(file);
    H5Pclose(in_memory);
    *size = (size_t)needed;
    return image;
}

static inline void read_hdf5(const uint8_t *bytes, size_t size)
{
    struct choices from = {bytes, bytes + size};
    struct orr_bodies bodies;
    size_t length;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    uint8_t *image = make_hdf5(&from, &length);
    check_bodies(&bodies, orr_snapshot_read(&bodies, as_file(image, length)));
    free(image);
}
#endif

#endif
