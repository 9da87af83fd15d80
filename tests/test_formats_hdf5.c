/* SPDX-License-Identifier: MIT */
/* Gadget HDF5: particle types, mass table, precision, and one clear message for every malformed
 * file. */
#include "format_files.h"

#ifdef ORR_HAVE_HDF5
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* Whatever it is of. */
static void close_id(hid_t *id)
{
    H5Idec_ref(*id);
}
#define HID RELEASED_BY(close_id) hid_t

static void attribute(hid_t at, const char *name, hid_t type, hsize_t count, const void *values)
{
    HID space = H5Screate_simple(1, &count, NULL);
    HID made = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(made, type, values) >= 0);
}

static void data_set(hid_t at, const char *name, hid_t stored, hsize_t rows, hsize_t columns,
                     const double *values)
{
    hsize_t size[2] = {rows, columns};
    HID space = H5Screate_simple(columns > 1 ? 2 : 1, size, NULL);
    HID made = H5Dcreate2(at, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(made >= 0);
    if (values)
        assert_true(H5Dwrite(made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
}

static hid_t group(hid_t file, const char *name)
{
    return H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

static hid_t create(const char *path)
{
    return H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
}

/* One thing that is wrong with an otherwise good file of 4 particles of type 2. */
enum fault {
    NOTHING,
    NO_HEADER,
    NO_COUNTS,
    FIVE_COUNTS,
    ZERO_COUNTS,
    MORE_COUNTED,
    NO_GROUP,
    NO_COORDINATES,
    NO_MASSES,
    SHORT_VELOCITIES,
    SHORT_MASSES,
    FOUR_COLUMNS,
    FLAT_COORDINATES,
    INTEGER_MASSES,
    A_NAN,
    NEGATIVE_MASS,
    OF_SEVERAL,
    FOUR_DIMENSIONS,
    HUGE_CLAIM,
    FAULTS,
    NO_VELOCITIES /* is none */
};

static void write_header(hid_t file, enum fault fault)
{
    unsigned counts[6] = {0, 0, fault == ZERO_COUNTS ? 0 : fault == MORE_COUNTED ? 5 : 4};
    double table[6] = {0};
    int files = fault == OF_SEVERAL ? 8 : 1, dimension = 4;
    if (fault == HUGE_CLAIM)
        counts[2] = 4000000000u;
    HID header = group(file, "/Header");
    if (fault != NO_COUNTS)
        attribute(header, "NumPart_ThisFile", H5T_NATIVE_UINT, fault == FIVE_COUNTS ? 5 : 6,
                  counts);
    attribute(header, "MassTable", H5T_NATIVE_DOUBLE, 6, table);
    attribute(header, "NumFilesPerSnapshot", H5T_NATIVE_INT, 1, &files);
    if (fault == FOUR_DIMENSIONS)
        attribute(header, "Dimension", H5T_NATIVE_INT, 1, &dimension);
}

/* A data set that claims more rows than could ever be in the file: chunks of it were never written.
 */
static void claim(hid_t at)
{
    hsize_t size[2] = {4000000000u, 3}, chunk[2] = {1024, 3};
    HID space = H5Screate_simple(2, size, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(how, 2, chunk);
    HID set = H5Dcreate2(at, "Coordinates", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, how, H5P_DEFAULT);
    assert_true(set >= 0);
}

static void write_particles(hid_t file, enum fault fault)
{
    double values[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
           masses[4] = {1, 1, 1, fault == NEGATIVE_MASS ? -1 : 1};
    if (fault == A_NAN)
        values[7] = NAN;
    HID type = group(file, "/PartType2");
    if (fault == HUGE_CLAIM)
        claim(type);
    else if (fault == FLAT_COORDINATES)
        data_set(type, "Coordinates", H5T_NATIVE_FLOAT, 12, 1, values);
    else if (fault != NO_COORDINATES)
        data_set(type, "Coordinates", H5T_NATIVE_FLOAT, 4, fault == FOUR_COLUMNS ? 4 : 3, values);
    if (fault != NO_VELOCITIES)
        data_set(type, "Velocities", H5T_NATIVE_FLOAT, fault == SHORT_VELOCITIES ? 3 : 4, 3,
                 values);
    if (fault != NO_MASSES)
        data_set(type, "Masses", fault == INTEGER_MASSES ? H5T_NATIVE_INT : H5T_NATIVE_FLOAT,
                 fault == SHORT_MASSES ? 3 : 4, 1, masses);
}

static void write_faulty(const char *path, enum fault fault)
{
    HID file = create(path);
    assert_true(file >= 0);
    if (fault != NO_HEADER)
        write_header(file, fault);
    if (fault != NO_GROUP)
        write_particles(file, fault);
}

TEST(every_fault_is_named)
{
    static const char *const says[FAULTS] = {
        [NO_HEADER] = "no attribute NumPart_ThisFile in /Header",
        [NO_COUNTS] = "no attribute NumPart_ThisFile in /Header",
        [FIVE_COUNTS] = "5 types in NumPart_ThisFile, 6 in MassTable",
        [ZERO_COUNTS] = "/PartType2/Coordinates has 4 rows, but NumPart_ThisFile says 0",
        [MORE_COUNTED] = "/PartType2/Coordinates has 4 rows, but NumPart_ThisFile says 5",
        [NO_GROUP] = "no data set /PartType2/Coordinates, though the header counts 4",
        [NO_COORDINATES] = "no data set /PartType2/Coordinates",
        [NO_MASSES] = "no data set /PartType2/Masses, and MassTable has no mass for type 2",
        [SHORT_VELOCITIES] = "/PartType2/Velocities has 3 rows, but NumPart_ThisFile says 4",
        [SHORT_MASSES] = "/PartType2/Masses has 3 rows, but NumPart_ThisFile says 4",
        [FOUR_COLUMNS] = "/PartType2/Coordinates has 4 columns, not 3",
        [FLAT_COORDINATES] = "/PartType2/Coordinates has 12 rows",
        [INTEGER_MASSES] = "/PartType2/Masses is no array of floats or doubles",
        [A_NAN] = "body 2 (counted from 0): y is not a number",
        [NEGATIVE_MASS] = "body 3 (counted from 0): mass is -1",
        [OF_SEVERAL] = "one of several files of a snapshot, whose names should end with a number",
        [FOUR_DIMENSIONS] = "4 dimensions",
        [HUGE_CLAIM] = "/PartType2/Coordinates was never written",
    };
    for (enum fault fault = NO_HEADER; fault < FAULTS; fault++) {
        write_faulty(in_folder("faulty.hdf5"), fault);
        expect_refused(in_folder("faulty.hdf5"), ORR_EINPUT, says[fault]);
    }
    BODIES b;
    write_faulty(in_folder("faulty.hdf5"), NOTHING);
    assert_int_equal(orr_snapshot_read(&b, in_folder("faulty.hdf5")), 0);
    assert_true(b.n == 4 && b.pos[2][3] == 12 && b.vel[0][1] == 4);
    orr_bodies_release(&b);
    write_faulty(in_folder("faulty.hdf5"), NO_VELOCITIES);
    assert_int_equal(orr_snapshot_read(&b, in_folder("faulty.hdf5")), 0);
    assert_true(b.n == 4 && b.pos[2][3] == 12 && b.vel[0][1] == 0);
}

/* The second of eight is asked for; each holds the same four bodies. */
TEST(files_of_a_snapshot_are_joined)
{
    struct orr_bodies b;
    for (int k = 0; k < 8; k++) {
        write_faulty(in_folder(filled("part.%d.hdf5", k)), OF_SEVERAL);
    }
    assert_int_equal(orr_snapshot_read(&b, in_folder("part.1.hdf5")), 0);
    assert_true(b.n == 32 && b.pos[2][3] == 12 && b.pos[2][31] == 12 && b.type[31] == 2);
    orr_bodies_release(&b);
    unlink(in_folder("part.7.hdf5"));
    orr_error_clear();
    assert_fails(orr_snapshot_read(&b, in_folder("part.1.hdf5")), ORR_EINPUT,
                 "part.7.hdf5 is no readable HDF5 file");
}

TEST(no_bodies_is_named)
{
    const unsigned counts[6] = {0};
    {
        HID file = create(in_folder("none.hdf5")), header = group(file, "/Header");
        attribute(header, "NumPart_ThisFile", H5T_NATIVE_UINT, 6, counts);
    }
    expect_refused(in_folder("none.hdf5"), ORR_EINPUT, "holds no bodies");
}

TEST(cut_files_are_named)
{
    static unsigned char bytes[1 << 16];
    write_faulty(in_folder("whole.hdf5"), NOTHING);
    size_t size = get_file(in_folder("whole.hdf5"), bytes, sizeof bytes);
    put_file(in_folder("cut.hdf5"), bytes, size - 1);
    expect_refused(in_folder("cut.hdf5"), ORR_EINPUT, "truncated file");
    put_file(in_folder("cut.hdf5"), bytes, 6);
    expect_refused(in_folder("cut.hdf5"), ORR_EINPUT, "is no readable HDF5 file");
    put_file(in_folder("text.hdf5"), "hello\n", 6);
    expect_refused(in_folder("text.hdf5"), ORR_EINPUT, "is no readable HDF5 file");
}

/* Types 0, 1 and 4 in floats and doubles; type 1 takes its mass from the table. */
static void write_mix(void)
{
    static const int types[] = {0, 1, 4}, counts[] = {2, 3, 1};
    const unsigned number[6] = {2, 3, 0, 0, 1, 0};
    const double table[6] = {0, 0.25};
    HID file = create(in_folder("mix.hdf5")), header = group(file, "/Header");
    attribute(header, "NumPart_ThisFile", H5T_NATIVE_UINT, 6, number);
    attribute(header, "MassTable", H5T_NATIVE_DOUBLE, 6, table);
    for (int k = 2; k >= 0; k--) { /* the order in the file does not matter */
        double x[9], masses[3] = {k + 0.1, k + 0.2, k + 0.3};
        for (int i = 0; i < 9; i++)
            x[i] = 100 * k + i + 0.5;
        const char *name = filled("/PartType%d", types[k]);
        hid_t stored = k == 1 ? H5T_IEEE_F64BE : H5T_IEEE_F32LE;
        HID type = group(file, name);
        data_set(type, "Coordinates", stored, (hsize_t)counts[k], 3, x);
        data_set(type, "Velocities", stored, (hsize_t)counts[k], 3, x);
        if (k != 1)
            data_set(type, "Masses", H5T_IEEE_F64LE, (hsize_t)counts[k], 1, masses);
    }
}

TEST(types_are_merged_in_order)
{
    BODIES b;
    write_mix();
    assert_int_equal(orr_snapshot_read(&b, in_folder("mix.hdf5")), 0);
    static const double mass[] = {0.1, 0.2, 0.25, 0.25, 0.25, 2.1},
                        x[] = {0.5, 3.5, 100.5, 103.5, 106.5, 200.5};
    assert_int_equal(b.n, 6);
    for (int i = 0; i < 6; i++)
        assert_true(b.mass[i] == mass[i] && b.pos[0][i] == x[i] && b.vel[2][i] == x[i] + 2);
}

/* What the library would read as zeros, or as the whole: a data set that was written to two thirds,
 * masses beside a table, a part of all bodies. */
static void write_gone(int fault)
{
    const unsigned counts[7] = {0, 3}, total[7] = {0, fault == 2 ? 6 : 3};
    const double table[7] = {0, fault == 1 ? 0.25 : 0}, x[9] = {1, 2, 3, 4, 5, 6},
                 masses[3] = {1, 1, 1};
    HID file = create(in_folder("gone.hdf5")), header = group(file, "/Header");
    attribute(header, "NumPart_ThisFile", H5T_NATIVE_UINT, 7, counts);
    attribute(header, "NumPart_Total", H5T_NATIVE_UINT, 7, total);
    attribute(header, "MassTable", H5T_NATIVE_DOUBLE, 7, table);
    HID type = group(file, "/PartType1"), how = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t size[2] = {3, 3}, chunk[2] = {1, 3}, some[2] = {fault ? 3 : 2, 3}, first[2] = {0};
    H5Pset_chunk(how, 2, chunk);
    HID space = H5Screate_simple(2, size, NULL), memory = H5Screate_simple(2, some, NULL);
    HID set =
        H5Dcreate2(type, "Coordinates", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, some, NULL);
    assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, x) >= 0);
    data_set(type, "Masses", H5T_NATIVE_DOUBLE, 3, 1, masses);
}

TEST(what_is_not_there_is_refused)
{
    static const char *const says[] = {"a part of /PartType1/Coordinates was never written",
                                       "MassTable of /Header says 0.25 for type 1, but",
                                       "3 of 6 bodies of the snapshot"};
    for (int fault = 0; fault < 3; fault++) {
        write_gone(fault);
        expect_refused(in_folder("gone.hdf5"), ORR_EINPUT, says[fault]);
    }
}

TEST(precision_and_extras_are_kept)
{
    for (int floats = 0; floats < 2; floats++) {
        BODIES b = random_bodies(100, 3, floats), back;
        b.eps = 0.01, b.dt = 0.1;
        assert_int_equal(orr_snapshot_write(&b, in_folder("p.h5"), NULL), 0);
        assert_int_equal(orr_snapshot_read(&back, in_folder("p.h5")), 0);
        assert_true(back.eps == 0.01 && back.dt == 0.1);
        HID file = H5Fopen(in_folder("p.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
        HID set = H5Dopen2(file, "/PartType1/Coordinates", H5P_DEFAULT), type = H5Dget_type(set);
        assert_int_equal(H5Tget_size(type), floats ? 4 : 8);
    }
}

/* Only cuts: on changed bytes the library itself (1.10) reads outside its buffers now and then. */
TEST(cut_anywhere_does_no_harm)
{
    BODIES b = random_bodies(40, 3, true);
    const char *good = filled("%s", in_folder("good.h5"));
    assert_int_equal(orr_snapshot_write(&b, good, NULL), 0);
    survive_cuts(good, in_folder("damaged.h5"));
}

/* In a child whose files may not grow past 64 kB: what a full disk does, without filling one. */
static int write_without_room(const char *path)
{
    const struct rlimit limit = {1 << 16, 1 << 16};
    struct orr_bodies b = random_bodies(20000, 3, true);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    int code = orr_snapshot_write(&b, path, NULL);
    return code == ORR_EIO && strstr(orr_error_text(), path) &&
                   strstr(orr_error_text(), "File too large")
               ? 0
               : 1;
}

TEST(a_full_disk_is_reported)
{
    BODIES old = random_bodies(10, 3, true), back;
    const char *path = filled("%s", in_folder("full.h5"));
    const char *log = filled("%s", in_folder("stderr"));
    assert_int_equal(orr_snapshot_write(&old, path, NULL), 0);
    put_file(log, "", 0);
    int before = files_in_folder(), status;
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        dup2(open(log, O_WRONLY | O_TRUNC), STDERR_FILENO);
        exit(write_without_room(path)); /* with whatever the library does at exit */
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(files_in_folder(), before);
    unsigned char said[16];
    assert_int_equal(get_file(log, said, sizeof said), 0);
    assert_int_equal(orr_snapshot_read(&back, path), 0);
    assert_true(same_bodies(&old, &back));
}

TEST(unwritable_places_are_named)
{
    BODIES b = random_bodies(10, 3, true);
    assert_fails(orr_snapshot_write(&b, in_folder("no/such.h5"), NULL), ORR_EIO,
                 "no/such.h5: No such file or directory");
    assert_fails(orr_snapshot_write(&b, "/dev/null", "hdf5"), ORR_EIO, "no plain file");
}

TEST(forces_as_hdf5)
{
    enum { N = 70000 };
    static float values[4][N], back[N];
    static const char *const names[] = {"ax", "ay", "az", "phi"};
    for (int c = 0; c < 4; c++)
        for (int i = 0; i < N; i++)
            values[c][i] = (float)(c + 1) / (float)(i + 1);
    const float *const acc[3] = {values[0], values[1], values[2]};
    struct orr_bodies of = {.n = N};
    assert_int_equal(orr_forces_write(acc, values[3], &of, 3, NULL, in_folder("f.h5")), 0);
    HID file = H5Fopen(in_folder("f.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    for (int c = 0; c < 4; c++) {
        HID set = H5Dopen2(file, names[c], H5P_DEFAULT);
        assert_true(H5Dread(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back) >= 0);
        assert_memory_equal(back, values[c], sizeof back);
    }
    assert_int_equal(orr_forces_write(acc, NULL, &of, 2, NULL, in_folder("f.h5")), 0);
    HID flat = H5Fopen(in_folder("f.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(H5Lexists(flat, "ay", H5P_DEFAULT) > 0);
    assert_true(H5Lexists(flat, "az", H5P_DEFAULT) == 0 &&
                H5Lexists(flat, "phi", H5P_DEFAULT) == 0);
}

#else
TEST(without_the_library_the_message_says_so)
{
    struct orr_bodies b = random_bodies(1, 3, true);
    assert_fails(orr_snapshot_write(&b, in_folder("a.h5"), NULL), ORR_EUNSUPPORTED, "has no HDF5");
    orr_bodies_release(&b);
    put_file(in_folder("a.h5"), "\x89HDF\r\n\x1a\n", 8);
    expect_refused(in_folder("a.h5"), ORR_EUNSUPPORTED, "has no HDF5");
}
#endif

int main(void)
{
#ifdef ORR_HAVE_HDF5
    H5dont_atexit(); /* as the program has it: these tests call the library before the reader does
                      */
#endif
    return run_all(make_folder, remove_folder);
}
