/* What --set says: the values of one axis, or rows of values of axes that vary together. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "memory.h"
#include "plan/plan_parts.h"

/* The names before the '=', with commas between. */
static int read_names(struct orr_axis_set *out, const char *text)
{
    const size_t left = strcspn(text, "=");
    bool good = text[left];
    for (size_t at = 0; good && at <= left;) {
        size_t length = strcspn(text + at, ",=");
        good = length && length < sizeof *out->names && out->width < ORR_MAX_SETTINGS;
        if (good)
            snprintf(out->names[out->width++], sizeof *out->names, "%.*s", (int)length, text + at);
        at += length + 1;
    }
    return good ? 0
                : orr_fail(ORR_EUSAGE,
                           "--set %s: write it as name=value, name=a,b or name=low:high:*factor; "
                           "axes that vary together as n,eps=1000:0.1,2000:0.2",
                           text);
}

static int add_value(struct orr_axis_set *out, const char *value, const char *row)
{
    if (!*value)
        return orr_fail(ORR_EUSAGE, "a value is missing in '%s'", row);
    if (*value == '+' || strpbrk(value, "*?"))
        return orr_fail(ORR_EUSAGE,
                        "'%s' in '%s' is no single value; axes that vary together take neither "
                        "ranges nor wildcards",
                        value, row);
    orr_names_add(&out->values, "%s", value);
    return 0;
}

/* "1000:0.5", a value of each axis. */
static int add_row(struct orr_axis_set *out, const char *row)
{
    char *copy = orr_memory_text(row), *rest = copy;
    int code = 0, found = 0;
    if (!*row)
        code = orr_fail(ORR_EUSAGE, "a value is missing between commas");
    for (; !code && rest; found++)
        code = add_value(out, strsep(&rest, ":"), row);
    if (!code && found != out->width)
        code = orr_fail(ORR_EUSAGE, "'%s' has %d value%s for %d axes; colons stand between them",
                        row, found, found == 1 ? "" : "s", out->width);
    free(copy);
    return code;
}

static int add_rows(struct orr_axis_set *out, const char *text)
{
    char *copy = orr_memory_text(text), *rest = copy;
    int code = 0;
    while (!code && rest)
        code = add_row(out, strsep(&rest, ","));
    free(copy);
    return code;
}

int orr_axis_set_read(struct orr_axis_set *out, const char *text)
{
    *out = (struct orr_axis_set){0};
    int code = read_names(out, text);
    if (code)
        return code;
    const char *values = strchr(text, '=') + 1;
    if (out->width > 1)
        code = add_rows(out, values);
    else
        orr_names_add(&out->values, "%s", values);
    if (!code)
        return 0;
    orr_axis_set_release(out);
    return orr_error_context("--set %.*s", (int)(values - 1 - text), text);
}

void orr_axis_set_release(struct orr_axis_set *set)
{
    orr_names_free(set->values.items);
    *set = (struct orr_axis_set){0};
}

size_t orr_axis_set_rows(const struct orr_axis_set *set)
{
    return set->values.count / (size_t)set->width;
}

bool orr_axis_set_has(const struct orr_axis_set *set, const char *name)
{
    for (int k = 0; k < set->width; k++)
        if (!strcmp(set->names[k], name))
            return true;
    return false;
}

int orr_axis_list_put_set(struct orr_axis_list *axes, const struct orr_axis_set *set, size_t row)
{
    int code = 0;
    for (int k = 0; !code && k < set->width; k++)
        code = orr_axis_list_put(axes, set->names[k],
                                 set->values.items[row * (size_t)set->width + (size_t)k]);
    return code ? orr_error_context("--set") : 0;
}
