#include "system_file.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_first(char *out, size_t size, const char *path)
{
    FILE *file = fopen(path, "re");
    bool found = file && fgets(out, (int)size, file);
    if (file)
        fclose(file);
    out[found ? strcspn(out, "\n") : 0] = '\0';
    return found;
}

bool orr_system_line(char *out, size_t size, const char *format, ...)
{
    char path[PATH_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    return read_first(out, size, path);
}

double orr_system_number(const char *format, ...)
{
    char path[PATH_MAX], text[64], *end;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    if (!read_first(text, sizeof text, path))
        return NAN;
    double value = strtod(text, &end);
    if (end == text)
        errno = EIO;
    return end == text ? NAN : value;
}

bool orr_system_field(char *out, size_t size, const char *path, const char *key)
{
    char line[4096];
    bool found = false;
    FILE *file = fopen(path, "re");
    out[0] = '\0';
    while (file && !found && fgets(line, sizeof line, file))
        if ((found = !strncmp(line, key, strlen(key)))) {
            const char *rest = line + strlen(key);
            rest += strspn(rest, " \t:=\"");
            snprintf(out, size, "%.*s", (int)strcspn(rest, "\"\n"), rest);
        }
    if (file)
        fclose(file);
    return found;
}
