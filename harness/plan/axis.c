#include "plan/axis.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "names.h"
#include "plan/paper.h"
#include "plugin/params.h"
#include "text.h"

enum { MOST_VALUES = 10000 };

bool orr_axis_is_count(const char *name)
{
    return !strcmp(name, "n") || !strcmp(name, "per_box") || !strcmp(name, "level") ||
           !strcmp(name, "seed");
}

static int add_value(struct orr_names *values, const char *value)
{
    for (size_t k = 0; k < values->count; k++)
        if (!strcmp(values->items[k], value))
            return 0;
    if (values->count == MOST_VALUES)
        return orr_fail(ORR_EUSAGE, "more than %d values", MOST_VALUES);
    return orr_names_add(values, "%s", value);
}

struct range {
    double low, high, by;
    bool factor;
};

static int parse_range(struct range *out, const char *item)
{
    char low[64], high[64], by[64], sign;
    int end = 0;
    if (sscanf(item, "%63[^:]:%63[^:]:%c%63[^:]%n", low, high, &sign, by, &end) != 4 || item[end] ||
        (sign != '*' && sign != '+') || !orr_text_number(low, &out->low) ||
        !orr_text_number(high, &out->high) || !orr_text_number(by, &out->by))
        return orr_fail(ORR_EUSAGE, "'%s' is no range; write low:high:*factor or low:high:+step",
                        item);
    out->factor = sign == '*';
    if (out->low > out->high)
        return orr_fail(ORR_EUSAGE, "'%s': the range ends before it starts", item);
    if (out->factor ? !(out->by > 1 && out->low > 0) : !(out->by > 0))
        return orr_fail(ORR_EUSAGE, "'%s': %s", item,
                        out->factor ? "a factor must be above 1 and the range start above 0"
                                    : "a step must be above 0");
    return 0;
}

static int add_range(struct orr_names *values, const struct range *range, bool integers)
{
    double slack = 1e-9 * range->by * (range->factor ? range->high : 1);
    double value = range->low;
    for (int k = 1; k <= MOST_VALUES; k++) {
        bool last = value >= range->high - slack;
        double kept = last ? range->high : value;
        char text[64];
        int code =
            add_value(values, orr_params_number(integers ? round(kept) : kept, text, sizeof text));
        if (code || last)
            return code;
        /* Multiples of the step, not running sums, and twelve digits: 0.1 added three times must be
         * 0.3. */
        value = range->factor ? range->low * pow(range->by, k) : range->low + range->by * k;
        snprintf(text, sizeof text, "%.12g", value);
        value = strtod(text, NULL);
    }
    return orr_fail(ORR_EUSAGE, "a range of more than %d values", MOST_VALUES);
}

static int add_item(struct orr_names *values, char *item, bool integers)
{
    while (isspace((unsigned char)*item))
        item++;
    for (size_t length = strlen(item); length && isspace((unsigned char)item[length - 1]);)
        item[--length] = '\0';
    if (!*item)
        return orr_fail(ORR_EUSAGE, "a value is missing between commas");
    if (!strchr(item, ':'))
        return add_value(values, item);
    struct range range = {0};
    int code = parse_range(&range, item);
    return code ? code : add_range(values, &range, integers);
}

int orr_axis_values(char ***out, const char *text, bool integers)
{
    struct orr_names values = {0};
    char *copy = strdup(text), *rest = copy;
    int code = copy ? 0 : orr_fail(ORR_EMEMORY, "no memory for the values of an axis");
    *out = NULL;
    while (!code && rest)
        code = add_item(&values, strsep(&rest, ","), integers);
    free(copy);
    if (code) {
        orr_names_free(values.items);
        return code;
    }
    *out = values.items;
    return 0;
}
