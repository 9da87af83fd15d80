/* SPDX-License-Identifier: MIT */
/* How much the caches hold. */
#include "measure/access.h"
#include "tests/cases.h"
#include "tests/folder_for_tests.h"

static void write_cache(int cpu, int index, const char *level, const char *size, const char *cpus)
{
    const char *const names[] = {"level", "size", "shared_cpu_list"},
                      *texts[] = {level, size, cpus};
    for (int k = 0; k < 3; k++)
        put_file_at(filled("sys/devices/system/cpu/cpu%d/cache/index%d/%s", cpu, index, names[k]),
                    filled("%s\n", texts[k]));
}

/* Two sockets with two cores each, whose last levels are 32 MiB. */
TEST(caches_are_added_up)
{
    const char *root = filled("%s/sys", folder);
    assert_int_equal(orr_access_cache_bytes(root), 0);
    for (int cpu = 0; cpu < 4; cpu++) {
        write_cache(cpu, 0, "1", "48K", cpu == 0 ? "0" : "1");
        write_cache(cpu, 1, "3", "32768K", cpu < 2 ? "0-1" : "2,3");
        write_cache(cpu, 2, "2", "1M", "0");
    }
    assert_int_equal(orr_access_cache_bytes(root), (size_t)64 << 20);
}

RUN_TESTS(make_folder, remove_folder)
