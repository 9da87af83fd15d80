/* SPDX-License-Identifier: MIT */
/* Data sets and bodies: the bits, the ranges, and the physics that each set promises. */
#include "datasets/dataset.h"
#include "datasets/rng.h"
#include "tests/cases.h"
#include "text.h"
#include "paths.h"

static int clear(void **state)
{
    orr_error_clear();
    return 0;
}

static struct orr_bodies make(const char *name, size_t n, uint64_t seed)
{
    struct orr_bodies bodies;
    assert_done(orr_dataset_make(&bodies, name, n, seed));
    return bodies;
}

/* Philox4x32-10's published first block for counter 0 and key 0. */
TEST_AROUND(random_numbers_are_philox, clear, NULL)
{
    struct orr_rng rng = orr_rng_make(0, 0, 0);
    double second = orr_rng_uniform(&rng), first = orr_rng_uniform(&rng);
    assert_true(second == (double)(0x9b00dbd8bc57ac4cu >> 11) * 0x1p-53);
    assert_true(first == (double)(0xe169c58d6627e8d5u >> 11) * 0x1p-53);
    assert_true(orr_rng_uniform(&rng) != second);
}

TEST_AROUND(every_set_is_sound, clear, NULL)
{
    size_t count;
    const struct orr_dataset *sets = orr_dataset_all(&count);
    assert_true(count >= 6);
    for (size_t k = 0; k < count; k++) {
        size_t unit = sets[k].boxed ? (size_t)1 << 2 * sets[k].default_level : 1;
        size_t sizes[] = {sets[k].boxed ? unit : sets[k].min_n, 60 * unit,
                          sets[k].boxed ? 3 * unit : 996, 0};
        for (size_t s = 0; s < 4; s++) {
            BODIES a = make(sets[k].name, sizes[s], 5), b = make(sets[k].name, sizes[s], 5);
            char first[65], second[65];
            assert_int_equal(a.n, sizes[s] ? sizes[s] : sets[k].default_n);
            assert_int_equal(a.dimensions, sets[k].dimensions);
            assert_true(a.eps == sets[k].eps && a.dt == sets[k].dt);
            assert_int_equal(orr_bodies_check(&a), 0);
            orr_bodies_sha256(&a, first);
            orr_bodies_round(&a);
            orr_bodies_sha256(&b, second);
            assert_string_equal(first, second);
            orr_bodies_sha256(&a, second);
            assert_string_equal(first, second);
            orr_bodies_release(&b);
        }
        BODIES a = make(sets[k].name, 60 * unit, 1), b = make(sets[k].name, 60 * unit, 2);
        assert_true(a.pos[0][7] != b.pos[0][7]);
        orr_bodies_release(&b);
    }
}

TEST_AROUND(wrong_requests_are_named, clear, NULL)
{
    static const struct {
        const char *name, *says;
        size_t n;
    } cases[] = {
        {"plumer", "did you mean 'plummer'", 10},
        {"random-3D", "did you mean 'random-3d'", 10},
        {"figure-eight-3", "not a multiple of 3", 100},
        {"figure-eight-4", "takes 4 to", 3},
        {"cartwheel", "takes 3 to", 2},
        {"random-3d", "out of range", 100000001},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct orr_bodies bodies;
        orr_error_clear();
        assert_int_equal(orr_dataset_make(&bodies, cases[k].name, cases[k].n, 1), ORR_EUSAGE);
        assert_non_null(strstr(orr_error_text(), cases[k].says));
        assert_null(bodies.mass);
    }
}

/* One body a galaxy is the choreography itself: it must come back after its period, L^1.5 times the
 * published one. */
static double distance_after_period(const char *name, size_t n, double period)
{
    enum { STEPS = 40000 };
    BODIES b = make(name, n, 1), start = make(name, n, 1);
    double h = period * sqrt(1000) / STEPS, worst = 0;
    for (int step = 0; step < STEPS; step++) {
        for (size_t i = 0; i < n; i++)
            for (int k = 0; k < 3; k++)
                b.pos[k][i] += h / 2 * b.vel[k][i];
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                double d[3], r2 = 0;
                for (int k = 0; k < 3; k++) {
                    d[k] = b.pos[k][j] - b.pos[k][i];
                    r2 += d[k] * d[k];
                }
                for (int k = 0; k < 3 && i != j; k++)
                    b.vel[k][i] += h * b.mass[j] * d[k] / (r2 * sqrt(r2));
            }
        for (size_t i = 0; i < n; i++)
            for (int k = 0; k < 3; k++)
                b.pos[k][i] += h / 2 * b.vel[k][i];
    }
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fabs(b.pos[k][i] - start.pos[k][i]));
    return worst;
}

TEST_AROUND(figure_eights_close, clear, NULL)
{
    assert_true(distance_after_period("figure-eight-3", 3, 6.3259139829262116775890) < 1e-3);
    assert_true(distance_after_period("figure-eight-4", 4, 2 * 3.14159265358979323846) < 1e-2);
}

