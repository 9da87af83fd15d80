/* SPDX-License-Identifier: MIT */
/* Gadget HDF5 snapshots: the format's entry, and the library's error stack turned into one line. */
#include "datasets/formats/codec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

/* The signature stands at byte 0, or at 512, 1024, 2048 ... behind a user block. */
static bool recognise(const struct orr_head *head)
{
    for (size_t at = 0; at + 8 <= head->used; at = at ? 2 * at : 512)
        if (!memcmp(head->bytes + at, "\x89HDF\r\n\x1a\n", 8))
            return true;
    return false;
}

#ifdef ORR_HAVE_HDF5
#include "datasets/formats/hdf5_common.h"

void orr_hdf5_quiet(void)
{
    H5dont_atexit(); /* refused once the library runs, which is then as wanted already */
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static herr_t keep_innermost(unsigned level, const H5E_error2_t *error, void *to)
{
    if (level == 0 && error->desc)
        snprintf(to, 256, "%s", error->desc);
    return 0;
}

const char *orr_hdf5_reason(void)
{
    static _Thread_local char text[256];
    static const char mark[] = "error message = '";
    strcpy(text, "the HDF5 library gives no reason");
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, text);
    char *message = strstr(text, mark);
    if (!message)
        return text;
    message += strlen(mark);
    message[strcspn(message, "'")] = '\0';
    return message;
}

hid_t orr_hdf5_own_access(void)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 12, 0))
    H5Pset_file_locking(access, false, true);
#endif
    return access;
}

hid_t orr_hdf5_open(const char *path)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file >= 0)
        return file;
    const char *why = orr_hdf5_reason();
    bool is_written = !strcmp(why, strerror(EAGAIN)), has_no_locks = !strcmp(why, strerror(ENOLCK));
    orr_fail(ORR_EINPUT, "%s is no readable HDF5 file: %s%s", path,
             is_written ? "another program is writing it" : why,
             has_no_locks ? "; reading is safe: set HDF5_USE_FILE_LOCKING=FALSE" : "");
    return -1;
}

void orr_hdf5_begin_reading(const char *path)
{
    static const int no_locks[] = {ENOLCK, ENOSYS, EOPNOTSUPP};
    orr_hdf5_quiet();
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const char *why = file < 0 ? orr_hdf5_reason() : "";
    if (file >= 0)
        H5Fclose(file);
    for (int k = 0; k < 3 && !getenv("HDF5_USE_FILE_LOCKING"); k++)
        if (!strcmp(why, strerror(no_locks[k]))) {
            setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
            H5close();
            orr_hdf5_quiet();
        }
}

int orr_hdf5_check(const char *path)
{
    (void)path;
    return 0;
}
#else
int orr_hdf5_check(const char *path)
{
    return orr_fail(ORR_EUNSUPPORTED,
                    "%s: this build of orrery has no HDF5; install the HDF5 development package "
                    "(libhdf5-dev) and build "
                    "again, or use csv or tipsy",
                    path);
}

static int orr_hdf5_read(struct orr_bodies *out, const char *path)
{
    (void)out;
    return orr_hdf5_check(path);
}

static int orr_hdf5_write(struct orr_bodies *bodies, struct orr_output *to)
{
    (void)bodies;
    return orr_hdf5_check(to->target);
}

int orr_hdf5_write_table(const struct orr_table *table, struct orr_output *to)
{
    (void)table;
    return orr_hdf5_check(to->target);
}
#endif

const struct orr_codec orr_codec_hdf5 = {
    .name = "hdf5",
    .endings = {".hdf5", ".h5"},
    .recognise = recognise,
    .read = orr_hdf5_read,
    .write = orr_hdf5_write,
};
