/* Density pictures: what is read, and what is in the files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "render_for_tests.h"
#include "render/render.h"

#ifdef ORR_HAVE_PICTURES
#include <gif_lib.h>
#include <png.h>
#endif

static void positions_without_masses(void **state)
{
    struct orr_bodies b;
    bool weighed;
    (void)state;
    FILE *file = fopen(in_folder("bodies.csv"), "w");
    fputs("1,2,0\n-1e-3,4.5,0\r\n3,3,0", file);
    fclose(file);
    assert_int_equal(orr_bodies_file_read(&b, &weighed, in_folder("bodies.csv")), 0);
    assert_true(!weighed && b.n == 3 && b.dimensions == 2 && b.pos[0][1] == -1e-3 &&
                b.pos[1][2] == 3);
    orr_bodies_release(&b);
    file = fopen(in_folder("bodies.csv"), "w");
    fputs("1,2,0\n1,1,7\n1,2\n", file);
    fclose(file);
    assert_int_equal(orr_bodies_file_read(&b, &weighed, in_folder("bodies.csv")), ORR_EINPUT);
    assert_non_null(strstr(orr_error_text(), "bodies.csv:3"));
    orr_error_clear();
    struct orr_bodies snapshot = some_bodies(7, 3, 4);
    assert_int_equal(orr_snapshot_write(&snapshot, in_folder("s.csv"), NULL), 0);
    assert_int_equal(orr_bodies_file_read(&b, &weighed, in_folder("s.csv")), 0);
    assert_true(weighed && b.n == 7 && b.dimensions == 3);
    orr_bodies_release(&b);
    orr_bodies_release(&snapshot);
    assert_int_equal(orr_bodies_file_read(&b, &weighed, in_folder("nowhere.csv")), ORR_EIO);
}

static struct orr_film a_film(double smear)
{
    struct orr_film film = {
        .view = unit_view("xy"), .weight = ORR_WEIGHT_NUMBER, .smear = smear, .fps = 30};
    assert_int_equal(orr_colour_map(&film.colours, "dusk"), 0);
    return film;
}

/* Files in the folder whose name holds `word`. */
static int files_with(const char *word)
{
    DIR *dir = opendir(folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(dir));)
        count += strstr(entry->d_name, word) != NULL;
    closedir(dir);
    return count;
}

static void what_cannot_be_drawn(void **state)
{
    struct orr_film film = a_film(NAN);
    struct orr_bodies flat = some_bodies(9, 2, 5);
    bool animated;
    (void)state;
    assert_int_equal(orr_view_parse_plane(&film.view, "xz"), 0);
    assert_int_equal(orr_film_expose(&film, &flat), ORR_EUSAGE);
    orr_film_release(&film);
    orr_error_clear();
    film = a_film(0);
    assert_int_equal(orr_film_expose(&film, &flat), 0);
    assert_int_equal(orr_film_expose(&film, &flat), 0);
    assert_int_equal(orr_film_write(&film, in_folder("two.png")), ORR_EUSAGE);
    orr_error_clear();
    assert_int_equal(orr_film_write(&film, in_folder("no/two.gif")), ORR_EIO);
    orr_error_clear();
    assert_int_equal(orr_picture_kind(&animated, ".gif"), ORR_EUSAGE);
    orr_error_clear();
    assert_int_equal(orr_picture_kind(&animated, "a.GIF"), 0);
    assert_true(animated);
    assert_int_equal(files_with("two"), 0);
    orr_film_release(&film);
    orr_bodies_release(&flat);
}

#ifdef ORR_HAVE_PICTURES
/* The picture in the folder as RGB. Free it. */
static unsigned char *read_png(const char *name, int width, int height)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, in_folder(name)));
    assert_true((int)image.width == width && (int)image.height == height);
    image.format = PNG_FORMAT_RGB;
    unsigned char *pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    return pixels;
}

static void draw(struct orr_film *film, const struct orr_bodies *bodies, const char *name)
{
    assert_int_equal(orr_film_expose(film, bodies), 0);
    assert_int_equal(orr_film_write(film, in_folder(name)), 0);
    orr_film_release(film);
}

static void a_png_holds_the_colours(void **state)
{
    struct orr_film film = a_film(0), again = a_film(0);
    struct orr_bodies b = some_bodies(3, 2, 6);
    (void)state;
    film.has_window = again.has_window = true;
    const double x[] = {0.05, 0.05, -1.95},
                 y[] = {3.95, 3.95, 1.05}; /* columns 20, 20, 0, rows 0, 0, 29 */
    for (int i = 0; i < 3; i++)
        b.pos[0][i] = x[i], b.pos[1][i] = y[i];
    draw(&film, &b, "a.png");
    draw(&again, &b, "b.png");
    unsigned char *pixels = read_png("a.png", WIDTH, HEIGHT),
                  *same = read_png("b.png", WIDTH, HEIGHT);
    const struct orr_scale scale = {0.5, 2};
    const unsigned char(*rgb)[3] = film.colours.rgb;
    for (int k = 0; k < WIDTH * HEIGHT; k++) {
        int light = k == 20 ? 2 : k == 29 * WIDTH ? 1 : 0;
        assert_memory_equal(pixels + 3 * k, rgb[orr_colour_of(&scale, light)], 3);
    }
    assert_memory_equal(pixels, same, 3 * WIDTH * HEIGHT);
    free(pixels);
    free(same);
    orr_bodies_release(&b);
}

