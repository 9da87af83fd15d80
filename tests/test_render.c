/* Density pictures: where a body lands and what colour it has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "render_for_tests.h"

static void a_body_lands_on_its_pixel(void **state)
{
    static const char *const planes[] = {"xy", "xz", "yz"};
    struct orr_rng rng = numbers(1);
    struct orr_bodies b;
    (void)state;
    assert_int_equal(orr_bodies_make(&b, 1, 3), 0);
    for (int k = 0; k < 300; k++) {
        struct orr_view view = unit_view(planes[k % 3]);
        int column = (int)(orr_rng_uniform(&rng) * WIDTH),
            row = (int)(orr_rng_uniform(&rng) * HEIGHT), c, r;
        for (int d = 0; d < 3; d++)
            b.pos[d][0] = 1e6; /* the axis that is not seen does not matter */
        b.pos[view.across][0] = -2 + 4.0 * (column + 0.1 + 0.8 * orr_rng_uniform(&rng)) / WIDTH;
        b.pos[view.up][0] = 4 - 3.0 * (row + 0.1 + 0.8 * orr_rng_uniform(&rng)) / HEIGHT;
        assert_true(orr_view_pixel(&view, &b, 0, &c, &r));
        assert_int_equal(c, column);
        assert_int_equal(r, row);
    }
    orr_bodies_release(&b);
}

static void the_view_is_half_open(void **state)
{
    static const struct {
        double x, y;
        bool inside;
    } places[] = {
        {-2, 1, true},          {2, 1, false},        {-2, 4, false},    {1.999999, 3.999999, true},
        {-2.0000001, 2, false}, {0, 0.999999, false}, {1e308, 2, false}, {-1e308, -1e308, false}};
    struct orr_view view = unit_view("xy");
    struct orr_bodies b;
    (void)state;
    assert_int_equal(orr_bodies_make(&b, 1, 2), 0);
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        int column, row;
        b.pos[0][0] = places[k].x;
        b.pos[1][0] = places[k].y;
        assert_int_equal(orr_view_pixel(&view, &b, 0, &column, &row), places[k].inside);
        assert_true(!places[k].inside ||
                    (column >= 0 && column < WIDTH && row >= 0 && row < HEIGHT));
    }
    orr_bodies_release(&b);
}

static void options_of_a_view(void **state)
{
    static const char *const bad_sizes[] = {"",      "800",      "800x",   "x800",  "-8x80",
                                            "15x16", "8193x100", "80x80x", " 80x80"};
    static const char *const bad_windows[] = {"",        "0:1",     "0:1,",      "1:0,0:1",
                                              "0:1,0:0", "a:1,0:1", "0:nan,0:1", "0:1,0:1,"};
    struct orr_view view;
    (void)state;
    assert_int_equal(orr_view_parse_size(&view, "16x8192"), 0);
    assert_true(view.width == 16 && view.height == 8192);
    assert_int_equal(orr_view_parse_window(&view, "-1.5:2e3,0:.25"), 0);
    assert_true(view.low[0] == -1.5 && view.high[0] == 2e3 && view.low[1] == 0 &&
                view.high[1] == 0.25);
    for (size_t k = 0; k < sizeof bad_sizes / sizeof *bad_sizes; k++, orr_error_clear())
        assert_int_equal(orr_view_parse_size(&view, bad_sizes[k]), ORR_EUSAGE);
    for (size_t k = 0; k < sizeof bad_windows / sizeof *bad_windows; k++, orr_error_clear())
        assert_int_equal(orr_view_parse_window(&view, bad_windows[k]), ORR_EUSAGE);
    assert_int_equal(orr_view_parse_plane(&view, "zx"), ORR_EUSAGE);
}

/* How many are in view. */
static size_t seen(const struct orr_view *view, const struct orr_bodies *b)
{
    size_t count = 0;
    int column, row;
    for (size_t i = 0; i < b->n; i++)
        count += orr_view_pixel(view, b, i, &column, &row);
    return count;
}

static void the_view_fits_the_bodies(void **state)
{
    struct orr_view view = {.width = WIDTH, .height = HEIGHT, .up = 1};
    struct orr_bodies b = some_bodies(20000, 2, 2);
    (void)state;
    for (size_t i = 0; i < 50; i++)
        b.pos[0][i] = 1e9; /* a few far away do not count */
    assert_int_equal(orr_view_fit(&view, &b), 0);
    assert_in_range(seen(&view, &b), 19000, 19999);
    assert_true(view.high[0] < 10 && view.low[0] > -10);
    double across = (view.high[0] - view.low[0]) / WIDTH,
           up = (view.high[1] - view.low[1]) / HEIGHT;
    assert_true(fabs(across / up - 1) < 1e-12); /* shapes stay true */
    b.n = 1;
    assert_int_equal(orr_view_fit(&view, &b), 0);
    assert_int_equal(seen(&view, &b), 1);
    b.n = 0;
    assert_int_equal(orr_view_fit(&view, &b), 0);
    assert_true(view.low[0] < view.high[0] && view.low[1] == -1 && view.high[1] == 1);
    b.n = 2;
    b.pos[0][0] = -1.7e308, b.pos[0][1] = 1.7e308;
    assert_int_equal(orr_view_fit(&view, &b), ORR_EINPUT);
    orr_error_clear();
    b.n = 1, b.pos[0][0] = 1e300;
    assert_int_equal(orr_view_fit(&view, &b), ORR_EINPUT);
    b.n = 20000;
    orr_bodies_release(&b);
}

