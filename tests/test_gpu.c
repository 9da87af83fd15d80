/* SPDX-License-Identifier: MIT */
/* Which GPU a device is, by the NVML of tests/drivers. */
#include "device/cuda_abi.h"
#include "device/device.h"
#include "tests/cases.h"
#include "tests/nvml_for_tests.h"

/* The UUID is NVML's even where the backend says another, as CUDA does of a MIG instance. */
TEST(backends_agree_on_a_gpu)
{
    static const unsigned char other[ORR_GPU_UUID_BYTES] = {0xff};
    struct orr_device_info cuda = {.backend = "cuda"}, opencl = {.backend = "opencl"};
    struct nvmlDevice_st *gpu[2];
    orr_device_set_pci(&cuda, 0, 0x1b, 0);
    orr_device_set_pci(&opencl, 0, 0x1b, 0);
    orr_device_set_uuid(&cuda, other);
    orr_device_set_uuid(&opencl, NULL);
    assert_string_equal(cuda.pci, FAKE_NVML_PCI);
    assert_string_equal(cuda.uuid, FAKE_NVML_UUID);
    assert_string_equal(opencl.uuid, FAKE_NVML_UUID);
    assert_non_null(orr_device_nvml(&cuda, &gpu[0]));
    assert_non_null(orr_device_nvml(&opencl, &gpu[1]));
    assert_ptr_equal(gpu[0], gpu[1]);
}

TEST(a_gpu_without_nvml_keeps_its_own_uuid)
{
    static const unsigned char own[ORR_GPU_UUID_BYTES] = {0x6b, 0x3a, 0x01, 0x02, 0x03, 0x04,
                                                          0x05, 0x06, 0x07, 0x08, 0x09, 0x0a,
                                                          0x0b, 0x0c, 0x0d, 0xfe};
    struct orr_device_info other = {.backend = "opencl"}, unknown = {.backend = "opencl"};
    struct nvmlDevice_st *gpu;
    orr_device_set_pci(&other, 1, 0xc3, 0x1f);
    orr_device_set_uuid(&other, own);
    assert_string_equal(other.pci, "00000001:c3:1f.0");
    assert_string_equal(other.uuid, "GPU-6b3a0102-0304-0506-0708-090a0b0c0dfe");
    assert_null(orr_device_nvml(&other, &gpu));
    orr_device_set_uuid(&unknown, NULL);
    assert_string_equal(unknown.uuid, "");
    assert_null(orr_device_nvml(&unknown, &gpu));
}

int main(void)
{
    use_fake_nvml();
    return run_all(NULL, NULL);
}
