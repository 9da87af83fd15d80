/* SPDX-License-Identifier: MIT */
/* Data sets and bodies: the bits, the ranges, and the physics that each set promises. */
#include "datasets/dataset.h"
#include "datasets/rng.h"
#include "tests/cases.h"
#include "tests/random_for_tests.h"
#include "text.h"
#include "paths.h"

static struct orr_bodies make(const char *name, size_t n, uint64_t own_seed)
{
    struct orr_bodies bodies;
    assert_done(orr_dataset_make(&bodies, name, n, own_seed));
    return bodies;
}

TEST(every_set_is_sound)
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
        }
        BODIES a = make(sets[k].name, 60 * unit, 1), b = make(sets[k].name, 60 * unit, 2);
        assert_true(a.pos[0][7] != b.pos[0][7]);
    }
}

TEST(wrong_requests_are_named)
{
    static const struct {
        const char *name, *says;
        size_t n;
        int level; /* -1: none is asked for */
    } cases[] = {
        {"plumer", "did you mean 'plummer'", 10, -1},
        {"random-3D", "did you mean 'random-3d'", 10, -1},
        {"figure-eight-3", "not a multiple of 3", 100, -1},
        {"figure-eight-4", "takes 4 to", 3, -1},
        {"cartwheel", "takes 3 to", 2, -1},
        {"random-3d", "out of range", 100000001, -1},
        {"uniform-boxes",
         "uniform-boxes: n = 1000 is not a multiple of 1024, the boxes of level 5; the nearest "
         "that is: 1024",
         1000, 5},
        {"uniform-boxes", "the nearest that is: 1536", 1500, 4},
        {"uniform-boxes",
         "n = 100000001 is out of range; it takes 16 to 100000000 bodies at level 2", 100000001, 2},
        {"uniform-boxes", "uniform-boxes: level = 13 is out of range; it takes 0 to 12", 100, 13},
        {"uniform-boxes", "the nearest that is: 83886080", 99999999, 12},
        {"uniform-boxes", "n = 1073741824 is out of range; it takes 16777216 to 100000000", 0, 12},
        {"plummer", "plummer is not made of boxes, so it takes no level", 10, 2},
        {"uniform-boxs", "no data set 'uniform-boxs'; did you mean 'uniform-boxes'?", 64, 2},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct orr_bodies bodies;
        assert_int_equal(
            cases[k].level < 0
                ? orr_dataset_make(&bodies, cases[k].name, cases[k].n, 1)
                : orr_dataset_make_boxes(&bodies, cases[k].name, cases[k].n, cases[k].level, 1),
            ORR_EUSAGE);
        assert_null(bodies.mass);
        assert_says(cases[k].says);
    }
}

static void drift(struct orr_bodies *b, double h)
{
    for (size_t i = 0; i < b->n; i++)
        for (int k = 0; k < 3; k++)
            b->pos[k][i] += h * b->vel[k][i];
}

/* One body a galaxy is the choreography itself: it must come back after its period, L^1.5 times the
 * published one. */
static double distance_after_period(const char *name, size_t n, double period)
{
    enum { STEPS = 40000 };
    BODIES b = make(name, n, 1), start = make(name, n, 1);
    double h = period * sqrt(1000) / STEPS, worst = 0;
    for (int step = 0; step < STEPS; step++) {
        drift(&b, h / 2);
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
        drift(&b, h / 2);
    }
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fabs(b.pos[k][i] - start.pos[k][i]));
    return worst;
}

TEST(figure_eights_close)
{
    assert_true(distance_after_period("figure-eight-3", 3, 6.3259139829262116775890) < 1e-3);
    assert_true(distance_after_period("figure-eight-4", 4, 2 * 3.14159265358979323846) < 1e-2);
}

TEST(bad_values_are_found)
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
        assert_fails(orr_bodies_check(&b), ORR_EINPUT, cases[k].says);
    }
}

TEST(coincident_bodies_are_found)
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
TEST(coincident_among_many)
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
TEST(digests_do_not_depend_on_pieces)
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

TEST(bodies_beyond_memory_are_refused)
{
    struct orr_bodies b = bodies_made(3, 2);
    orr_bodies_release(&b);
    orr_bodies_release(&b);
    assert_int_equal(orr_bodies_make(&b, SIZE_MAX / 4, 3), ORR_EMEMORY);
    assert_null(b.pos[0]);
}

static int check_entry(const struct orr_manifest_entry *entry, void *context)
{
    char hash[65];
    BODIES b = make(entry->name, entry->n, entry->seed);
    orr_bodies_sha256(&b, hash);
    assert_string_equal(hash, entry->sha256);
    ++*(int *)context;
    return 0;
}

