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

/* What fits stays whole, each part names its rows, a head stays whole, rows have numbers where
 * names do not fit, and what is wider than the screen is shown all the same. */
TEST(parts_by_the_width_of_the_screen)
{
    static const struct {
        size_t count, screen;
        const char *parts;
    } cases[] = {
        {COLUMNS, SIZE_MAX, "program device a1 a2 b1 b2 c"},
        {COLUMNS, 59, "program device a1 a2 b1 b2 c"},
        {COLUMNS, 58, "program device a1 a2 b1 b2 / program device c"},
        {COLUMNS, 48, "program device a1 a2 / program device b1 b2 c"},
        {COLUMNS, 35, "program device a1 a2 / program device b1 b2 / program device c"},
        {COLUMNS, 34, " # program device / # program a1 a2 / # program b1 b2 / # program c"},
        {COLUMNS, 33, " # program device / # program a1 a2 / # program b1 b2 / # program c"},
        /* the number takes room, too: a head is not broken for a name */
        {COLUMNS, 32, " # program device / # a1 a2 / # b1 b2 c"},
        {COLUMNS, 21, " # program / # device / # a1 a2 / # b1 b2 / # c"},
        {COLUMNS, 9, " # program / # device / # a1 / # a2 / # b1 / # b2 / # c"},
        {3, 20, " # program / # device"},
        {1, 5, "program"},
        {0, 5, ""}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_string_equal(parts(cases[k].count, cases[k].screen), cases[k].parts);
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

TEST(no_column_is_lost_at_any_width)
{
    static const char *const keys[] = {"program", "device", "a1", "a2", "b1", "b2", "c"};
    for (size_t screen = 0; screen < 80; screen++)
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            if (!strstr(parts(COLUMNS, screen), keys[k]))
                fail_msg("%zu characters show '%s'", screen, parts(COLUMNS, screen));
}

RUN_TESTS(NULL, NULL)
