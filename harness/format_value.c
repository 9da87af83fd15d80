/* SPDX-License-Identifier: MIT */
#include "format_value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

char *orr_format_number(char *out, size_t size, double value)
{
    double a = fabs(value);
    if (isnan(value))
        snprintf(out, size, "—");
    else if (a >= 1e6 || (a < 1e-3 && a > 0))
        snprintf(out, size, "%.2e", value);
    else
        snprintf(out, size, "%.*f",
                 a >= 99.95      ? 0
                 : a >= 9.995    ? 1
                 : a >= 0.9995   ? 2
                 : a >= 0.09995  ? 3
                 : a >= 0.009995 ? 4
                                 : 5,
                 value);
    return out;
}

char *orr_format_seconds(char *out, size_t size, double seconds)
{
    static const struct {
        double scale;
        const char *unit;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    size_t k = 0;
    while (k < 3 && fabs(seconds) < 0.9995 * units[k].scale)
        k++;
    double value = seconds / units[k].scale;
    int digits = fabs(value) >= 1000 ? 0 : fabs(value) >= 100 ? 1 : fabs(value) >= 10 ? 2 : 3;
    snprintf(out, size, "%.*f %s", digits, value, units[k].unit);
    return out;
}

char *orr_format_si(char *out, size_t size, double value, const char *unit)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    static const char *const below[] = {"", "m", "u", "n", "p", "f", "a"};
    size_t k = 0, down = 0;
    if (isnan(value)) {
        snprintf(out, size, "—");
        return out;
    }
    while (k < 5 && fabs(value) >= 999.5) {
        value /= 1000;
        k++;
    }
    while (value != 0 && down < 6 && fabs(value) < 0.9995) {
        value *= 1000;
        down++;
    }
    int digits = fabs(value) >= 99.95 ? 0 : fabs(value) >= 9.995 ? 1 : 2;
    snprintf(out, size, "%.*f %s%s", digits, value, down ? below[down] : prefixes[k], unit);
    return out;
}

char *orr_format_in_unit(char *out, size_t size, double seconds, const char *unit)
{
    if (isnan(seconds) || *unit)
        return orr_format_number(out, size, seconds * (strcmp(unit, "ms") ? 1 : 1e3));
    return orr_format_seconds(out, size, seconds);
}

char *orr_format_plus_minus(char *out, size_t size, double share)
{
    *out = '\0';
    if (!isnan(share))
        snprintf(out, size, "± %.*f %%", share < 0.0995 ? 1 : 0, 100 * share);
    return out;
}
