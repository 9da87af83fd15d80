/* SPDX-License-Identifier: MIT */
/* What plugins of tests have in common. PLUGIN defines a variant plugin_NAME, of which the Makefile
 * makes tests/plugins/NAME.so: one file may hold many. A header says in MEMBERS what variants that
 * include it share; what a plugin names itself takes the place of that. */
#ifndef PLUGIN_H
#define PLUGIN_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/variant.h"

#ifndef ORR_BUILD_FLAGS
#define ORR_BUILD_FLAGS "test" /* in a test that takes a variant's members from here */
#endif
#pragma GCC diagnostic ignored "-Woverride-init"

#define VARIANT                                                                                 \
    .abi = ORR_VARIANT_ABI, .size = sizeof(struct orr_variant), .build_flags = ORR_BUILD_FLAGS, \
    .summary = "a test", .capabilities = ORR_RUNS_HOST, .dimensions = 3, .params = params,      \
    .param_count = sizeof params / sizeof *params, .params_size = sizeof(struct params), MEMBERS

#define PLUGIN(called, ...)                                                                 \
    __attribute__((visibility("default"))) extern const struct orr_variant plugin_##called; \
    const struct orr_variant plugin_##called = {VARIANT, .name = "plugins/" #called, __VA_ARGS__}

/* A plugin with a verb of its own, of these parameters; its body follows. */
#define PLUGIN_WITH(called, verb, ...)       \
    static int called##_##verb(__VA_ARGS__); \
    PLUGIN(called, .verb = called##_##verb); \
    static int called##_##verb(__VA_ARGS__)

static inline int do_nothing(struct orr_job *job)
{
    return 0;
}

#endif
