/* SPDX-License-Identifier: MIT */
/* Snapshot formats: round trips, recognition, and one clear message for every malformed CSV or
 * Tipsy file. */
#include "format_files.h"
#include "tests/cases.h"

TEST(round_trips)
{
    static const struct {
        const char *file, *format;
        bool floats;
    } ways[] = {
        {"a.csv", NULL, false},   {"a.tipsy", NULL, true},     {"a.bin", "tipsy-native", true},
        {"b.bin", "tipsy", true}, {"no-ending", "csv", false},
#ifdef ORR_HAVE_HDF5
        {"a.hdf5", NULL, true},   {"a.h5", NULL, false},       {"b.dat", "hdf5", false},
#endif
    };
    static const size_t sizes[] = {1, 2, 777, 70001};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        for (size_t s = 0; s < 4; s++)
            for (int dimensions = 2; dimensions <= 3; dimensions++) {
                BODIES b = random_bodies(sizes[s], dimensions, ways[w].floats), back;
                b.eps = 0.01;
                orr_error_clear();
                assert_fails(orr_snapshot_write(&b, in_folder("c.csv"), "tipsy"), ORR_EUSAGE,
                             "ends as csv does, but --to says tipsy");
                assert_done(orr_snapshot_write(&b, in_folder(ways[w].file), ways[w].format));
                assert_int_equal(orr_snapshot_read(&back, in_folder(ways[w].file)), 0);
                assert_true(same_bodies(&b, &back));
                assert_true(
                    back.eps ==
                    (strstr(ways[w].file, "csv") || strstr(ways[w].file, "no-") ? back.eps : 0.01));
            }
}

static void put_words(unsigned char *at, const int32_t *words, size_t count, bool big)
{
    for (size_t k = 0; k < count; k++)
        for (int byte = 0; byte < 4; byte++)
            at[4 * k + (size_t)byte] =
                (unsigned char)((uint32_t)words[k] >> 8 * (big ? 3 - byte : byte));
}

