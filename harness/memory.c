#include "memory.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

/* Nothing is flushed or released: what ends here may be a child that shares its parent's files. */
static void *or_end(void *memory, size_t bytes)
{
    if (memory)
        return memory;
    dprintf(STDERR_FILENO, "orrery: no memory for %zu bytes\n", bytes);
    _exit(orr_error_exit(ORR_EMEMORY));
}

static void *take(size_t bytes)
{
    return or_end(malloc(bytes ? bytes : 1), bytes);
}

void orr_memory_begin(void)
{
    json_set_alloc_funcs(take, free);
}

void *orr_xcalloc(size_t count, size_t size)
{
    return or_end(calloc(count ? count : 1, size ? size : 1), count * size);
}

void *orr_xrealloc(void *old, size_t count, size_t size)
{
    return or_end(reallocarray(old, count ? count : 1, size ? size : 1), count * size);
}

char *orr_xstrdup(const char *text)
{
    return or_end(strdup(text), strlen(text) + 1);
}

char *orr_xstrndup(const char *text, size_t length)
{
    return or_end(strndup(text, length), length + 1);
}

char *orr_xvasprintf(const char *format, va_list arguments)
{
    char *text;
    return or_end(vasprintf(&text, format, arguments) < 0 ? NULL : text, strlen(format));
}

char *orr_xasprintf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = orr_xvasprintf(format, arguments);
    va_end(arguments);
    return text;
}
