/* Parts of `orrery describe`: papers and experiments as JSON, and any description as text. */
#ifndef ORR_CLI_DESCRIBE_PARTS_H
#define ORR_CLI_DESCRIBE_PARTS_H

#include <jansson.h>

#include "plan/paper.h"

int orr_describe_paper(json_t **out, const struct orr_paper *paper);
int orr_describe_experiment(json_t **out, const struct orr_paper *paper,
                            const struct orr_experiment *experiment);
/* A description for people, on stdout. */
void orr_describe_print(const json_t *about);

#endif
