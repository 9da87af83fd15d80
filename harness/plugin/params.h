/* SPDX-License-Identifier: MIT */
/* Typed parameters of a variant: defaults, parsing, range checks and printing, driven by its
 * orr_param table; and as text, for planning and `describe`. */
#ifndef ORR_PARAMS_H
#define ORR_PARAMS_H

#include <jansson.h>
#include <stdbool.h>

#include "variant.h"

/* A parameter as an axis, --set or a request gives it. */
struct orr_setting {
    char name[32];
    char value[64];
};
enum { ORR_MAX_SETTINGS = 32 };

/* {name: value} of texts. ORR_EUSAGE where there are too many, or one is no text or too long. */
int orr_params_settings_from_json(struct orr_setting out[ORR_MAX_SETTINGS], int *count,
                                  const json_t *object);
json_t *orr_params_settings_to_json(const struct orr_setting *settings, int count);
/* The parameter of that name, or NULL. */
const struct orr_param *orr_params_find(const struct orr_variant *variant, const char *name);
/* Fills a params_size struct with defaults (eps and dt from the bodies where the default is NAN, if
 * there are bodies), then with every setting. ORR_EUSAGE says the accepted range or choices. */
int orr_params_fill(const struct orr_variant *variant, const struct orr_bodies *bodies,
                    const struct orr_setting *settings, int count, void *params);
/* All parameters as a JSON object with typed values. */
json_t *orr_params_to_json(const struct orr_variant *variant, const void *params);
/* Checks `value` and writes it in its one normal spelling ("1e3" becomes "1000"), so that equal
 * cells get equal ids. */
int orr_params_normal(const struct orr_variant *variant, const char *name, const char *value,
                      char *out, size_t size);
/* Shortest decimal that reads back as the same number. */
char *orr_params_number(double value, char *out, size_t size);
/* One value as typed JSON; null for a default that comes from the data set. */
json_t *orr_params_value(const struct orr_param *param, double value);

#endif
