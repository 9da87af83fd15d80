/* SPDX-License-Identifier: MIT */
#include "ranks/nccl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct orr_nccl_api api;

static const struct {
    size_t offset;
    const char *name;
} symbols[] = {
#define SYMBOL(member, symbol, parameters) {offsetof(struct orr_nccl_api, member), #symbol},
    ORR_NCCL_FUNCTIONS(SYMBOL){offsetof(struct orr_nccl_api, error_text), "ncclGetErrorString"}};

const struct orr_nccl_api *orr_nccl_load(const char **why)
{
    static char reason[128];
    const char *wanted = getenv("ORRERY_NCCL");
    *why = reason;
    if (wanted && !strcmp(wanted, "off")) {
        snprintf(reason, sizeof reason, "ORRERY_NCCL=off");
        return NULL;
    }
    /* A process that dies with a multicast object can leave the GPUs of its host unusable; who
     * wants it all the same sets the variable. */
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    const char *name = wanted ? wanted : "libnccl.so.2";
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    snprintf(reason, sizeof reason,
             wanted ? "ORRERY_NCCL: %.80s cannot be loaded" : "%s is not installed", name);
    for (size_t k = 0; library && k < sizeof symbols / sizeof *symbols; k++) {
        void *address = dlsym(library, symbols[k].name);
        memcpy((char *)&api + symbols[k].offset, &address, sizeof address);
        if (!address) {
            snprintf(reason, sizeof reason, "%.80s lacks %s: too old", name, symbols[k].name);
            return NULL;
        }
    }
    return library ? &api : NULL;
}

void orr_nccl_name_version(char *out, size_t size, int version)
{
    int major = version / 10000; /* before 2.9 it was 1000 a major version, 100 a minor one */
    if (version < 10000)
        snprintf(out, size, "%d.%d.%d", version / 1000, version % 1000 / 100, version % 100);
    else
        snprintf(out, size, "%d.%d.%d", major, version % 10000 / 100, version % 100);
}

bool orr_nccl_describe(char *out, size_t size)
{
    const char *why;
    const struct orr_nccl_api *nccl = orr_nccl_load(&why);
    char version[32] = "of an unknown version";
    int number;
    if (nccl && !nccl->version(&number))
        orr_nccl_name_version(version, sizeof version, number);
    if (nccl)
        snprintf(out, size, "NCCL %s", version);
    else
        snprintf(out, size, "%s", why);
    return nccl;
}
