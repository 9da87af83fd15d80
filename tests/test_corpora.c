/* SPDX-License-Identifier: MIT */
/* Every input of tests/fuzz/corpus once through its reader: what the fuzzer found and what leads it
 * deep does no harm. `make fuzz` looks for more. */
#include <dirent.h>
#include <sys/wait.h>

#include "tests/cases.h"
#include "tests/folder_for_tests.h"
#include "tests/fuzz/readers.h"

#define CORPUS "tests/fuzz/corpus"
enum { MOST_BYTES = 1 << 20 };

static char *current; /* the input being read, shared with the child that reads it */

static size_t load_input(const char *path, uint8_t **bytes)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    assert_true(file && !fstat(fileno(file), &status));
    size_t size = (size_t)status.st_size;
    *bytes = malloc(size + 1); /* exactly as many: reading one more is seen by the sanitizer */
    assert_true(*bytes && fread(*bytes, 1, size, file) == size);
    *bytes = realloc(*bytes, size ? size : 1);
    fclose(file);
    return size;
}

static int is_input(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static size_t read_folder(const struct reader *reader)
{
    RELEASED_BY(free_text) struct dirent **entries;
    size_t total = 0;
    int count = scandir(filled(CORPUS "/%s", reader->name), &entries, is_input, alphasort);
    if (count <= 0)
        fail_msg("there is no input for the reader '%s'", reader->name);
    for (int k = 0; k < count; k++) {
        uint8_t *bytes;
        snprintf(current, PATH_MAX, CORPUS "/%s/%s", reader->name, entries[k]->d_name);
        size_t size = load_input(current, &bytes);
        read_once(reader, bytes, size);
        total += size;
        free(bytes);
        free(entries[k]);
    }
    return total;
}

/* In a child, so that the input is named that ends it. */
static void inputs_do_no_harm(void **state)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        snprintf(home, sizeof home, "%s", folder);
        setenv("ORRERY_HOME", home, 1);
        setenv("TMPDIR", home, 1);
        size_t total = read_folder(*state);
        current[0] = '\0'; /* from here on it is not an input's fault */
        exit(total > MOST_BYTES / READERS);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (status)
        fail_msg("%s: status %#x at the input '%s'", ((const struct reader *)*state)->name,
                 (unsigned)status, current);
}

static void every_corpus_has_a_reader(void **state)
{
    RELEASED_BY(free_text) struct dirent **entries;
    int count = scandir(CORPUS, &entries, is_input, alphasort);
    assert_true(count >= READERS);
    for (int k = 0; k < count; k++) {
        if (!find_reader(entries[k]->d_name) && strcmp(entries[k]->d_name, "hdf5") != 0)
            fail_msg("nothing reads " CORPUS "/%s", entries[k]->d_name);
        free(entries[k]);
    }
}

int main(void)
{
    struct CMUnitTest tests[READERS + 1] = {cmocka_unit_test(every_corpus_has_a_reader)};
    current = mmap(NULL, PATH_MAX, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (current == MAP_FAILED)
        return 1;
    for (size_t k = 0; k < READERS; k++)
        tests[1 + k] = (struct CMUnitTest){readers[k].name, inputs_do_no_harm, NULL, NULL,
                                           (void *)(uintptr_t)&readers[k]};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
