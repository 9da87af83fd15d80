/* SPDX-License-Identifier: MIT */
/* The settings of a machine, by a folder that stands for its root and the NVML of tests/drivers. */
#include "json_member.h"
#include "measure/system_state.h"
#include "tests/cases.h"
#include "tests/folder_for_tests.h"
#include "tests/nvml_for_tests.h"

static struct fake_nvml *nvml;

static int make_root(void **state)
{
    if (make_folder(state))
        return -1;
    put_file_at("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
    put_file_at("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n");
    put_file_at("sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", "intel_pstate\n");
    put_file_at("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
    put_file_at("sys/devices/system/cpu/smt/control", "on\n");
    put_file_at("sys/devices/system/cpu/online", "0-7\n");
    put_file_at("sys/devices/system/node/online", "0-1,4\n");
    put_file_at("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    put_file_at("proc/self/status", "Name:\tx\nCpus_allowed:\t7\nCpus_allowed_list:\t0-1,3\n");
    put_file_at("proc/self/cgroup", "0::/a/b\n");
    put_file_at("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    put_file_at("sys/fs/cgroup/a/cpu.max", "150000 100000\n");
    put_file_at("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor avx2\n");
    put_file_at("sys/class/dmi/id/product_name", "Trial Machine\n");
    return 0;
}

static json_t *host_of(json_t *environment)
{
    return json_object_get(environment, "host");
}

TEST(the_hosts_settings_are_told)
{
    json_auto_t *expected = json_pack(
        "{s:s, s:s, s:b, s:s, s:s, s:i, s:i, s:i, s:s, s:f, s:b, s:s}", "governor", "performance",
        "frequency_driver", "intel_pstate", "boost", false, "smt", "on", "huge_pages", "madvise",
        "numa_nodes", 3, "cpus_online", 8, "cpus_allowed", 3, "cpus_allowed_list", "0-1,3",
        "cpu_quota", 1.5, "virtual", true, "virtual_product", "Trial Machine");
    json_auto_t *all = orr_system_state_environment(folder, NULL, 0);
    RELEASED_BY(free_text) char *told = json_dumps(host_of(all), JSON_SORT_KEYS);
    if (!json_equal(host_of(all), expected))
        fail_msg("%s", told);
    assert_int_equal(json_array_size(json_object_get(all, "gpus")), 0);
    put_file_at("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
    json_auto_t *other = orr_system_state_environment(folder, NULL, 0);
    assert_string_equal(orr_json_text(host_of(other), "governor"), "mixed");
}

TEST(what_is_not_told_is_left_out)
{
    json_auto_t *all = orr_system_state_environment("/nonexistent", NULL, 0);
    assert_int_equal(json_object_size(host_of(all)), 0);
}

/* Two backends, one GPU. */
TEST(a_gpus_settings_are_told_once)
{
    const struct orr_device_info devices[] = {
        {.id = "cuda:0", .name = "GPU", .pci = FAKE_NVML_PCI, .uuid = FAKE_NVML_UUID},
        {.id = "opencl:0.0", .name = "GPU", .pci = FAKE_NVML_PCI, .uuid = FAKE_NVML_UUID},
        {.id = "opencl:1.0", .name = "other", .pci = "00000000:c3:00.0"},
        {.id = "host"}};
    nvml->mig = -1;
    nvml->compute_mode = 3;
    json_auto_t *all = orr_system_state_environment(folder, devices, 4);
    const json_t *gpus = json_object_get(all, "gpus");
    assert_int_equal(json_array_size(gpus), 1);
    const json_t *gpu = json_array_get(gpus, 0);
    assert_string_equal(orr_json_text(gpu, "uuid"), FAKE_NVML_UUID);
    assert_string_equal(orr_json_text(gpu, "pci"), FAKE_NVML_PCI);
    assert_true(orr_json_number(gpu, "power_limit_w") == 650);
    assert_true(orr_json_number(gpu, "default_power_limit_w") == 700);
    assert_true(orr_json_number(gpu, "enforced_power_limit_w") == 600);
    assert_int_equal(orr_json_integer(gpu, "application_memory_mhz"), 3201);
    assert_int_equal(orr_json_integer(gpu, "max_sm_mhz"), 1980);
    assert_true(json_is_true(json_object_get(gpu, "ecc")));
    assert_null(json_object_get(gpu, "mig"));
    assert_true(json_is_true(json_object_get(gpu, "persistence")));
    assert_string_equal(orr_json_text(gpu, "compute_mode"), "exclusive process");
}

TEST(only_named_variables_are_told)
{
    setenv("OMP_PROC_BIND", "close", 1);
    setenv("CUDA_VISIBLE_DEVICES", "1", 1);
    setenv("CUDA_VISIBLE_DEVICES_NOT", "x", 1);
    setenv("ORRERY_SPAN_SECONDS", "0.002", 1);
    setenv("ORRERY_TEST_SECRET", "x", 1);
    json_auto_t *all = orr_system_state_environment(folder, NULL, 0);
    const json_t *variables = json_object_get(all, "variables");
    assert_string_equal(orr_json_text(variables, "OMP_PROC_BIND"), "close");
    assert_string_equal(orr_json_text(variables, "CUDA_VISIBLE_DEVICES"), "1");
    assert_string_equal(orr_json_text(variables, "ORRERY_SPAN_SECONDS"), "0.002");
    assert_null(json_object_get(variables, "CUDA_VISIBLE_DEVICES_NOT"));
    assert_null(json_object_get(variables, "ORRERY_TEST_SECRET"));
    assert_null(json_object_get(variables, "PATH"));
}

int main(void)
{
    nvml = use_fake_nvml();
    return run_all(make_root, remove_folder);
}
