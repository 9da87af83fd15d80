/* SPDX-License-Identifier: MIT */
/* Tables in parts for narrow terminals: no column is lost or wider than it was, heads stay whole.
 */
#include "present/write.h"
#include "tests/cases.h"

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
    struct orr_write_fold fold;
    *text = '\0';
    orr_write_fold_begin(&fold, &grid, of_rooms, seen, screen);
    while (orr_write_fold_next(&fold)) {
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

TEST(what_fits_stays_whole)
{
    assert_string_equal(parts(COLUMNS, 59), "program device a1 a2 b1 b2 c");
    assert_string_equal(parts(COLUMNS, SIZE_MAX), "program device a1 a2 b1 b2 c");
    assert_string_equal(parts(1, 5), "program");
    assert_string_equal(parts(0, 5), "");
}

TEST(each_part_names_its_rows)
{
    assert_string_equal(parts(COLUMNS, 58), "program device a1 a2 b1 b2 / program device c");
}

TEST(a_head_stays_whole)
{
    assert_string_equal(parts(COLUMNS, 48), "program device a1 a2 / program device b1 b2 c");
    assert_string_equal(parts(COLUMNS, 35),
                        "program device a1 a2 / program device b1 b2 / program device c");
}

TEST(rows_have_numbers_where_names_do_not_fit)
{
    assert_string_equal(parts(COLUMNS, 34),
                        " # program device / # program a1 a2 / # program b1 b2 / # program c");
    assert_string_equal(parts(COLUMNS, 33),
                        " # program device / # program a1 a2 / # program b1 b2 / # program c");
    /* the number takes room, too: a head is not broken for a name */
    assert_string_equal(parts(COLUMNS, 32), " # program device / # a1 a2 / # b1 b2 c");
    assert_string_equal(parts(COLUMNS, 21), " # program / # device / # a1 a2 / # b1 b2 / # c");
}

/* A name that does not fit beside the other stands behind the number of its row; none is lost. */
TEST(a_wide_name_stands_alone)
{
    static const struct orr_column wide[] = {{.key = "program", .audience = ORR_ALL},
                                             {.key = "setting", .audience = ORR_ALL},
                                             {.key = "a", .audience = ORR_ALL, .right = true}};
    static const int wide_rooms[] = {9, 15, 4};
    assert_string_equal(parts_of(wide, wide_rooms, 3, 37), " # program setting / # program a");
    assert_string_equal(parts_of(wide, wide_rooms, 3, 36), " # program / # setting a");
    assert_string_equal(parts_of(wide, wide_rooms, 3, 31), " # program / # setting / # program a");
}

TEST(only_words)
{
    assert_string_equal(parts(3, 20), " # program / # device");
}

TEST(what_is_wider_than_the_screen_is_shown)
{
    assert_string_equal(parts(COLUMNS, 9),
                        " # program / # device / # a1 / # a2 / # b1 / # b2 / # c");
}

TEST(no_column_is_lost_at_any_width)
{
    static const char *const keys[] = {"program", "device", "a1", "a2", "b1", "b2", "c"};
    for (size_t screen = 0; screen < 80; screen++)
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            if (!strstr(parts(COLUMNS, screen), keys[k]))
                fail_msg("%zu characters show '%s'", screen, parts(COLUMNS, screen));
}

RUN_TESTS(NULL, NULL)
