/* SPDX-License-Identifier: MIT */
/* The fuzzer of one reader: READER=name HOME_FOLDER=path build-fuzz/fuzz [libFuzzer's options]
 * [corpora]. Without READER it lists them. */
#include "readers.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const struct reader *chosen;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    const char *folder = getenv("HOME_FOLDER");
    chosen = find_reader(getenv("READER"));
    if (!chosen || !folder) {
        for (size_t k = 0; k < READERS; k++)
            puts(readers[k].name);
        exit(0);
    }
    snprintf(home, sizeof home, "%s", folder);
    setenv("ORRERY_HOME", home, 1);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    read_once(chosen, bytes, size);
    return 0;
}
