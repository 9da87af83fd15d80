#include "present/time_split.h"

#include <math.h>
#include <string.h>

int orr_time_splitter_make(struct orr_time_splitter *out, const struct orr_scope *scope)
{
    *out = (struct orr_time_splitter){.scope = scope};
    int code = orr_stages_load(&out->stages, scope);
    return code ? code : orr_phases_load(&out->phases, scope);
}

static void add(double *sum, double seconds)
{
    if (!isnan(seconds))
        *sum = (isnan(*sum) ? 0 : *sum) + seconds;
}

int orr_time_split_of(struct orr_time_split *out, const struct orr_time_splitter *splitter,
                      const struct orr_result *result)
{
    double stages[ORR_MAX_STAGES], phases[ORR_MAX_SHOWN_PHASES];
    *out = (struct orr_time_split){NAN, NAN, result->seconds / (result->steps + 1)};
    int code = orr_stages_of(stages, &splitter->stages, splitter->scope, result);
    if (code >= 0)
        code = orr_phases_of(phases, &splitter->phases, splitter->scope, result);
    if (code < 0 || !result->ok)
        return code < 0 ? code : 0;
    for (size_t k = 0; k < splitter->stages.count; k++)
        if (splitter->stages.in_step[k])
            add(&out->host, stages[k] / (result->steps + 1));
    for (size_t k = 0; k < splitter->phases.count; k++)
        add(&out->device, phases[k]);
    return 0;
}

int orr_time_of_phase(double *out, const struct orr_time_splitter *splitter,
                      const struct orr_result *result, const char *phase)
{
    double phases[ORR_MAX_SHOWN_PHASES];
    int code = orr_phases_of(phases, &splitter->phases, splitter->scope, result);
    *out = NAN;
    for (size_t k = 0; code >= 0 && k < splitter->phases.count; k++)
        if (!strcmp(splitter->phases.names[k], phase))
            *out = phases[k];
    return code < 0 ? code : 0;
}
