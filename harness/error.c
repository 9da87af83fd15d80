/* SPDX-License-Identifier: MIT */
#include "error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

static _Thread_local struct {
    int code;
    char text[1024];
    char where[96];
} failure;

/* One line that steers no terminal: what is told may hold texts of files from others. The text
 * `first`, which was there before, stays behind it. */
__attribute__((format(printf, 1, 0))) static void say(const char *format, va_list values,
                                                      const char *first)
{
    vsnprintf(failure.text, sizeof failure.text, format, values);
    strncat(failure.text, first, sizeof failure.text - 1 - strlen(failure.text));
    orr_text_tame(failure.text);
    for (char *c = failure.text; (c = strchr(c, '\n'));)
        *c = ' ';
}

int orr_error_set(int code, const char *file, int line, const char *format, ...)
{
    if (failure.code)
        return code;
    failure.code = code;
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments, "");
    va_end(arguments);
    snprintf(failure.where, sizeof failure.where, "%s:%d", file, line);
    return code;
}

int orr_error_context(const char *format, ...)
{
    char first[sizeof failure.text + 2];
    snprintf(first, sizeof first, ": %s", failure.text);
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments, first);
    va_end(arguments);
    return failure.code;
}

int orr_error_code(void)
{
    return failure.code;
}

const char *orr_error_text(void)
{
    return failure.code ? failure.text : "";
}

const char *orr_error_where(void)
{
    return failure.code ? failure.where : "";
}

void orr_error_clear(void)
{
    failure.code = 0;
}

int orr_error_exit(int code)
{
    static const int exits[] = {
        [-ORR_EWRONG] = ORR_EXIT_WRONG,
        [-ORR_ESUSPECT] = ORR_EXIT_WRONG,
        [-ORR_EDEVICE] = ORR_EXIT_DEVICE,
        [-ORR_EUNSUPPORTED] = ORR_EXIT_DEVICE,
        [-ORR_EBUILD] = ORR_EXIT_SOME_FAILED,
        [-ORR_EMEMORY] = ORR_EXIT_SOME_FAILED,
        [-ORR_EINTERNAL] = ORR_EXIT_SOME_FAILED,
        [-ORR_ETIMEOUT] = ORR_EXIT_SOME_FAILED,
        [-ORR_EBUSY] = ORR_EXIT_BUSY,
        [-ORR_EINTERRUPTED] = ORR_EXIT_INTERRUPTED,
    };
    const bool known = code <= 0 && -code < (int)(sizeof exits / sizeof *exits);
    return !code ? ORR_EXIT_OK : known && exits[-code] ? exits[-code] : ORR_EXIT_USAGE;
}

int orr_error_failed(void)
{
    return orr_error_code() ? orr_error_code() : orr_fail(ORR_EINTERNAL, "failed without a reason");
}
