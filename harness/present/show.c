#include "present/show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

char *orr_show_venue(char *out, size_t size, const struct orr_paper *paper)
{
    char year[16] = "";
    if (paper->year)
        snprintf(year, sizeof year, " (%u)", paper->year);
    snprintf(out, size, "%s%s", paper->venue, year);
    return out;
}

char *orr_show_ratio(char *out, size_t size, const struct orr_ratio *ratio)
{
    char value[32], low[32], high[32];
    orr_format_number(value, sizeof value, ratio->value);
    orr_format_number(low, sizeof low, ratio->low);
    orr_format_number(high, sizeof high, ratio->high);
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
        orr_format_seconds(out, size, result->seconds);
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