TEST(manifest_holds)
{
    int entries = 0;
    char path[1024];
    assert_int_equal(orr_paths_home(path, sizeof path, "datasets/manifest"), 0);
    assert_int_equal(orr_manifest_read(path, check_entry, &entries), 0);
    assert_true(entries >= 10);
}

TEST(manifest_errors_have_a_line)
{
    char path[] = "/tmp/orrery-manifest-XXXXXX";
    int entries = 0;
    close(mkstemp(path));
    write_text(path, "# a comment\n\nplummer 10 1 abc\n");
    assert_fails(orr_manifest_read(path, check_entry, &entries), ORR_EINPUT, ":3: not of the form");
    unlink(path);
    orr_error_clear();
    assert_int_equal(orr_manifest_read(path, check_entry, &entries), ORR_EIO);
}

/* --- uniform-boxes: exactly as many bodies in every box, by arithmetic that shares nothing with
 * its own --- */

static struct orr_bodies make_boxes(size_t n, int level, uint64_t own_seed)
{
    struct orr_bodies bodies;
    assert_done(orr_dataset_make_boxes(&bodies, "uniform-boxes", n, level, own_seed));
    return bodies;
}

/* Row by row, not along the curve. */
static size_t box_of(const struct orr_bodies *b, size_t i, int level)
{
    double side = pow(2, level);
    return (size_t)(floor(b->pos[1][i] * side) * side + floor(b->pos[0][i] * side));
}

static void check_counts(const struct orr_bodies *b, size_t per_box, int level)
{
    size_t boxes = b->n / per_box, *count = calloc(boxes, sizeof *count);
    assert_non_null(count);
    for (size_t i = 0; i < b->n; i++) {
        size_t box = box_of(b, i, level);
        assert_true(box < boxes);
        count[box]++;
    }
    for (size_t box = 0; box < boxes; box++)
        assert_int_equal(count[box], per_box);
    free(count);
}

static void check_values(const struct orr_bodies *b, int level)
{
    float side = powf(2, (float)level);
    assert_true(b->corner[0] == 0 && b->corner[1] == 0 && b->edge == 1 && b->eps == 1e-4 &&
                b->dt == 0);
    for (size_t i = 0; i < b->n; i++) {
        for (int d = 0; d < 2; d++) {
            double x = b->pos[d][i];
            assert_true(x >= 0 && x < 1 && x == (double)(float)x);
            assert_true(x * 16777216 == floor(x * 16777216));
            assert_true(floorf((float)x * side) == (float)floor(x * (double)side));
            assert_true(b->vel[d][i] == 0);
        }
        assert_true(b->pos[2][i] == 0 && b->vel[2][i] == 0);
        assert_true(b->mass[i] >= 0.5 && b->mass[i] <= 1.5 &&
                    b->mass[i] == (double)(float)b->mass[i]);
    }
}

TEST(every_box_has_as_many)
{
    for (int level = 0; level <= 8; level++) {
        size_t per_box = level == 8 ? 1 : 1 + (size_t)(seed >> level) % 37;
        BODIES b = make_boxes(per_box << 2 * level, level, seed + (uint64_t)level);
        check_counts(&b, per_box, level);
        check_values(&b, level);
    }
}

TEST(small_boxes_work)
{
    BODIES b = make_boxes((size_t)1 << 20, 10, seed);
    check_counts(&b, 1, 10);
}

TEST(bits_depend_on_level_and_seed_alone)
{
    BODIES one = make_boxes(5 << 8, 4, seed), same = make_boxes(9 << 8, 4, seed),
           other = make_boxes(5 << 8, 4, seed + 1), coarse = make_boxes(5 << 8, 3, seed);
    for (int k = 0; k < ORR_COLUMNS; k++)
        assert_memory_equal(orr_bodies_column(&one, k), orr_bodies_column(&same, k),
                            one.n * sizeof(double));
    assert_memory_not_equal(one.pos[0], other.pos[0], one.n * sizeof(double));
    assert_memory_not_equal(one.pos[0], coarse.pos[0], one.n * sizeof(double));
}

TEST(level_and_n_have_defaults)
{
    BODIES b = make_boxes(0, -1, 1), c = make_boxes(0, 3, 1), d;
    assert_int_equal(b.n, 64 << 14);
    assert_int_equal(c.n, 64 << 6);
    assert_int_equal(orr_dataset_make(&d, "uniform-boxes", 3 << 14, 2), 0);
    check_counts(&d, 3, 7);
}

RUN_TESTS(NULL, NULL)
