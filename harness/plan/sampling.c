#include "plan/sampling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "json_member.h"
#include "text.h"

/* Where precision or time decide, the number of samples does not. */
enum { MOST_SAMPLES = 1000000 };
static const double LONGEST_S = 1e6;

static int read_whole(int *out, const char *option, const char *text, double most)
{
    double value;
    if (orr_text_number(text, &value) && value >= 1 && value <= most && value == floor(value)) {
        *out = (int)value;
        return 0;
    }
    return orr_fail(ORR_EUSAGE, "--%s takes a whole number from 1 to %.0f, not '%s'", option, most,
                    text);
}

/* "1%" or 0.01. */
static int read_precision(double *out, const char *text)
{
    char number[32];
    size_t length = strlen(text);
    bool percent = length > 1 && text[length - 1] == '%';
    if (percent)
        length--;
    if (length < sizeof number) {
        memcpy(number, text, length);
        number[length] = '\0';
        if (orr_text_number(number, out)) {
            *out /= percent ? 100 : 1;
            if (*out > 0 && *out < 1)
                return 0;
        }
    }
    return orr_fail(ORR_EUSAGE,
                    "--precision takes a share of the median above 0 and below 1, as 1%% or 0.01, "
                    "not '%s'",
                    text);
}

static int read_time_limit(double *out, const char *text)
{
    if (orr_text_number(text, out) && *out > 0 && *out <= LONGEST_S)
        return 0;
    return orr_fail(ORR_EUSAGE, "--time-limit takes seconds above 0, not '%s'", text);
}

int orr_sampling_read(struct orr_sampling *out, const struct orr_sampling_words *words)
{
    *out = (struct orr_sampling){.once = words->once};
    int code = 0;
    if (words->min_samples)
        code = read_whole(&out->min_samples, "min-samples", words->min_samples, MOST_SAMPLES);
    if (!code && words->precision)
        code = read_precision(&out->precision, words->precision);
    if (!code && words->time_limit)
        code = read_time_limit(&out->time_limit_s, words->time_limit);
    if (!code && words->once && (words->min_samples || words->precision || words->time_limit))
        code = orr_fail(ORR_EUSAGE, "--once takes no samples; leave out --min-samples, "
                                    "--precision and --time-limit");
    return code;
}

bool orr_sampling_is_asked(const struct orr_sampling *asked)
{
    return asked->min_samples > 0 || asked->precision > 0 || asked->time_limit_s > 0 || asked->once;
}

void orr_sampling_apply(struct orr_policy *policy, const struct orr_sampling *asked)
{
    if (asked->min_samples > 0) {
        policy->min_samples = policy->long_samples = asked->min_samples;
        policy->insists = true;
    }
    if (asked->precision > 0)
        policy->precision = asked->precision;
    if (asked->time_limit_s > 0)
        policy->time_limit_s = asked->time_limit_s;
    if (asked->precision > 0 || asked->time_limit_s > 0)
        policy->max_samples = MOST_SAMPLES;
    if (policy->max_samples < policy->min_samples)
        policy->max_samples = policy->min_samples;
}

json_t *orr_sampling_to_json(const struct orr_sampling *asked)
{
    json_t *object = orr_sampling_is_asked(asked) ? json_object() : NULL;
    if (asked->min_samples > 0)
        json_object_set_new(object, "min_samples", json_integer(asked->min_samples));
    if (asked->precision > 0)
        json_object_set_new(object, "precision", json_real(asked->precision));
    if (asked->time_limit_s > 0)
        json_object_set_new(object, "time_limit_s", json_real(asked->time_limit_s));
    if (asked->once)
        json_object_set_new(object, "once", json_true());
    return object;
}

int orr_sampling_from_json(struct orr_sampling *out, json_t *object)
{
    *out = (struct orr_sampling){.min_samples = (int)orr_json_integer(object, "min_samples"),
                                 .precision = orr_json_number(object, "precision"),
                                 .time_limit_s = orr_json_number(object, "time_limit_s"),
                                 .once = json_is_true(json_object_get(object, "once"))};
    bool cold = json_object_get(object, "cold"),
         locked = json_object_get(object, "lock_clocks_mhz");
    return cold || locked
               ? orr_fail(ORR_EUSAGE,
                          "the run was begun with --%s, which is gone: begin another without it",
                          cold ? "cold" : "lock-clocks")
               : 0;
}
