/* Tables in parts for narrow terminals: no column is lost or wider than it was, heads stay whole.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "present/write.h"

#define TEST(name) cmocka_unit_test(name)

/* Columns for people: two of words, two below one head, two below another, one alone. A column has
 * a bar and two blanks besides its room. */
static struct orr_column columns[] = {
    {.key = "program", .audience = ORR_ALL},
    {.key = "id", .audience = ORR_PROGRAMS},
    {.key = "device", .audience = ORR_ALL},
    {.key = "a1", .above = "a", .audience = ORR_ALL, .right = true},
    {.key = "a2", .above = "a", .audience = ORR_ALL, .right = true},
    {.key = "b1", .above = "b", .audience = ORR_ALL, .right = true},
    {.key = "b2", .above = "b", .audience = ORR_ALL, .right = true},
    {.key = "c", .audience = ORR_ALL, .right = true},
};
enum { COLUMNS = sizeof columns / sizeof *columns };
static const int rooms[COLUMNS] = {9, 99, 5, 4, 4, 4, 4, 7};

/* The parts, as "program device a1 a2 / program ..."; a # before a part whose rows have numbers. */
static const char *parts_of(const struct orr_column *of, const int *of_rooms, size_t count,
                            size_t screen)
{
    static char text[1024];
    const struct orr_grid grid = {.columns = (struct orr_column *)of, .column_count = count};
    size_t seen[COLUMNS];
    struct orr_fold fold;
    *text = '\0';
    orr_fold_begin(&fold, &grid, of_rooms, seen, screen);
    while (orr_fold_next(&fold)) {
        strcat(text, *text ? " /" : "");
        strcat(text, fold.numbered ? " #" : "");
        for (size_t k = fold.from; k < fold.shown; k++) {
            strcat(text, *text ? " " : "");
            strcat(text, of[seen[k]].key);
        }
    }
    return text;
}

static const char *parts(size_t count, size_t screen)
{
    return parts_of(columns, rooms, count, screen);
}

static void what_fits_stays_whole(void **state)
{
    (void)state;
    assert_string_equal(parts(COLUMNS, 59), "program device a1 a2 b1 b2 c");
    assert_string_equal(parts(COLUMNS, SIZE_MAX), "program device a1 a2 b1 b2 c");
    assert_string_equal(parts(1, 5), "program");
    assert_string_equal(parts(0, 5), "");
}

static void each_part_names_its_rows(void **state)
{
    (void)state;
    assert_string_equal(parts(COLUMNS, 58), "program device a1 a2 b1 b2 / program device c");
}

static void a_head_stays_whole(void **state)
{
    (void)state;
    assert_string_equal(parts(COLUMNS, 48), "program device a1 a2 / program device b1 b2 c");
    assert_string_equal(parts(COLUMNS, 35),
                        "program device a1 a2 / program device b1 b2 / program device c");
}

static void rows_have_numbers_where_names_do_not_fit(void **state)
{
    (void)state;
    assert_string_equal(parts(COLUMNS, 34),
                        " # program device / # program a1 a2 / # program b1 b2 / # program c");
    assert_string_equal(parts(COLUMNS, 33),
                        " # program device / # program a1 a2 / # program b1 b2 / # program c");
    /* the number takes room, too: a head is not broken for a name */
    assert_string_equal(parts(COLUMNS, 32), " # program device / # a1 a2 / # b1 b2 c");
    assert_string_equal(parts(COLUMNS, 21), " # program / # device / # a1 a2 / # b1 b2 / # c");
}

/* A name that does not fit beside the other stands behind the number of its row; none is lost. */
static void a_wide_name_stands_alone(void **state)
{
    (void)state;
    static const struct orr_column wide[] = {{.key = "program", .audience = ORR_ALL},
                                             {.key = "setting", .audience = ORR_ALL},
                                             {.key = "a", .audience = ORR_ALL, .right = true}};
    static const int wide_rooms[] = {9, 15, 4};
    assert_string_equal(parts_of(wide, wide_rooms, 3, 37), " # program setting / # program a");
    assert_string_equal(parts_of(wide, wide_rooms, 3, 36), " # program / # setting a");
    assert_string_equal(parts_of(wide, wide_rooms, 3, 31), " # program / # setting / # program a");
}

static void only_words(void **state)
{
    (void)state;
    assert_string_equal(parts(3, 20), " # program / # device");
}

static void what_is_wider_than_the_screen_is_shown(void **state)
{
    (void)state;
    assert_string_equal(parts(COLUMNS, 9),
                        " # program / # device / # a1 / # a2 / # b1 / # b2 / # c");
}

static void no_column_is_lost_at_any_width(void **state)
{
    (void)state;
    static const char *const keys[] = {"program", "device", "a1", "a2", "b1", "b2", "c"};
    for (size_t screen = 0; screen < 80; screen++)
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            if (!strstr(parts(COLUMNS, screen), keys[k]))
                fail_msg("%zu characters show '%s'", screen, parts(COLUMNS, screen));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_fits_stays_whole),
        TEST(each_part_names_its_rows),
        TEST(a_head_stays_whole),
        TEST(rows_have_numbers_where_names_do_not_fit),
        TEST(a_wide_name_stands_alone),
        TEST(only_words),
        TEST(no_column_is_lost_at_any_width),
        TEST(what_is_wider_than_the_screen_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
