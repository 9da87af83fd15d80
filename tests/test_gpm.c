/* NVML's performance monitoring as a witness, by the NVML of tests/drivers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "clock.h"
#include "error.h"
#include "measure/gpm.h"
#include "tests/nvml_for_tests.h"

static const struct orr_device_info gpu = {
    .id = "cuda:0", .backend = "cuda", .kind = ORR_DEVICE_GPU, .pci = FAKE_NVML_PCI};

static json_t *window(const struct orr_device_info *info, double seconds)
{
    struct orr_gpm *gpm;
    orr_gpm_begin(&gpm, info);
    for (double start = orr_clock_now(); orr_clock_now() - start < seconds;)
        ;
    json_t *seen = orr_gpm_end(gpm);
    assert_string_equal(json_string_value(json_object_get(seen, "source")), "gpm");
    assert_int_equal(orr_error_code(), 0);
    return seen;
}

static double number(const json_t *seen, const char *of, const char *name)
{
    const json_t *value = json_object_get(json_object_get(seen, of), name);
    return value ? json_number_value(value) : NAN;
}

static void assert_reason(const struct orr_device_info *info, double seconds, const char *part)
{
    json_t *seen = window(info, seconds);
    const char *reason = json_string_value(json_object_get(seen, "reason"));
    if (!reason || !strstr(reason, part) || json_object_get(seen, "values"))
        fail_msg("%s: %s", part, reason ? reason : "values");
    json_decref(seen);
}

static void a_window_has_shares_and_rates(void **state)
{
    struct fake_nvml *nvml = *state;
    nvml->lacking = ORR_NVML_GPM_TENSOR;
    json_t *seen = window(&gpu, ORR_GPM_WINDOW_S);
    assert_true(fabs(number(seen, "values", "sm_active") - 0.5) < 1e-12);
    assert_true(fabs(number(seen, "values", "fp32_active") - 0.5) < 1e-12);
    assert_true(fabs(number(seen, "values", "dram_active") - 0.5) < 1e-12);
    assert_true(number(seen, "values", "pcie_sent") == 2 * 1048576.0);
    assert_true(number(seen, "raw", "PCIE_TX_PER_SEC") == 2);
    assert_true(number(seen, "raw", "window_s") >= ORR_GPM_WINDOW_S);
    assert_true(isnan(number(seen, "values", "tensor_active")));
    json_decref(seen);
    assert_int_equal(nvml->samples, 0);
    nvml->lacking = 0;
}

/* A share of more than one is none; NVML's own number stays to be seen. */
static void an_impossible_share_is_no_value(void **state)
{
    struct fake_nvml *nvml = *state;
    nvml->percent = 180;
    json_t *seen = window(&gpu, ORR_GPM_WINDOW_S);
    assert_true(isnan(number(seen, "values", "sm_active")));
    assert_true(number(seen, "raw", "SM_UTIL") == 180);
    json_decref(seen);
    nvml->percent = 50;
}

static void without_values_there_is_a_reason(void **state)
{
    struct fake_nvml *nvml = *state;
    struct orr_device_info other = gpu;
    assert_reason(&gpu, 0.1, "too short");
    assert_int_equal(orr_gpm_try(&gpu), 0);
    nvml->monitored = 0;
    assert_reason(&gpu, 0, "compute capability 9.0");
    nvml->monitored = -1;
    assert_reason(&gpu, 0, "nvmlGpmQueryDeviceSupport: error 2");
    nvml->monitored = 1;
    nvml->forbidden = 4;
    assert_reason(&gpu, 0, "nvmlGpmSampleGet: not permitted; as root");
    nvml->forbidden = 0;
    nvml->mig = 1;
    assert_reason(&gpu, 0, "divided (MIG)");
    nvml->mig = 0;
    snprintf(other.pci, sizeof other.pci, "00000000:99:00.0");
    assert_reason(&other, 0, "NVML does not know this GPU");
    other.kind = ORR_DEVICE_HOST;
    assert_reason(&other, 0, "no GPU");
    assert_int_equal(nvml->samples, 0);
}

static int prepare(void **state)
{
    *state = use_fake_nvml();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_has_shares_and_rates),
        cmocka_unit_test(an_impossible_share_is_no_value),
        cmocka_unit_test(without_values_there_is_a_reason),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
