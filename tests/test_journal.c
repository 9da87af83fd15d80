/* SPDX-License-Identifier: MIT */
/* The journal: whole lines, damaged lines, checksums, locks, full disks. */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "ledger/journal.h"
#include "tests/cases.h"
#include "tests/folder_for_tests.h"
#include "tests/random_for_tests.h"
#include "text.h"

static int count(json_t *record, size_t line, void *context)
{
    assert_true(json_is_object(record));
    assert_true(line > 0);
    ++*(int *)context;
    return 0;
}

static int records_in(const char *path, struct orr_journal_damage *skipped)
{
    int found = 0;
    if (skipped)
        *skipped = (struct orr_journal_damage){0};
    assert_int_equal(orr_journal_read(path, count, &found, skipped), 0);
    return found;
}

static int append(struct orr_journal *journal, int value)
{
    json_auto_t *record = json_pack("{s:s, s:i}", "record", "test", "value", value);
    return orr_journal_append(journal, record);
}

/* A new journal of so many lines. */
static void begin(struct orr_journal *journal, int lines)
{
    assert_int_equal(orr_journal_create(journal, folder), 0);
    for (int k = 0; k < lines; k++)
        assert_int_equal(append(journal, k), 0);
}

/* A file in the test's folder with this text. */
static const char *file_of(const char *name, const char *text)
{
    const char *path = filled("%s/%s", folder, name);
    write_text(path, text);
    return path;
}

TEST(two_journals_never_share_a_file)
{
    struct orr_journal a, b, c;
    assert_int_equal(orr_journal_create(&a, folder), 0);
    assert_int_equal(orr_journal_create(&b, folder), 0);
    assert_string_not_equal(a.path, b.path);
    assert_fails(orr_journal_reopen(&c, a.path), ORR_EUSAGE, "another run");
    orr_journal_close(&a);
    orr_journal_close(&b);
}

TEST(half_a_line_is_sealed_off)
{
    struct orr_journal journal;
    char path[sizeof journal.path];
    struct orr_journal_damage skipped;
    begin(&journal, 1);
    strcpy(path, journal.path);
    assert_int_equal(write(journal.fd, "{\"record\":\"te", 13), 13);
    orr_journal_close(&journal);
    assert_int_equal(records_in(path, &skipped), 1);
    assert_int_equal(skipped.count, 1);
    assert_int_equal(orr_journal_reopen(&journal, path), 0);
    assert_int_equal(append(&journal, 2), 0);
    orr_journal_close(&journal);
    assert_int_equal(records_in(path, &skipped), 2);
    assert_int_equal(skipped.count, 1);
}

/* Also of runs that begin in the same second. */
TEST(later_runs_have_later_names)
{
    char before[40] = "";
    for (int k = 0; k < 50; k++) {
        RELEASED_BY(orr_journal_close) struct orr_journal journal;
        assert_int_equal(orr_journal_create(&journal, folder), 0);
        assert_true(strcmp(before, journal.run) < 0);
        snprintf(before, sizeof before, "%s", journal.run);
    }
}

TEST(a_last_line_without_newline_does_not_count)
{
    static const char text[] = "{\"a\":1}\n[1]\nnonsense\n{\"value\":12}";
    struct orr_journal_damage skipped;
    assert_int_equal(records_in(file_of("cut.jsonl", text), &skipped), 1);
    assert_int_equal(skipped.count, 3);
}

/* A size limit stands for a full disk: the write stops half-way. In a child, since the limit cannot
 * be lifted again. */
