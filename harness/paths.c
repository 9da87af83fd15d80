#include "paths.h"

#include <libgen.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

int orr_paths_program(char *out, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", out, size - 1);
    if (length < 0)
        return orr_fail(ORR_EINTERNAL, "cannot find the running program through /proc/self/exe");
    out[length] = '\0';
    return 0;
}

/* <home>/build/orrery: the folder of the program; test programs lie one deeper, in
 * <home>/build/tests. */
static int build_folder(char *out, size_t size)
{
    int code = orr_paths_program(out, size);
    if (code)
        return code;
    char *folder = dirname(out);
    memmove(out, folder, strlen(folder) + 1);
    char *base = strrchr(out, '/');
    if (base && !strcmp(base, "/tests"))
        *base = '\0';
    return 0;
}

int orr_paths_home(char *out, size_t size, const char *format, ...)
{
    char relative[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(relative, sizeof relative, format, arguments);
    va_end(arguments);
    char folder[1024];
    const char *home = getenv("ORRERY_HOME");
    if (!home || !*home) {
        int code = build_folder(folder, sizeof folder);
        if (code)
            return code;
        home = dirname(folder);
    }
    if ((size_t)snprintf(out, size, "%s/%s", home, relative) >= size)
        return orr_fail(ORR_EINTERNAL, "path too long: %s/%s", home, relative);
    return 0;
}

int orr_paths_plugins(char *out, size_t size)
{
    const char *chosen = getenv("ORRERY_PLUGINS");
    char folder[1024];
    if (!chosen || !*chosen) {
        int code = build_folder(folder, sizeof folder - sizeof "/variants");
        if (code)
            return code;
        strcat(folder, "/variants");
        chosen = folder;
    }
    if ((size_t)snprintf(out, size, "%s", chosen) >= size)
        return orr_fail(ORR_EINTERNAL, "path too long: %s", chosen);
    return 0;
}

int orr_paths_cache(char *out, size_t size)
{
    const char *base = getenv("ORRERY_CACHE");
    int length;
    if (base && *base)
        length = snprintf(out, size, "%s", base);
    else if ((base = getenv("XDG_CACHE_HOME")) && *base)
        length = snprintf(out, size, "%s/orrery", base);
    else if ((base = getenv("HOME")) && *base)
        length = snprintf(out, size, "%s/.cache/orrery", base);
    else
        length = snprintf(out, size, "/tmp/orrery-%u", (unsigned)getuid());
    if ((size_t)length >= size)
        return orr_fail(ORR_EINTERNAL, "path of the kernel cache is too long");
    return 0;
}