static double sum(const struct orr_density *density)
{
    double all = 0;
    for (int k = 0; k < density->width * density->height; k++)
        all += density->light[k];
    return all;
}

static void density_counts_bodies_or_mass(void **state)
{
    struct orr_view view = unit_view("yz");
    struct orr_bodies b = some_bodies(5000, 3, 3);
    struct orr_density density;
    double mass = 0;
    int column, row;
    (void)state;
    assert_int_equal(orr_density_make(&density, WIDTH, HEIGHT), 0);
    for (size_t i = 0; i < b.n; i++)
        mass += orr_view_pixel(&view, &b, i, &column, &row) ? b.mass[i] : 0;
    orr_density_count(&density, &view, &b, ORR_WEIGHT_NUMBER);
    assert_true(sum(&density) == (double)seen(&view, &b));
    orr_density_count(&density, &view, &b, ORR_WEIGHT_MASS);
    assert_true(fabs(sum(&density) - mass) < 1e-9 * mass);
    orr_density_release(&density);
    orr_bodies_release(&b);
}

static void smearing_keeps_the_light(void **state)
{
    static const double sigmas[] = {0, 0.5, 1, 2.5};
    struct orr_density density;
    (void)state;
    assert_int_equal(orr_density_make(&density, WIDTH, HEIGHT), 0);
    for (size_t k = 0; k < 4; k++) {
        memset(density.light, 0, WIDTH * HEIGHT * sizeof(double));
        density.light[15 * WIDTH + 20] = 3;
        assert_int_equal(orr_density_smear(&density, sigmas[k]), 0);
        assert_true(fabs(sum(&density) - 3) < 1e-12);
        assert_true(orr_density_peak(&density) == density.light[15 * WIDTH + 20]);
        assert_true(fabs(orr_density_peak(&density) - 3 * orr_density_kept(sigmas[k])) < 1e-12);
        assert_true(fabs(density.light[15 * WIDTH + 21] - density.light[14 * WIDTH + 20]) < 1e-15);
    }
    orr_density_release(&density);
}

static void the_scale_is_logarithmic(void **state)
{
    const struct orr_scale scale = {0.5, 512};
    (void)state;
    assert_int_equal(orr_colour_of(&scale, 0), 0);
    assert_int_equal(orr_colour_of(&scale, 0.4999), 0);
    assert_int_equal(orr_colour_of(&scale, 0.5), 1);
    assert_int_equal(orr_colour_of(&scale, 512), ORR_COLOURS - 1);
    assert_int_equal(orr_colour_of(&scale, 1e300), ORR_COLOURS - 1);
    for (int k = 0; k <= 10; k++) /* a factor of 2 is a tenth of the way */
        assert_in_range(orr_colour_of(&scale, 0.5 * pow(2, k)), 1 + 25 * k, 1 + 26 * k);
}

static double lightness(const unsigned char rgb[3])
{
    double y = 0;
    static const double share[] = {0.2126, 0.7152, 0.0722};
    for (int k = 0; k < 3; k++)
        y += share[k] * pow(rgb[k] / 255.0, 2.2);
    return cbrt(y);
}

static void colours_grow_lighter_evenly(void **state)
{
    static const char *const names[] = {"dusk", "grey"};
    struct orr_colours c;
    (void)state;
    for (int m = 0; m < 2; m++) {
        assert_int_equal(orr_colour_map(&c, names[m]), 0);
        assert_true(c.rgb[0][0] == 0 && c.rgb[0][1] == 0 && c.rgb[0][2] == 0);
        double first = lightness(c.rgb[1]), all = lightness(c.rgb[ORR_COLOURS - 1]) - first;
        for (int k = 16; k < ORR_COLOURS; k += 16)
            assert_true(fabs((lightness(c.rgb[k]) - first) / all - (k - 1) / 254.0) < 0.06);
    }
    assert_int_equal(orr_colour_map(&c, "gray"), ORR_EUSAGE);
    assert_non_null(strstr(orr_error_text(), "grey"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_body_lands_on_its_pixel, clear),
        cmocka_unit_test_setup(the_view_is_half_open, clear),
        cmocka_unit_test_setup(options_of_a_view, clear),
        cmocka_unit_test_setup(the_view_fits_the_bodies, clear),
        cmocka_unit_test_setup(density_counts_bodies_or_mass, clear),
        cmocka_unit_test_setup(smearing_keeps_the_light, clear),
        cmocka_unit_test_setup(the_scale_is_logarithmic, clear),
        cmocka_unit_test_setup(colours_grow_lighter_evenly, clear),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