TEST(a_full_disk_damages_nothing)
{
    RELEASED_BY(orr_journal_close) struct orr_journal journal;
    begin(&journal, 1);
    struct stat before, after;
    fstat(journal.fd, &before);
    pid_t child = fork();
    if (!child) {
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE,
                  &(struct rlimit){(rlim_t)before.st_size + 5, (rlim_t)before.st_size + 5});
        _exit(append(&journal, 2) == ORR_EIO && strstr(orr_error_text(), "whole") ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    fstat(journal.fd, &after);
    assert_int_equal(after.st_size, before.st_size);
    assert_int_equal(append(&journal, 3), 0);
    assert_int_equal(records_in(journal.path, NULL), 2);
}

/* What another program does to the file is noticed at the next line, which is kept where the others
 * are. */
TEST(a_removed_journal_is_written_again)
{
    RELEASED_BY(orr_journal_close) struct orr_journal journal;
    begin(&journal, 5);
    assert_int_equal(unlink(journal.path), 0);
    assert_fails(append(&journal, 5), ORR_EIO,
                 "was removed while its run wrote to it; all lines are "
                 "there again");
    assert_int_equal(records_in(journal.path, NULL), 6);
    assert_int_equal(append(&journal, 6), 0);
    assert_int_equal(records_in(journal.path, NULL), 7);
}

TEST(a_moved_journal_is_followed)
{
    RELEASED_BY(orr_journal_close) struct orr_journal journal;
    begin(&journal, 1);
    const char *moved = filled("%s.moved", journal.path);
    assert_int_equal(rename(journal.path, moved), 0);
    assert_fails(append(&journal, 1), ORR_EIO, "was moved or replaced");
    assert_int_equal(records_in(moved, NULL), 2);
}

TEST(a_journal_cut_short_is_told)
{
    RELEASED_BY(orr_journal_close) struct orr_journal journal;
    struct orr_journal_damage skipped;
    begin(&journal, 5);
    assert_int_equal(truncate(journal.path, journal.size / 2), 0);
    assert_fails(append(&journal, 5), ORR_EIO, "was cut short by another program");
    assert_int_equal(records_in(journal.path, &skipped), 3);
    assert_int_equal(skipped.count, 1);
}

TEST(a_folder_that_cannot_be_made_is_named)
{
    struct orr_journal journal;
    const char *path = filled("%s/below", file_of("file", ""));
    assert_fails(orr_journal_create(&journal, path), ORR_EIO, path);
    assert_int_equal(orr_journal_reopen(&journal, "/nowhere/x.jsonl"), ORR_EIO);
    orr_error_clear();
    assert_int_equal(orr_journal_read("/nowhere/x.jsonl", count, NULL, NULL), ORR_EIO);
}

/* What has no end is refused at once, whatever its name. */
TEST(only_plain_files_are_read)
{
    struct orr_journal journal;
    const char *pipe = filled("%s/pipe.jsonl", folder);
    const char *below = filled("%s/below.jsonl", folder);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(mkdir(below, 0700), 0);
    const char *const paths[] = {pipe, below, "/dev/zero"};
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
        assert_fails(orr_journal_read(paths[k], count, NULL, NULL), ORR_EIO, paths[k]);
    }
    assert_fails(orr_journal_reopen(&journal, pipe), ORR_EIO, "not a plain file");
}

TEST(a_line_without_end_is_named)
{
    const char *path = file_of("long.jsonl", "{\"a\":1}\n");
    assert_int_equal(truncate(path, (off_t)1 << 40), 0); /* a hole takes no room */
    int found = 0;
    assert_int_equal(orr_journal_read(path, count, &found, NULL), ORR_EINPUT);
    assert_int_equal(found, 0);
    assert_non_null(strstr(orr_error_text(), "long.jsonl:2: the line is too long"));
    unlink(path);
}

/* "<folder>/<run>-<rest>" */
static const char *beside(const char *run, const char *rest)
{
    return filled("%s/%s-%s", folder, run, rest);
}

/* A worker that was killed while it wrote bodies cannot remove what it had. */
TEST(half_files_of_a_killed_run_are_removed)
{
    static const char half[] = "0123456789abcdef.csv.part-77", whole[] = "01.csv";
    struct orr_journal journal, again;
    assert_int_equal(orr_journal_create(&journal, folder), 0);
    orr_journal_close(&journal);
    file_of(filled("%s-%s", journal.run, half), "");
    file_of(filled("%s-%s", journal.run, whole), "");
    file_of(filled("another-run-%s", half), "");
    assert_int_equal(orr_journal_reopen(&again, journal.path), 0);
    orr_journal_close(&again);
    assert_int_equal(access(beside(journal.run, half), F_OK), -1);
    assert_int_equal(access(beside(journal.run, whole), F_OK), 0);
    assert_int_equal(access(beside("another-run", half), F_OK), 0);
}

