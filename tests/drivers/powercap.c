/* SPDX-License-Identifier: MIT */
/* A processor of 100 W for programs that are run with this library in LD_PRELOAD: /sys has one
 * package, whose counter goes round every 500 J, whatever the machine has. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define FOLDER "/sys/class/powercap/"
static const double WATT = 100, RANGE_UJ = 500e6;

static FILE *file_of(const char *name)
{
    char text[64] = "";
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double spent = WATT * (1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec);
    if (!strcmp(name, "intel-rapl:0/name"))
        snprintf(text, sizeof text, "package-0\n");
    else if (!strcmp(name, "intel-rapl:0/max_energy_range_uj"))
        snprintf(text, sizeof text, "%.0f\n", RANGE_UJ);
    else if (!strcmp(name, "intel-rapl:0/energy_uj"))
        snprintf(text, sizeof text, "%.0f\n", spent - RANGE_UJ * (double)(long)(spent / RANGE_UJ));
    else
        return NULL;
    FILE *file = tmpfile();
    if (file && (fputs(text, file) < 0 || fseek(file, 0, SEEK_SET))) {
        fclose(file);
        file = NULL;
    }
    return file;
}

FILE *fopen(const char *path, const char *mode)
{
    typedef FILE *opener(const char *path, const char *mode);
    static opener *real;
    if (!strncmp(path, FOLDER, strlen(FOLDER)))
        return file_of(path + strlen(FOLDER));
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "fopen");
    return real(path, mode);
}
