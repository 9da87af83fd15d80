/* SPDX-License-Identifier: MIT */
#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

static void *have(void *memory)
{
    static const char text[] = "orrery: no memory\n";
    if (memory)
        return memory;
    ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
    (void)ignored;
    _exit(orr_error_exit(ORR_EMEMORY));
}

void *orr_memory_get(size_t bytes)
{
    return have(calloc(1, bytes ? bytes : 1));
}

void *orr_memory_more(void *old, size_t bytes)
{
    return have(realloc(old, bytes ? bytes : 1));
}

char *orr_memory_text(const char *text)
{
    return have(strdup(text));
}

char *orr_memory_part(const char *text, size_t length)
{
    return have(strndup(text, length));
}

char *orr_memory_format(const char *format, va_list arguments)
{
    char *text;
    return have(vasprintf(&text, format, arguments) < 0 ? NULL : text);
}

void *orr_memory_add(void *list, size_t *count, size_t size)
{
    char **items = list;
    *items = orr_memory_more(*items, (*count + 1) * size);
    return memset(*items + (*count)++ * size, 0, size);
}

FILE *orr_memory_stream(char **text, size_t *size)
{
    return have(open_memstream(text, size));
}
