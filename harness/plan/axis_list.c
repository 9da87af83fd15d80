/* The axes of one experiment as they are collected: its own, its preset's, then those of --set. */
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "plan/axis.h"
#include "plan/plan_parts.h"

const char *const *orr_axis_list_get(const struct orr_axis_list *axes, const char *name)
{
    for (int k = 0; k < axes->count; k++)
        if (!strcmp(axes->items[k].name, name))
            return (const char *const *)axes->items[k].values;
    return NULL;
}

/* n and per_box both say how many bodies there are: the later one holds. */
static const char *other_size(const char *name)
{
    return !strcmp(name, "n") ? "per_box" : !strcmp(name, "per_box") ? "n" : NULL;
}

/* Where the axis `name`, or what it replaces, stands; the count when nowhere. */
static int place_of(const struct orr_axis_list *axes, const char *name)
{
    const char *other = other_size(name);
    int at = 0;
    while (at < axes->count && strcmp(axes->items[at].name, name) != 0 &&
           !(other && !strcmp(axes->items[at].name, other)))
        at++;
    return at;
}

int orr_axis_list_put(struct orr_axis_list *axes, const char *name, const char *values)
{
    int at = place_of(axes, name);
    if (at == ORR_MAX_SETTINGS || strlen(name) >= sizeof axes->items->name)
        return orr_fail(ORR_EUSAGE,
                        "axis '%.40s': its name is too long, or there are more than %d axes", name,
                        ORR_MAX_SETTINGS);
    char **list;
    if (orr_axis_values(&list, values, orr_axis_is_count(name)))
        return orr_error_context("axis '%s'", name);
    if (at == axes->count)
        axes->count++;
    else
        orr_names_free(axes->items[at].values);
    strcpy(axes->items[at].name, name);
    axes->items[at].values = list;
    return 0;
}

void orr_axis_list_release(struct orr_axis_list *axes)
{
    for (int k = 0; k < axes->count; k++)
        orr_names_free(axes->items[k].values);
    axes->count = 0;
}

int orr_axis_set_name(char name[32], const char *text)
{
    size_t length = strcspn(text, "=");
    if (!text[length] || length == 0 || length >= 32)
        return orr_fail(ORR_EUSAGE,
                        "--set %s: write it as name=value, name=a,b or name=low:high:*factor",
                        text);
    snprintf(name, 32, "%.*s", (int)length, text);
    return 0;
}

int orr_axis_list_put_set(struct orr_axis_list *axes, const char *text)
{
    char name[32];
    int code = orr_axis_set_name(name, text);
    if (!code && orr_axis_list_put(axes, name, strchr(text, '=') + 1))
        code = orr_error_context("--set");
    return code;
}
