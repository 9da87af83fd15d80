/* SPDX-License-Identifier: MIT */
/* An OpenCL driver that breaks as TEST_DRIVER says: "load" crashes and "hang" hangs while it is
 * loaded, "platforms" crashes when it is asked for its platforms. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is(const char *how)
{
    const char *asked = getenv("TEST_DRIVER");
    return asked && !strcmp(asked, how);
}

__attribute__((constructor)) static void load(void)
{
    if (is("load"))
        raise(SIGSEGV);
    while (is("hang"))
        sleep(60);
}

static int get_platforms(void)
{
    if (is("platforms"))
        raise(SIGSEGV);
    return -1001; /* CL_PLATFORM_NOT_FOUND_KHR */
}

/* The loader takes a driver for one that has these two. */
void *clGetExtensionFunctionAddress(const char *name);
void *clGetExtensionFunctionAddress(const char *name)
{
    return strcmp(name, "clIcdGetPlatformIDsKHR") ? NULL : (void *)get_platforms;
}

int clGetPlatformInfo(void);
int clGetPlatformInfo(void)
{
    return -30; /* CL_INVALID_VALUE */
}