static int32_t bits(float value)
{
    int32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* The first body of a big-endian file written by hand from the format's description. */
TEST(tipsy_layout_is_the_documented_one)
{
    const int32_t header[8] = {0, 0, 1, 3, 0, 1, 0, 0}, /* time, bodies, dimensions, kinds, pad */
        body[9] = {bits(1),                             /* mass */
                   bits(2),
                   bits(-3),
                   bits(4), /* position */
                   bits(0.5f),
                   0,
                   bits(0.25f),  /* velocity */
                   bits(0.125f), /* eps */
                   0};
    unsigned char bytes[32 + 36], expected[32 + 36];
    put_words(expected, header, 8, true);
    put_words(expected + 32, body, 9, true);
    BODIES b = bodies_made(1, 3);
    b.mass[0] = 1, b.pos[0][0] = 2, b.pos[1][0] = -3, b.pos[2][0] = 4, b.vel[0][0] = 0.5,
    b.vel[2][0] = 0.25;
    b.eps = 0.125;
    assert_int_equal(orr_snapshot_write(&b, in_folder("hand.tipsy"), NULL), 0);
    assert_int_equal(get_file(in_folder("hand.tipsy"), bytes, sizeof bytes), sizeof bytes);
    assert_memory_equal(bytes, expected, sizeof bytes);
}

/* Gas, dark and star particles with and without the header's pad, in both byte orders: mass i + 1,
 * x 10 (i + 1). */
TEST(tipsy_kinds_come_in_order)
{
    static const int words_of[] = {12, 9, 11}, counts[] = {3, 2, 4};
    for (int way = 0; way < 4; way++) {
        bool big = way & 1, pad = way & 2;
        unsigned char file[512] = {0};
        size_t used = pad ? 32 : 28;
        put_words(file + 8, (int32_t[]){9, 3, counts[0], counts[1], counts[2]}, 5, big);
        for (int kind = 0, i = 0; kind < 3; kind++)
            for (int p = 0; p < counts[kind]; p++, i++) {
                int32_t words[12] = {bits((float)i + 1), bits(10 * ((float)i + 1)), bits(-1),
                                     bits(2), bits(0.5f)};
                put_words(file + used, words, (size_t)words_of[kind], big);
                used += 4 * (size_t)words_of[kind];
            }
        put_file(in_folder("kinds"), file, used);
        BODIES b;
        assert_int_equal(orr_snapshot_read(&b, in_folder("kinds")), 0);
        assert_int_equal(b.n, 9);
        for (size_t i = 0; i < 9; i++)
            assert_true(b.mass[i] == (double)i + 1 && b.pos[0][i] == 10 * ((double)i + 1) &&
                        b.pos[1][i] == -1 && b.pos[2][i] == 2 && b.vel[0][i] == 0.5);
    }
}

TEST(bad_tipsy_is_named)
{
    static const struct {
        int32_t header[5]; /* bodies, dimensions, gas, dark, star */
        size_t bytes;
        int code;
        const char *says;
    } cases[] = {
        {{2, 3, 0, 2, 0},
         32 + 2 * 36 - 1,
         ORR_EINPUT,
         "promises 0 gas, 2 dark and 0 star particles, 104 bytes in all, but "
         "the file has 103: cut off"},
        {{2, 3, 0, 2, 0}, 32 + 2 * 36 + 8, ORR_EINPUT, "but the file has 112"},
        {{2000000000, 3, 0, 2000000000, 0}, 100, ORR_EINPUT, "cut off"},
        {{0, 3, 0, 0, 0}, 32, ORR_EINPUT, "holds no bodies"},
        {{2, 1, 0, 2, 0}, 32 + 2 * 36, ORR_EUNSUPPORTED, "one-dimensional"},
        {{2, 3, 1, 2, 0}, 32 + 2 * 36, ORR_EINPUT, "no Tipsy header at byte 8"},
        {{2, 7, 0, 2, 0}, 32 + 2 * 36, ORR_EINPUT, "no Tipsy header at byte 8"},
        {{1, 3, -1, 2, 0}, 32 + 2 * 36, ORR_EINPUT, "no Tipsy header at byte 8"},
        {{2, 3, 0, 2, 0}, 20, ORR_EINPUT, "a Tipsy header has 32 bytes, the file only 20"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int big = 0; big < 2; big++) {
            unsigned char file[256] = {0};
            put_words(file + 8, cases[k].header, 5, big);
            put_file(in_folder("bad.tipsy"), file, cases[k].bytes);
            expect_refused(in_folder("bad.tipsy"), cases[k].code, cases[k].says);
        }
}

TEST(bad_tipsy_values_are_named)
{
    static const struct {
        int word;
        float value;
        const char *says;
    } cases[] = {{0, -2, "body 1 (counted from 0): mass is -2"},
                 {2, NAN, "body 1 (counted from 0): y is not a number"},
                 {6, INFINITY, "body 1 (counted from 0): vz is infinite"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        unsigned char file[32 + 2 * 36] = {0};
        put_words(file + 8, (int32_t[]){2, 3, 0, 2, 0}, 5, true);
        put_words(file + 32 + 36 + 4 * (size_t)cases[k].word, (int32_t[]){bits(cases[k].value)}, 1,
                  true);
        put_file(in_folder("values.tipsy"), file, sizeof file);
        expect_refused(in_folder("values.tipsy"), ORR_EINPUT, cases[k].says);
    }
}

TEST(csv_columns_in_any_order)
{
    static const char *const texts[] = {
        "x,y,z,mass,vx,vy,vz\n1,2,3,4,5,6,7\n8,9,10,11,12,13,14\n",
        "\xef\xbb\xbfvz,mass,x,vy,y,vx,z\r\n7,4,1,6,2,5,3\r\n14,11,8,13,9,12,10",
        "# made by hand\n mass , vx,vy, vz,z,y,x\n\n4,5,6,7,3,2,1\n# more\n 11 "
        ",12,13,14,1e1,9,+8.0\n\n",
    };
    for (size_t k = 0; k < 3; k++) {
        BODIES b;
        put_file(in_folder("order"), texts[k], strlen(texts[k]));
        assert_done(orr_snapshot_read(&b, in_folder("order")));
        assert_int_equal(b.n, 2);
        assert_int_equal(b.dimensions, 3);
        for (int i = 0; i < 2; i++)
            assert_true(b.pos[0][i] == 1 + 7 * i && b.pos[1][i] == 2 + 7 * i &&
                        b.pos[2][i] == 3 + 7 * i && b.mass[i] == 4 + 7 * i &&
                        b.vel[0][i] == 5 + 7 * i && b.vel[1][i] == 6 + 7 * i &&
                        b.vel[2][i] == 7 + 7 * i);
    }
}

TEST(bad_csv_is_named)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "is empty (0 bytes)"},
        {"\n\n# nothing\n", "holds no header line"},
        {"x,y,z,mass\n", "holds no bodies"},
        {"x,y,masss\n1,2,3\n", ":1: 'masss' is no column (did you mean 'mass'?)"},
        {"1,2,3\n4,5,6\n", ":1: '1' is no column"},
        {"x,y,z\n1,2,3\n", ":1: no column 'mass'"},
        {"x,z,mass\n1,2,3\n", ":1: no column 'y'"},
        {"x,y,z,mass,vx,vy\n1,2,3,4,5,6\n", ":1: no column 'vz'"},
        {"x,y,mass,vx\n1,2,3,4\n", ":1: no column 'vy'"},
        {"x,y,mass,vx,vy,vz\n1,2,3,4,5,6\n", ":1: no column 'z'"},
        {"x,y,x,mass\n1,2,3,4\n", ":1: column 'x' is there twice"},
        {"x,y,pos_z,mass\n1,2,3,4\n", ":1: 'pos_z' is no column (did you mean 'z'?)"},
        {"x,y,z,mass,id,ID\n1,2,3,4,5,6\n", ":1: column 'ID' is there twice"},
        {"x,y,mass\n1,2,3\n1,abc,3\n", ":3: y is 'abc', not a finite number"},
        {"x,y,mass\n1,2,3\n1,2\n",
         ":3: 2 fields where the header has 3 columns; is the file cut off?"},
        {"x,y,mass\n1,2,3,4\n", ":2: 4 fields where the header has 3 columns"},
        {"x,y,mass\n1,,3\n", ":2: y is '', not a finite number"},
        {"x,y,mass\n1,nan,3\n", ":2: y is 'nan', not a finite number"},
        {"x,y,mass\ninf,2,3\n", ":2: x is 'inf', not a finite number"},
        {"x,y,mass\n1e999,2,3\n", ":2: x is '1e999', not a finite number"},
        {"x,y,mass\n\n1,2,-3\n", ":3: mass is -3; it must not be negative"},
        {"x,y,mass\n1,2,3 4\n", ":2: mass is '3 4', not a finite number"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        put_file(in_folder("bad.csv"), cases[k].text, strlen(cases[k].text));
        expect_refused(in_folder("bad.csv"), ORR_EINPUT, cases[k].says);
    }
    put_file(in_folder("zero.csv"), "x,y,mass\n1,\0,3\n", 15);
    expect_refused(in_folder("zero.csv"), ORR_EINPUT, ":2: no line of numbers");
    static char endless[100000] = "x,y,mass\n";
    memset(endless + 9, '1', sizeof endless - 9);
    put_file(in_folder("endless.csv"), endless, sizeof endless);
    expect_refused(in_folder("endless.csv"), ORR_EINPUT, ":2: no line of numbers: longer than");
}

TEST(what_is_no_snapshot_is_said)
{
    put_file(in_folder("prose.txt"), "nothing of the kind\n", 20);
    expect_refused(in_folder("prose.txt"), ORR_EINPUT, "neither Gadget HDF5, Tipsy nor CSV");
    expect_refused(in_folder("absent.csv"), ORR_EIO, "No such file or directory");
    expect_refused(folder, ORR_EINPUT, "is not a plain file");
    expect_refused("/dev/zero", ORR_EINPUT, "is not a plain file");
}

/* Changed bytes: test_corpora, and `make fuzz`. */
TEST(cut_files_do_no_harm)
{
    BODIES b = random_bodies(40, 3, true);
    static const char *const ways[] = {"csv", "tipsy", "tipsy-native"};
    for (size_t k = 0; k < 3; k++) {
        assert_int_equal(orr_snapshot_write(&b, in_folder("good"), ways[k]), 0);
        survive_cuts(in_folder("good"), in_folder("damaged"));
    }
}

TEST(writing_fails_cleanly)
{
    BODIES b = random_bodies(5000, 3, true);
    int before = files_in_folder();
    assert_fails(orr_snapshot_write(&b, in_folder("x.unknown"), NULL), ORR_EUSAGE,
                 "names no format");
    assert_fails(orr_snapshot_write(&b, in_folder("x.csv"), "tipsi"), ORR_EUSAGE,
                 "did you mean 'tipsy'");
    assert_fails(orr_snapshot_write(&b, in_folder("no/such/x.csv"), NULL), ORR_EIO,
                 "no/such/x.csv: No such file or directory");
    assert_int_equal(orr_snapshot_write(&b, folder, "csv"), ORR_EIO);
    static const char *const full[] = {"csv", "tipsy"};
    for (int k = 0; k < 2; k++) {
        orr_error_clear();
        assert_int_equal(orr_snapshot_write(&b, "/dev/full", full[k]), ORR_EIO);
        assert_string_equal(orr_error_text(), "cannot write /dev/full: No space left on device");
    }
    orr_error_clear();
    b.vel[1][4321] = 1e39;
    assert_fails(orr_snapshot_write(&b, in_folder("x.tipsy"), NULL), ORR_EINPUT, "body 4321");
    assert_int_equal(files_in_folder(), before);
}

TEST(links_are_followed)
{
    BODIES b = random_bodies(3, 2, true), back;
    put_file(in_folder("real.csv"), "old", 3);
    const char *link = filled("%s", in_folder("link.csv"));
    assert_int_equal(symlink("real.csv", link), 0);
    assert_int_equal(orr_snapshot_write(&b, link, NULL), 0);
    assert_int_equal(orr_snapshot_read(&back, in_folder("real.csv")), 0);
    assert_true(same_bodies(&b, &back));
}

TEST(forces_as_csv)
{
    const float ax[] = {1, 0.1f}, ay[] = {-2, 1e-30f}, az[] = {3, 4}, phi[] = {-5, -6};
    const float *const acc[3] = {ax, ay, az};
    char text[256] = "";
    struct orr_bodies two = {.n = 2}, one = {.n = 1};
    assert_int_equal(orr_forces_write(acc, phi, &two, 3, NULL, in_folder("f.csv")), 0);
    text[get_file(in_folder("f.csv"), (unsigned char *)text, sizeof text - 1)] = '\0';
    assert_string_equal(text, "ax,ay,az,phi\n1,-2,3,-5\n0.100000001,1e-30,4,-6\n");
    assert_int_equal(orr_forces_write(acc, NULL, &one, 2, NULL, in_folder("f.csv")), 0);
    text[get_file(in_folder("f.csv"), (unsigned char *)text, sizeof text - 1)] = '\0';
    assert_string_equal(text, "ax,ay\n1,-2\n");
    assert_fails(orr_forces_write(acc, phi, &two, 3, NULL, "/dev/full"), ORR_EUSAGE,
                 "ends in .csv, .hdf5 or .h5");
    assert_int_equal(orr_forces_check_path("a.CSV"), 0);
    assert_int_equal(orr_forces_check_path("a.tipsy"), ORR_EUSAGE);
}

/* The temporary name may be a link that somebody put there: what it points at stays. */
TEST(a_planted_link_is_not_followed)
{
    static const char *const files[] = {"planted.csv", "planted.tipsy",
#ifdef ORR_HAVE_HDF5
                                        "planted.h5"
#endif
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        BODIES b = random_bodies(3, 3, true), back;
        char victim[1024], link[1100], left[9] = "";
        snprintf(victim, sizeof victim, "%s", in_folder("victim"));
        snprintf(link, sizeof link, "%s.part-%ld", in_folder(files[k]), (long)getpid());
        put_file(victim, "precious", 8);
        assert_int_equal(symlink(victim, link), 0);
        assert_int_equal(orr_snapshot_write(&b, in_folder(files[k]), NULL), 0);
        assert_int_equal(orr_snapshot_read(&back, in_folder(files[k])), 0);
        assert_int_equal(back.n, 3);
        assert_int_equal(get_file(victim, (unsigned char *)left, 8), 8);
        assert_string_equal(left, "precious");
    }
}

RUN_TESTS(make_folder, remove_folder)
