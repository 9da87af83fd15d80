#include "present/show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

char *orr_show_number(char *out, size_t size, double value)
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

char *orr_show_seconds(char *out, size_t size, double seconds, const char *unit)
{
    if (isnan(seconds) || *unit)
        return orr_show_number(out, size, seconds * (strcmp(unit, "ms") ? 1 : 1e3));
    return orr_text_seconds(out, size, seconds);
}

char *orr_show_venue(char *out, size_t size, const struct orr_paper *paper)
{
    char year[16] = "";
    if (paper->year)
        snprintf(year, sizeof year, " (%u)", paper->year);
    snprintf(out, size, "%s%s", paper->venue, year);
    return out;
}

char *orr_show_input(char *out, size_t size, const struct orr_results *results,
                     const struct orr_input *input)
{
    char level[32] = "";
    if (!isnan(input->level) && input->level != results->inputs[0].level)
        snprintf(level, sizeof level, ", level %.0f", input->level);
    snprintf(out, size, "%s = %.0f%s", isnan(input->per_box) ? "N" : "P", orr_input_size(input),
             level);
    return out;
}

char *orr_show_ratio(char *out, size_t size, const struct orr_ratio *ratio)
{
    char value[32], low[32], high[32];
    orr_show_number(value, sizeof value, ratio->value);
    orr_show_number(low, sizeof low, ratio->low);
    orr_show_number(high, sizeof high, ratio->high);
    if (isnan(ratio->value) || isnan(ratio->low))
        snprintf(out, size, "%s%s", value, ratio->extrapolated ? ORR_ABOUT : "");
    else
        snprintf(out, size, "%s [%s, %s]%s", value, low, high,
                 ratio->extrapolated ? ORR_ABOUT : "");
    return out;
}

char *orr_show_short_time(char *out, size_t size, const struct orr_result *result)
{
    if (!result) {
        snprintf(out, size, "—");
    } else if (!result->ok) {
        snprintf(out, size, "%s", result->outcome);
    } else {
        orr_text_seconds(out, size, result->seconds);
        if (result->extrapolated)
            strncat(out, ORR_ABOUT, size - strlen(out) - 1);
    }
    return out;
}

char *orr_show_time(char *out, size_t size, const struct orr_result *result)
{
    orr_show_short_time(out, size, result);
    if (!result || !result->ok || result->extrapolated || isnan(result->low) || isnan(result->high))
        return out;
    size_t used = strlen(out);
    if (result->samples == 1) { /* its interval is a point and says nothing */
        snprintf(out + used, size - used, " (1 sample)");
        return out;
    }
    double half = 0.5 * (result->high - result->low) / result->seconds;
    snprintf(out + used, size - used, " ± %.*f %%", half < 0.1 ? 1 : 0, 100 * half);
    return out;
}

struct orr_ratio orr_ratio_to_published(const struct orr_published *published,
                                        const struct orr_result *result)
{
    struct orr_ratio ratio = {NAN, NAN, NAN, false};
    if (isnan(published->value) || !result || !result->ok || !result->standard)
        return ratio;
    double low = isnan(result->low) ? result->seconds : result->low;
    double high = isnan(result->high) ? result->seconds : result->high;
    ratio.value = published->value / result->seconds;
    ratio.low = (published->value - published->half_unit) / high;
    ratio.high = (published->value + published->half_unit) / low;
    ratio.extrapolated = result->extrapolated;
    return ratio;
}
