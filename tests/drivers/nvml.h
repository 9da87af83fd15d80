/* SPDX-License-Identifier: MIT */
/* What the NVML of tests says: the library holds one of these as `fake_nvml`. */
#ifndef FAKE_NVML_H
#define FAKE_NVML_H

#include "harness/device/cuda_abi.h"

enum { FAKE_NVML_PROCESSES = 8 };

/* A GPU at FAKE_NVML_PCI; a number below 0 is not told ("not supported"). */
struct fake_nvml {
    int sm_mhz, memory_mhz, milliwatt, celsius;
    unsigned long long reasons, millijoule;
    int instant_milliwatt; /* power of now, while `milliwatt` is that of the last second */
    int counted_watt;      /* the energy counter grows by it from its first reading on */
    int power_limit, default_power_limit, enforced_power_limit; /* milliwatts */
    int ecc, mig, persistence, compute_mode;
    int application_sm_mhz, application_memory_mhz, max_sm_mhz, max_memory_mhz;
    int calls; /* of whatever reads a value */
    int process_count;
    struct orr_nvml_process processes[FAKE_NVML_PROCESSES];
};
#define FAKE_NVML_PCI "00000000:1b:00.0"
#define FAKE_NVML_UUID "GPU-00112233-4455-6677-8899-aabbccddeeff"

#endif
