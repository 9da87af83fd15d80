/* SPDX-License-Identifier: MIT */
/* A journal read for one experiment: all of it but the cells of others. */
#include "ledger/journal.h"
#include "tests/cases.h"
#include "tests/folder_for_tests.h"

/* What was told, in its order, as text. */
struct told {
    char text[1 << 14];
    int records, stop_at; /* 0: never */
};

static void say(struct told *told, size_t line, const char *what)
{
    size_t used = strlen(told->text);
    snprintf(told->text + used, sizeof told->text - used, "%zu %s\n", line, what);
}

static int take(json_t *record, size_t line, void *context)
{
    struct told *told = context;
    say(told, line, json_string_value(json_object_get(record, "value")));
    return ++told->records == told->stop_at ? ORR_EINPUT : 0;
}

static void hear(void *listener, const char *path, size_t line, const char *why)
{
    assert_non_null(path);
    say(listener, line, why);
}

/* Records, one of them damaged, one of them a cell of "b", and half a line. */
static void write_journal(char path[1024], const char *shard)
{
    struct orr_journal journal;
    assert_int_equal(orr_journal_create(&journal, folder), 0);
    for (int k = 0; k < 200; k++) {
        char value[32];
        snprintf(value, sizeof value, "%d, as a longer text", k);
        json_auto_t *record =
            k == 0 ? json_pack("{s:s, s:s, s:s*}", "record", "run", "value", value, "shard", shard)
            : k == 7 ? json_pack("{s:s, s:s, s:s, s:s}", "record", "cell", "id", "7", "experiment",
                                 "b/c", "value", value)
                     : json_pack("{s:s, s:s}", "record", "test", "value", value);
        assert_int_equal(orr_journal_append(&journal, record), 0);
    }
    snprintf(path, 1024, "%s", journal.path);
    orr_journal_close(&journal);
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, 400, SEEK_SET), 0);
    fputc('#', file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    fputs("{\"record\":\"te", file);
    fclose(file);
}

static int read_only(struct told *out, const char *path, const char *only, size_t *passed)
{
    struct orr_journal_damage damage = {.tell = hear, .listener = out};
    return orr_journal_read_only(passed, path, only, take, out, &damage);
}

TEST(passes_over_cells_of_others_and_nothing_else)
{
    static const struct {
        const char *only, *shard;
        size_t passed;
    } cases[] = {{"", NULL, 0},    {"a", NULL, 1},   {"b", NULL, 0},
                 {"b/c", NULL, 0}, {"b/d", NULL, 1}, {"a", "1/2", 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char path[1024], cut[1 << 14], *line;
        size_t passed;
        struct told here = {.stop_at = 0}, there = {.stop_at = 0};
        struct orr_journal_damage damage = {.tell = hear, .listener = &here};
        write_journal(path, cases[k].shard);
        assert_int_equal(orr_journal_read(path, take, &here, &damage), 0);
        assert_int_equal(read_only(&there, path, cases[k].only, &passed), 0);
        assert_int_equal(passed, cases[k].passed);
        assert_int_equal(there.records, 199 - passed);
        assert_int_equal(damage.count, 2);
        if (passed) { /* that line and nothing else */
            line = strstr(here.text, "8 7, as");
            assert_non_null(line);
            strcpy(cut, strchr(line, '\n') + 1);
            strcpy(line, cut);
        }
        assert_string_equal(there.text, here.text);
    }
}

TEST(ends_where_its_reader_ends)
{
    char path[1024];
    size_t passed;
    struct told told = {.stop_at = 5};
    write_journal(path, NULL);
    assert_int_equal(read_only(&told, path, "", &passed), ORR_EINPUT);
    assert_int_equal(told.records, 5);
}

TEST(says_why_it_cannot_read)
{
    size_t passed;
    struct told told = {.stop_at = 0};
    assert_int_equal(read_only(&told, "/nowhere/x.jsonl", "", &passed), ORR_EIO);
    assert_says("/nowhere/x.jsonl");
}

RUN_TESTS(make_folder, remove_folder)
