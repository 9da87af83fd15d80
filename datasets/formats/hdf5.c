/* Gadget HDF5 snapshots: the format's entry, and the library's error stack turned into one line. */
#include "datasets/formats/codec.h"

#include <errno.h>
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

static bool is_without_locks;

/* A lock only says that no other program writes the file now. Where there can be none (NFS,
 * Lustre), reading needs none. */
hid_t orr_hdf5_open(const char *path)
{
    hid_t access = orr_hdf5_own_access(), file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const bool is_written = file < 0 && !strcmp(orr_hdf5_reason(), strerror(EAGAIN));
    if (file < 0 && !is_written) {
        file = H5Fopen(path, H5F_ACC_RDONLY, access);
        is_without_locks = is_without_locks || file >= 0;
    }
    if (file < 0) {
        const char *why = orr_hdf5_reason();
        orr_fail(ORR_EINPUT, "%s is no readable HDF5 file: %s%s", path,
                 is_written ? "another program is writing it" : why,
                 strcmp(why, strerror(ENOLCK))
                     ? ""
                     : "; this file system has no locks, set HDF5_USE_FILE_LOCKING=FALSE");
    }
    H5Pclose(access);
    return file;
}

void orr_hdf5_close_source(hid_t file)
{
    if (!is_without_locks)
        H5Fclose(file);
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

static int orr_hdf5_write(const struct orr_bodies *bodies, struct orr_output *to)
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
