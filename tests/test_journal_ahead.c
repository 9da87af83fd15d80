/* A journal read by a thread: what its reader gets is what reading it in place gives. */
#include "error.h"
#include "ledger/journal_ahead.h"
#include "tests/cases.h"
#include "tests/folder_for_tests.h"

/* What was told, in its order, as text. */
struct told {
    char text[4096];
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

static bool is_short(const char *line, size_t length, const void *context)
{
    (void)line, (void)context;
    return length < 70;
}

/* Records, one of them damaged, one of them short, and half a line. */
static void write_journal(char path[1024])
{
    struct orr_journal journal;
    assert_int_equal(orr_journal_create(&journal, folder), 0);
    for (int k = 0; k < 200; k++) {
        char value[32];
        snprintf(value, sizeof value, k == 7 ? "%d" : "%d, as a longer text", k);
        json_t *record = json_pack("{s:s, s:s}", "record", "test", "value", value);
        assert_int_equal(orr_journal_append(&journal, record), 0);
        json_decref(record);
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

static int read_ahead(struct told *out, const char *path,
                      bool (*passes)(const char *, size_t, const void *), size_t *passed)
{
    struct orr_journal_ahead ahead;
    struct orr_journal_damage damage = {.tell = hear, .listener = out};
    orr_journal_ahead_start(&ahead, path, &(struct orr_journal_wish){.passes = passes});
    int code = orr_journal_ahead_each(&ahead, take, out, &damage, passed);
    orr_journal_ahead_release(&ahead);
    orr_journal_ahead_release(&ahead);
    return code;
}

TEST(tells_what_reading_in_place_tells)
{
    char path[1024];
    size_t passed;
    bool (*const passes[])(const char *, size_t, const void *) = {NULL, is_short};
    write_journal(path);
    for (int k = 0; k < 2; k++) {
        struct told here = {.stop_at = 0}, there = {.stop_at = 0};
        struct orr_journal_damage damage = {.tell = hear, .listener = &here};
        struct orr_journal_wish wish = {.each = take, .passes = passes[k], .context = &here};
        assert_int_equal(orr_journal_read_wanted(path, &wish, &damage), 0);
        assert_int_equal(read_ahead(&there, path, passes[k], &passed), 0);
        assert_string_equal(there.text, here.text);
        assert_int_equal(there.records, 199 - k);
        assert_int_equal(damage.count, 2);
        assert_int_equal(passed, k);
        assert_int_equal(passed, wish.passed);
    }
}

TEST(ends_where_its_reader_ends)
{
    char path[1024];
    size_t passed;
    struct told told = {.stop_at = 5};
    write_journal(path);
    assert_int_equal(read_ahead(&told, path, NULL, &passed), ORR_EINPUT);
    assert_int_equal(told.records, 5);
}

TEST(says_why_it_cannot_read)
{
    size_t passed;
    struct told told = {.stop_at = 0};
    assert_int_equal(read_ahead(&told, "/nowhere/x.jsonl", NULL, &passed), ORR_EIO);
    assert_non_null(strstr(orr_error_text(), "/nowhere/x.jsonl"));
    orr_error_clear();
}

/* The thread's own look at each record, which may end the reading. */
static int refuse_third(json_t *record, size_t line, void *context)
{
    ++*(int *)context;
    return line == 3 ? orr_fail(ORR_EINPUT, "the third is refused") : 0;
}

TEST(the_thread_sees_each_record_first)
{
    char path[1024];
    int seen = 0;
    size_t passed;
    struct told told = {.stop_at = 0};
    struct orr_journal_ahead ahead;
    struct orr_journal_damage damage = {.tell = hear, .listener = &told};
    write_journal(path);
    orr_journal_ahead_start(&ahead, path,
                            &(struct orr_journal_wish){.each = refuse_third, .context = &seen});
    assert_int_equal(orr_journal_ahead_each(&ahead, take, &told, &damage, &passed), ORR_EINPUT);
    assert_string_equal(orr_error_text(), "the third is refused");
    assert_true(seen >= told.records);
    orr_error_clear();
    orr_journal_ahead_release(&ahead);
}

TEST(one_that_nobody_uses_is_released)
{
    char path[1024];
    struct orr_journal_ahead ahead, never = {0};
    write_journal(path);
    orr_journal_ahead_start(&ahead, path, &(struct orr_journal_wish){0});
    orr_journal_ahead_release(&ahead);
    orr_journal_ahead_release(&never);
}

int main(void)
{
    return run_all(make_folder, remove_folder);
}
