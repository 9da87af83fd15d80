#include "present/write.h"

#include <math.h>
#include <string.h>

#include "error.h"

static const struct orr_format *const formats[] = {&orr_format_md, &orr_format_csv, &orr_format_tex,
                                                   &orr_format_json};
enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

const struct orr_format *orr_format_find(const char *name)
{
    for (size_t k = 0; k < FORMAT_COUNT; k++)
        if (!strcmp(formats[k]->name, name))
            return formats[k];
    orr_fail(ORR_EUSAGE, "unknown format '%s': --format takes md, csv, tex or json", name);
    return NULL;
}

const char *orr_value_seen(const struct orr_value *value, char buffer[32])
{
    if (value->text)
        return value->text;
    if (isnan(value->number))
        return "—";
    snprintf(buffer, 32, "%.6g", value->number);
    return buffer;
}
