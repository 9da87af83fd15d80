/* SPDX-License-Identifier: MIT */
#include "names.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"
#include "text.h"

const char *const orr_names_access[ORR_ACCESS_KINDS] = {
    [ORR_GR] = "GR", [ORR_GW] = "GW", [ORR_SR] = "SR", [ORR_SW] = "SW", [ORR_RR] = "RR",
    [ORR_RW] = "RW", [ORR_CP] = "CP", [ORR_AS] = "AS", [ORR_AG] = "AG", [ORR_IR] = "IR",
    [ORR_AD] = "AD", [ORR_LP] = "LP", [ORR_BA] = "BA", [ORR_CX] = "CX", [ORR_CN] = "CN",
    [ORR_CY] = "CY", [ORR_CE] = "CE", [ORR_PJ] = "PJ", [ORR_CT] = "CT", [ORR_CA] = "CA",
    [ORR_CL] = "CL", [ORR_CB] = "CB", [ORR_TB] = "TB", [ORR_TL] = "TL", [ORR_AF] = "AF",
    [ORR_NG] = "NG", [ORR_DG] = "DG", [ORR_DP] = "DP", [ORR_DF] = "DF",
};

void orr_names_add(struct orr_names *names, const char *format, ...)
{
    va_list arguments;
    names->items = orr_memory_more(names->items, (names->count + 2) * sizeof *names->items);
    va_start(arguments, format);
    names->items[names->count++] = orr_memory_format(format, arguments);
    names->items[names->count] = NULL;
    va_end(arguments);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int orr_names_finish(struct orr_names *names, char ***out, int code)
{
    if (code) {
        orr_names_free(names->items);
        return code;
    }
    if (!names->items)
        names->items = orr_memory_get(sizeof *names->items);
    qsort(names->items, names->count, sizeof *names->items, by_text);
    size_t kept = 0;
    for (size_t k = 0; k < names->count; k++) {
        if (kept && !strcmp(names->items[kept - 1], names->items[k]))
            free(names->items[k]);
        else
            names->items[kept++] = names->items[k];
    }
    names->items[kept] = NULL;
    *out = names->items;
    return 0;
}

void orr_names_free(char **names)
{
    for (char **k = names; k && *k; k++)
        free(*k);
    free(names);
}

size_t orr_names_count(char *const *names)
{
    size_t count = 0;
    while (names && names[count])
        count++;
    return count;
}

bool orr_names_has(char *const *names, const char *name)
{
    while (names && *names && strcmp(*names, name) != 0)
        names++;
    return names && *names;
}

const void *orr_names_find(const char *name, const void *items, size_t count, size_t size)
{
    for (const char *item = items; count; count--, item += size)
        if (!strcmp(*(const char *const *)item, name))
            return item;
    return NULL;
}

static void list_all(char *out, size_t size, const char *const *names, size_t count)
{
    int used = snprintf(out, size, "; there %s", count == 1 ? "is" : "are");
    for (size_t k = 0; k < count && (size_t)used < size; k++)
        used += snprintf(out + used, size - (size_t)used, "%s%s", k ? ", " : " ", names[k]);
}

int orr_names_fail(const char *what, const char *word, const void *first, size_t count,
                   size_t stride)
{
    const char **names = orr_memory_get((count + 1) * sizeof *names);
    for (size_t k = 0; k < count; k++)
        names[k] = *(const char *const *)((const char *)first + k * stride);
    char hint[512];
    if (!*orr_text_hint(hint, sizeof hint, word, names, count) && count)
        list_all(hint, sizeof hint, names, count);
    if (strlen(hint) + 1 >= sizeof hint) /* cut off in a name */
        snprintf(hint, sizeof hint, "; there are %zu, see `orrery list`", count);
    free(names);
    return orr_fail(ORR_EUSAGE, "%s '%s'%s", what, word, hint);
}