static void no_bodies_are_a_black_picture(void **state)
{
    struct orr_film film = a_film(NAN);
    struct orr_bodies none = some_bodies(1, 2, 7);
    (void)state;
    none.n = 0;
    draw(&film, &none, "none.png");
    unsigned char *pixels = read_png("none.png", WIDTH, HEIGHT);
    for (int k = 0; k < 3 * WIDTH * HEIGHT; k++)
        assert_int_equal(pixels[k], 0);
    free(pixels);
    none.n = 1;
    orr_bodies_release(&none);
}

/* Delay of a frame in hundredths of a second. */
static int delay_of(GifFileType *gif, int frame)
{
    GraphicsControlBlock control;
    assert_int_equal(DGifSavedExtensionToGCB(gif, frame, &control), GIF_OK);
    return control.DelayTime;
}

static void a_gif_holds_every_frame(void **state)
{
    enum { FRAMES = 6 };
    struct orr_film film = a_film(NAN);
    int error, hundredths = 0;
    (void)state;
    for (int k = 0; k < FRAMES; k++) { /* as many bodies as there are in each input */
        struct orr_bodies b = some_bodies(k == 3 ? 1 : (size_t)(200 * k + 10), k % 2 ? 3 : 2, 8);
        assert_int_equal(orr_film_expose(&film, &b), 0);
        orr_bodies_release(&b);
    }
    assert_int_equal(orr_film_write(&film, in_folder("film.gif")), 0);
    GifFileType *gif = DGifOpenFileName(in_folder("film.gif"), &error);
    assert_non_null(gif);
    assert_int_equal(DGifSlurp(gif), GIF_OK);
    assert_int_equal(gif->ImageCount, FRAMES);
    int brightest = 0;
    for (int k = 0; k < FRAMES; k++) {
        const SavedImage *image = &gif->SavedImages[k];
        assert_true(image->ImageDesc.Width == WIDTH && image->ImageDesc.Height == HEIGHT);
        for (int p = 0; p < WIDTH * HEIGHT; p++)
            brightest = image->RasterBits[p] > brightest ? image->RasterBits[p] : brightest;
        hundredths += delay_of(gif, k);
    }
    assert_int_equal(brightest, ORR_COLOURS - 1); /* the scale is that of all frames */
    assert_int_equal(hundredths, 20);             /* 6 frames at 30 a second */
    assert_memory_equal(&gif->SColorMap->Colors[255], film.colours.rgb[255], 3);
    DGifCloseFile(gif, &error);
    orr_film_release(&film);
}

static void a_full_disk_leaves_nothing(void **state)
{
    struct orr_film film = a_film(0);
    struct orr_bodies b = some_bodies(100, 2, 9);
    (void)state;
    assert_int_equal(orr_film_expose(&film, &b), 0);
    assert_int_equal(orr_film_expose(&film, &b), 0);
    assert_int_equal(symlink("/dev/full", in_folder("full.gif")), 0);
    assert_int_equal(orr_film_write(&film, in_folder("full.gif")), ORR_EIO);
    assert_non_null(strstr(orr_error_text(), "No space left"));
    assert_int_equal(files_with(".part-"), 0);
    orr_film_release(&film);
    orr_bodies_release(&b);
}
#else
static void a_build_without_says_so(void **state)
{
    struct orr_film film = a_film(0);
    struct orr_bodies b = some_bodies(4, 2, 9);
    (void)state;
    assert_int_equal(orr_picture_check(), ORR_EUNSUPPORTED);
    orr_error_clear();
    assert_int_equal(orr_film_expose(&film, &b), 0);
    assert_int_equal(orr_film_write(&film, in_folder("x.png")), ORR_EUNSUPPORTED);
    assert_non_null(strstr(orr_error_text(), "libpng-dev"));
    assert_int_equal(files_with("x.png"), 0);
    orr_film_release(&film);
    orr_bodies_release(&b);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(positions_without_masses, clear),
        cmocka_unit_test_setup(what_cannot_be_drawn, clear),
#ifdef ORR_HAVE_PICTURES
        cmocka_unit_test_setup(a_png_holds_the_colours, clear),
        cmocka_unit_test_setup(no_bodies_are_a_black_picture, clear),
        cmocka_unit_test_setup(a_gif_holds_every_frame, clear),
        cmocka_unit_test_setup(a_full_disk_leaves_nothing, clear),
#else
        cmocka_unit_test_setup(a_build_without_says_so, clear),
#endif
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
