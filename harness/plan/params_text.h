/* Parameters as text: for planning and for `describe`. */
#ifndef ORR_PARAMS_TEXT_H
#define ORR_PARAMS_TEXT_H

#include <jansson.h>

#include "variant.h"

/* Checks `value` and writes it in its one normal spelling ("1e3" becomes "1000"), so that equal
 * cells get equal ids. */
int orr_params_normal(const struct orr_variant *variant, const char *name, const char *value,
                      char *out, size_t size);
/* Shortest decimal that reads back as the same number. */
char *orr_params_number(double value, char *out, size_t size);
/* One value as typed JSON; null for a default that comes from the data set. */
json_t *orr_params_value(const struct orr_param *param, double value);

#endif
