/* SPDX-License-Identifier: MIT */
/* What is told of the machine itself. */
#include <ctype.h>

#include "device/device.h"
#include "machine.h"
#include "tests/cases.h"

TEST(machine_is_described)
{
    struct orr_machine m;
    orr_machine_describe(&m);
    assert_true(m.cores >= 1 && m.threads >= m.cores);
    assert_true(m.memory_bytes > 1 << 20);
    assert_true(m.cpu[0] && m.kernel[0] && m.simd[0]);
    json_auto_t *object = orr_machine_to_json(&m, "Some GPU");
    assert_non_null(object);
    assert_string_equal(json_string_value(json_object_get(object, "name")), "some-gpu");
    assert_int_equal(json_integer_value(json_object_get(object, "threads")), m.threads);
}

static const char *name_of(const struct orr_machine *m, const char *gpu)
{
    json_auto_t *object = orr_machine_to_json(m, gpu);
    return filled("%s", json_string_value(json_object_get(object, "name")));
}

TEST(machine_has_a_name_without_its_host)
{
    struct orr_machine m = {.cpu = "Intel(R) Xeon(R) CPU @ 2.30GHz", .cores = 2};
    struct orr_device_info devices[16];
    const int device_count = orr_device_list(devices, 16);
    const struct orr_device_info *gpu = orr_device_called(devices, device_count, "gpu");
    char host[64] = "";
    assert_string_equal(name_of(&m, NULL), "intel-xeon-2-cores");
    assert_string_equal(name_of(&m, "NVIDIA H200"), "nvidia-h200");
    m = (struct orr_machine){.cpu = "AMD Ryzen 7 5800X 8-Core Processor", .cores = 1};
    assert_string_equal(name_of(&m, NULL), "amd-ryzen-7-5800x-8-1-core");
    orr_machine_describe(&m);
    const char *name = name_of(&m, gpu ? gpu->name : NULL);
    gethostname(host, sizeof host - 1);
    assert_true(name[0] && (!host[0] || !strstr(name, host)));
    for (const char *c = name; *c; c++)
        assert_true(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '-' ||
                    *c == '.');
}

RUN_TESTS(NULL, NULL)