/* It would hide the run that can be resumed. */
TEST(a_journal_without_a_line_is_not_the_last)
{
    char path[256];
    const char *root = filled("%s/root", folder), *machine = filled("%s/m", root);
    struct orr_journal first, empty;
    json_auto_t *record = json_pack("{s:s}", "record", "run");
    assert_int_equal(orr_journal_create(&first, machine), 0);
    assert_int_equal(orr_journal_append(&first, record), 0);
    do {
        assert_int_equal(orr_journal_create(&empty, machine), 0);
        orr_journal_close(&empty);
    } while (strcmp(empty.run, first.run) < 0);
    assert_int_equal(orr_journal_find(path, sizeof path, root, "last"), 0);
    assert_string_equal(path, first.path);
    assert_int_equal(orr_journal_find(path, sizeof path, root, empty.run), 0);
    orr_journal_close(&first);
}

/* A clock that was ahead once names no last run for ever. */
TEST(a_run_of_the_future_is_not_the_last)
{
    struct orr_journal journal;
    char found[1024];
    const char *own = filled("%s/m", folder);
    assert_int_equal(orr_journal_create(&journal, own), 0);
    assert_int_equal(append(&journal, 1), 0);
    assert_int_equal(system(filled("cp %s %s/29990101T000000Z-0000.jsonl", journal.path, own)), 0);
    assert_int_equal(orr_journal_find(found, sizeof found, folder, "last"), 0);
    assert_string_equal(found, journal.path);
    assert_int_equal(unlink(journal.path), 0);
    orr_journal_close(&journal);
    assert_int_equal(orr_journal_find(found, sizeof found, folder, "last"), 0);
    assert_non_null(strstr(found, "/29990101T000000Z-0000.jsonl"));
    assert_int_equal(unlink(found), 0);
}

TEST(a_cell_without_outcome_is_passed_over)
{
    RELEASED_BY(orr_journal_records_release) struct orr_journal_records records;
    orr_journal_records_make(&records);
    const char *const outcomes[] = {"\"ok\"", "7", "null"};
    for (size_t k = 0; k < sizeof outcomes / sizeof *outcomes; k++) {
        json_auto_t *record = json_loads(
            filled("{\"record\":\"cell\",\"id\":\"x\",\"outcome\":%s}", outcomes[k]), 0, NULL);
        orr_journal_records_add(&records, record);
    }
    json_auto_t *kept = orr_cell_rounds_whole(&records, "x");
    assert_string_equal(json_string_value(json_object_get(kept, "outcome")), "ok");
}

/* --- checksums --- */

enum { MOST_LINES = 16 };

/* A journal of real records, and its lines. */
struct original {
    char path[1024], *text, *lines[MOST_LINES];
    size_t size, count;
};

static int append_real(json_t *record, size_t line, void *context)
{
    const char *kind = json_string_value(json_object_get(record, "record"));
    if (kind && !strcmp(kind, "run"))
        json_object_set_new(record, "schema", json_integer(ORR_JOURNAL_SCHEMA));
    return orr_journal_append(context, record);
}

static void make_original(struct original *out)
{
    static const char real[] = "tests/data/one-cell.jsonl";
    struct orr_journal journal;
    assert_int_equal(orr_journal_create(&journal, folder), 0);
    assert_int_equal(orr_journal_read(real, append_real, &journal, NULL), 0);
    orr_journal_close(&journal);
    strcpy(out->path, journal.path);
    assert_int_equal(orr_text_read(&out->text, &out->size, out->path, "the journal"), 0);
    out->count = 0;
    for (char *at = out->text, *end; (end = strchr(at, '\n')); at = end + 1) {
        assert_true(out->count < MOST_LINES);
        out->lines[out->count++] = strndup(at, (size_t)(end - at));
    }
    assert_true(out->count > 3);
}

static void release_original(struct original *original)
{
    for (size_t k = 0; k < original->count; k++)
        free(original->lines[k]);
    free(original->text);
    unlink(original->path);
}

struct taken {
    const struct original *original;
    size_t count, changed;
};

static int take(json_t *record, size_t line, void *context)
{
    struct taken *taken = context;
    RELEASED_BY(free_text) char *text = json_dumps(record, JSON_COMPACT | JSON_PRESERVE_ORDER);
    bool same = false;
    for (size_t k = 0; k < taken->original->count; k++)
        same = same || !strcmp(text, taken->original->lines[k]);
    taken->count++;
    taken->changed += !same;
    return 0;
}

