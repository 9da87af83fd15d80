/* Typed parameters of a variant: defaults, parsing, range checks and printing, driven by its
 * orr_param table. */
#ifndef ORR_PARAMS_H
#define ORR_PARAMS_H

#include <jansson.h>

#include "plan/cell.h"
#include "variant.h"

/* Fills a params_size struct with defaults (eps and dt from the bodies where the default is NAN).
 */
void orr_params_default(const struct orr_variant *variant, const struct orr_bodies *bodies,
                        void *params);
/* Parses and range-checks one value into the struct; ORR_EUSAGE says the accepted range or choices.
 */
int orr_params_set(const struct orr_variant *variant, void *params, const char *name,
                   const char *value);
/* Defaults, then every setting. */
int orr_params_fill(const struct orr_variant *variant, const struct orr_bodies *bodies,
                    const struct orr_setting *settings, int count, void *params);
/* All parameters as a JSON object with typed values; NULL on no memory. */
json_t *orr_params_to_json(const struct orr_variant *variant, const void *params);

#endif