TEST_AROUND(bad_values_are_found, clear, NULL)
{
    static const struct {
        int column;
        double value;
        const char *says;
    } cases[] = {{1, NAN, "body 4 (counted from 0): y is not a number"},
                 {5, -INFINITY, "vz is infinite"},
                 {6, -1, "mass is -1"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        BODIES b = make("plummer", 9, 1);
        orr_error_clear();
        orr_bodies_column(&b, cases[k].column)[4] = cases[k].value;
        assert_int_equal(orr_bodies_check(&b), ORR_EINPUT);
        assert_non_null(strstr(orr_error_text(), cases[k].says));
    }
}

TEST_AROUND(coincident_bodies_are_found, clear, NULL)
{
    BODIES b = make("random-3d", 20000, 1);
    size_t i = 0, j = 0;
    assert_int_equal(orr_bodies_coincident(&b, &i, &j), 0);
    for (int k = 0; k < 3; k++)
        b.pos[k][17777] = b.pos[k][41] + 1e-12;
    assert_int_equal(orr_bodies_coincident(&b, &i, &j), 0);
    orr_bodies_round(&b);
    assert_int_equal(orr_bodies_coincident(&b, &i, &j), 1);
    assert_int_equal(i, 41);
    assert_int_equal(j, 17777);
    for (int k = 0; k < 3; k++)
        b.pos[k][3] = 0.0, b.pos[k][9] = -0.0;
    assert_int_equal(orr_bodies_coincident(&b, &i, &j), 1);
    assert_int_equal(i, 3);
    assert_int_equal(j, 9);
}

/* So many that threads share the work, which must not decide which two are named. */
TEST_AROUND(coincident_among_many, clear, NULL)
{
    BODIES b = make("random-3d", 2 * ORR_BODIES_MANY + 1, 1);
    size_t i = 0, j = 0;
    assert_int_equal(orr_bodies_coincident(&b, &i, &j), 0);
    const size_t same[] = {7, 60000, 150000, (size_t)2 * ORR_BODIES_MANY};
    for (int k = 0; k < 3; k++) {
        for (size_t s = 1; s < sizeof same / sizeof *same; s++)
            b.pos[k][same[s]] = b.pos[k][same[0]];
        b.pos[k][199999] = b.pos[k][3];
    }
    for (int again = 0; again < 3; again++) {
        assert_int_equal(orr_bodies_coincident(&b, &i, &j), 1);
        assert_int_equal(i, 7);
        assert_int_equal(j, 60000);
    }
}

/* At every length around a block, in pieces of any size; FIPS 180-4's own examples. */
TEST_AROUND(digests_do_not_depend_on_pieces, clear, NULL)
{
    char expected[65], got[65];
    unsigned char bytes[300];
    for (size_t k = 0; k < sizeof bytes; k++)
        bytes[k] = (unsigned char)(k * 37 + 11);
    for (size_t count = 0; count <= sizeof bytes; count++) {
        struct orr_digest digest;
        orr_digest_begin(&digest);
        for (size_t at = 0, piece = 1 + count % 97; at < count; at += piece)
            orr_digest_add(&digest, bytes + at, count - at < piece ? count - at : piece);
        orr_digest_end(&digest, got);
        orr_text_sha256(bytes, count, expected);
        assert_string_equal(got, expected);
    }
    orr_text_sha256("abc", 3, got);
    assert_string_equal(got, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    orr_text_sha256("", 0, got);
    assert_string_equal(got, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_AROUND(hash_is_of_little_endian_doubles, clear, NULL)
{
    struct orr_bodies b;
    double flat[2 + 7 * 3] = {3, 2};
    char expected[65], got[65];
    b = bodies_made(3, 2);
    for (int k = 0; k < 7; k++)
        for (size_t i = 0; i < 3; i++)
            flat[2 + 3 * (size_t)k + i] = orr_bodies_column(&b, k)[i] = 10 * k + (double)i + 0.5;
    orr_text_sha256(flat, sizeof flat, expected); /* the tests' machines are little-endian */
    orr_bodies_sha256(&b, got);
    assert_string_equal(expected, got);
    orr_bodies_release(&b);
    orr_bodies_release(&b);
    assert_int_equal(orr_bodies_make(&b, SIZE_MAX / 4, 3), ORR_EMEMORY);
    assert_null(b.pos[0]);
}

static int check_entry(const struct orr_manifest_entry *entry, void *context)
{
    char hash[65];
    struct orr_bodies b = make(entry->name, entry->n, entry->seed);
    orr_bodies_sha256(&b, hash);
    assert_string_equal(hash, entry->sha256);
    orr_bodies_release(&b);
    ++*(int *)context;
    return 0;
}

TEST_AROUND(manifest_holds, clear, NULL)
{
    int entries = 0;
    char path[1024];
    assert_int_equal(orr_paths_home(path, sizeof path, "datasets/manifest"), 0);
    assert_int_equal(orr_manifest_read(path, check_entry, &entries), 0);
    assert_true(entries >= 10);
}

TEST_AROUND(manifest_errors_have_a_line, clear, NULL)
{
    char path[] = "/tmp/orrery-manifest-XXXXXX";
    static const char text[] = "# a comment\n\nplummer 10 1 abc\n";
    int descriptor = mkstemp(path), entries = 0;
    assert_true(descriptor >= 0 && write(descriptor, text, strlen(text)) == (ssize_t)strlen(text));
    close(descriptor);
    assert_int_equal(orr_manifest_read(path, check_entry, &entries), ORR_EINPUT);
    assert_non_null(strstr(orr_error_text(), ":3: not of the form"));
    unlink(path);
    orr_error_clear();
    assert_int_equal(orr_manifest_read(path, check_entry, &entries), ORR_EIO);
}

RUN_TESTS(NULL, NULL)