/* Reads the journal with the byte at `place` as it is in memory now. */
static struct taken take_all(const struct original *original, int fd, size_t place,
                             struct orr_journal_damage *damage)
{
    struct taken taken = {.original = original};
    assert_int_equal(pwrite(fd, original->text + place, 1, (off_t)place), 1);
    assert_int_equal(orr_journal_read(original->path, take, &taken, damage), 0);
    return taken;
}

/* A flipped bit is one damaged line, or two that became one, named; nothing that was read is other
 * than what was written. ORRERY_TEST_FLIPS=N tries more of them. */
TEST(no_flipped_bit_is_read)
{
    const char *given = getenv("ORRERY_TEST_FLIPS");
    long flips = given ? strtol(given, NULL, 10) : 2000, changed = 0;
    RELEASED_BY(release_original) struct original original;
    make_original(&original);
    int fd = open(original.path, O_WRONLY);
    for (long k = 0; k < flips; k++) {
        size_t place = (size_t)random_below((long long)original.size);
        char bit = (char)(1 << random_below(8));
        struct orr_journal_damage damage = {0};
        original.text[place] ^= bit;
        struct taken taken = take_all(&original, fd, place, &damage);
        original.text[place] ^= bit;
        changed += taken.changed > 0;
        assert_true(damage.count == 1 || damage.count == 2);
        assert_true(taken.count + 2 >= original.count && taken.count < original.count);
        assert_true(damage.named == damage.count && strstr(damage.text, original.path));
        assert_int_equal(pwrite(fd, original.text + place, 1, (off_t)place), 1);
    }
    printf("%ld of %ld flipped bits changed what was read\n", changed, flips);
    assert_int_equal(changed, 0);
    assert_int_equal(take_all(&original, fd, 0, NULL).count, original.count);
    close(fd);
}

/* Each line of a journal needs its checksum, whichever line says that there are any. */
TEST(a_lost_checksum_is_no_old_line)
{
    RELEASED_BY(release_original) struct original original;
    make_original(&original);
    int fd = open(original.path, O_WRONLY);
    for (size_t lost = 0; lost < original.count; lost++) {
        struct orr_journal_damage damage = {0};
        struct taken taken = {.original = &original};
        size_t at = 0;
        assert_int_equal(ftruncate(fd, 0), 0);
        for (size_t k = 0; k < original.count; k++) {
            RELEASED_BY(free_text) char *line;
            assert_true(asprintf(&line, "%s\n", original.lines[k]) > 0);
            if (k == lost)
                memcpy(strstr(line, "\"check\""), "\"chfck\"", 7);
            if (k == lost && !k) /* the first line does not say so either */
                memcpy(strstr(line, "\"schema\""), "\"schfma\"", 8);
            assert_int_equal(pwrite(fd, line, strlen(line), (off_t)at), (ssize_t)strlen(line));
            at += strlen(line);
        }
        assert_int_equal(orr_journal_read(original.path, take, &taken, &damage), 0);
        assert_int_equal(taken.changed, 0);
        assert_int_equal(taken.count, original.count - 1);
        assert_int_equal(damage.count, 1);
        assert_non_null(strstr(damage.text, "it has no checksum"));
    }
    close(fd);
}

/* Journals of before checksums are read, and go on without. */
TEST(an_old_journal_stays_one)
{
    const char *path = file_of("old.jsonl", "{\"record\":\"run\",\"schema\":1}\n{\"value\":12}\n");
    bool checked = true;
    struct orr_journal journal;
    struct orr_journal_damage damage;
    assert_int_equal(orr_journal_reopen(&journal, path), 0);
    assert_int_equal(append(&journal, 1), 0);
    orr_journal_close(&journal);
    assert_int_equal(orr_journal_is_checked(&checked, path), 0);
    assert_false(checked);
    assert_int_equal(records_in(path, &damage), 3);
    assert_int_equal(damage.count, 0);
}

