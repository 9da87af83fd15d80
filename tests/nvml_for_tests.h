/* SPDX-License-Identifier: MIT */
/* The NVML of tests/drivers instead of NVIDIA's, for the rest of the program. */
#ifndef NVML_FOR_TESTS_H
#define NVML_FOR_TESTS_H

#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/paths.h"
#include "tests/drivers/nvml.h"

/* To be called before NVML is first asked. What it returns decides what NVML says. */
static inline struct fake_nvml *use_fake_nvml(void)
{
    char program[PATH_MAX], path[PATH_MAX + 64];
    if (orr_paths_program(program, sizeof program))
        abort();
    snprintf(path, sizeof path, "%s/drivers/libnvidia-ml.so.1", dirname(program));
    void *library = dlopen(path, RTLD_NOW);
    struct fake_nvml *said = library ? dlsym(library, "fake_nvml") : NULL;
    if (!said) {
        fprintf(stderr, "%s: %s\n", path, dlerror());
        abort();
    }
    return said;
}

#endif