/* A cell whose line is damaged was not measured; nor was one that says what cannot be. */
TEST(damaged_cells_are_not_measured)
{
    static const char *const cells[] = {
        "{\"record\":\"cell\",\"id\":\"whole\",\"experiment\":\"p/e\",\"variant\":\"p/v\","
        "\"outcome\":\"failed\"}",
        "{\"record\":\"cell\",\"id\":\"flipped\",\"experiment\":\"p/e\",\"variant\":\"p/v\","
        "\"outcome\":\"failed\"}",
        "{\"record\":\"cell\",\"id\":\"untrue\",\"experiment\":\"p/e\",\"variant\":\"p/v\","
        "\"outcome\":\"ok\",\"seconds\":-1}"};
    RELEASED_BY(orr_journal_close) struct orr_journal journal;
    RELEASED_BY(orr_journal_records_release) struct orr_journal_records records;
    assert_int_equal(orr_journal_create(&journal, folder), 0);
    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
        json_auto_t *record = json_loads(cells[k], 0, NULL);
        assert_int_equal(orr_journal_append(&journal, record), 0);
    }
    char text[1024] = "";
    assert_true(pread(journal.fd, text, sizeof text - 1, 0) > 0);
    int fd = open(journal.path, O_WRONLY); /* the journal's own only appends */
    assert_int_equal(pwrite(fd, "F", 1, strstr(text, "flipped") - text), 1);
    close(fd);
    assert_int_equal(orr_journal_records_read(&records, journal.path), 0);
    assert_int_equal(json_object_size(records.cells), 1);
    assert_non_null(orr_journal_records_round(&records, "whole", 1));
    assert_int_equal(records.damage.count, 2);
    assert_non_null(strstr(records.damage.text, ":2: its checksum does not match; "));
    assert_non_null(strstr(records.damage.text, ":3: seconds is no positive number"));
}

/* --- records as docs/ARCHITECTURE.md describes them --- */

static char why[200];

static bool misfits(const char *text)
{
    json_auto_t *record = json_loads(text, 0, NULL);
    assert_non_null(record);
    return orr_journal_misfit(why, sizeof why, record);
}

TEST(members_and_their_types)
{
    static const char *const cases[][2] = {
        {"{}", "it is no record"},
        {"{\"record\":\"sell\"}", "there is no record 'sell'"},
        {"{\"record\":\"end\"}", "end lacks finished"},
        {"{\"record\":\"end\",\"finished\":null}", "end lacks finished"},
        {"{\"record\":\"end\",\"finished\":\"x\",\"ok\":-1}", "end: ok is no count"},
        {"{\"record\":\"end\",\"finished\":\"x\",\"ok\":1.5}", "end: ok is no count"},
        {"{\"record\":\"resume\",\"started\":\"x\",\"orrery\":[]}", "resume: orrery is no object"},
        {"{\"record\":\"ceiling\",\"device\":\"d\",\"device_name\":\"n\","
         "\"interactions_per_second\":1,\"fma_per_second\":\"1\"}",
         "ceiling: fma_per_second is no number"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_true(misfits(cases[k][0]));
        assert_string_equal(why, cases[k][1]);
    }
    assert_false(misfits("{\"record\":\"end\",\"finished\":\"x\",\"ok\":1,\"wrong\":0,\"failed\":0,"
                         "\"unsupported\":0,\"interrupted\":false,\"more\":1}"));
}

TEST(a_newer_schema)
{
    assert_true(misfits("{\"record\":\"run\",\"schema\":99,\"run\":\"r\",\"started\":\"s\","
                        "\"request\":{\"what\":[]},\"orrery\":{\"version\":\"1\",\"commit\":\"c\"},"
                        "\"machine\":{\"name\":\"m\",\"cpu\":\"c\"},\"devices\":[]}"));
    assert_string_equal(why, "its schema is 99 and this Orrery reads up to 3");
}

/* --- records that were measured --- */

struct reading {
    json_t *strangers;
    size_t records;
};

static int look(json_t *record, size_t line, void *context)
{
    struct reading *reading = context;
    reading->records++;
    orr_journal_strangers(reading->strangers, record);
    if (orr_journal_misfit(why, sizeof why, record))
        fail_msg("line %zu: %s", line, why);
    return 0;
}

TEST(measured_records_fit)
{
    struct reading reading = {.strangers = json_object()};
    assert_int_equal(orr_journal_read("tests/data/frozen-gpu.jsonl", look, &reading, NULL), 0);
    assert_true(reading.records > 200);
    assert_int_equal(json_object_size(reading.strangers), 0);
    json_decref(reading.strangers);
}

RUN_TESTS(make_folder, remove_folder)
