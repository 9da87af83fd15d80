/* `orrery compare --self`: the same cells measured by two runs. */
#ifndef ORR_CLI_COMPARE_SELF_H
#define ORR_CLI_COMPARE_SELF_H

#include <stdbool.h>

#include "cli/options.h"
#include "compare/compare.h"

/* The runs are asked for `what` with these options, each NULL or empty where it was not given. */
struct orr_compare_self {
    const struct orr_words *what, *devices, *set, *only, *exclude;
    const char *preset, *repeats, *root;
    struct orr_compare_rule rule;
    bool as_json;
};

/* Measures twice, prints how often and by how much the two differ, and keeps that in the second
 * journal. The exit code: of a run that did not finish, else as of `orrery compare`. */
int orr_compare_self_run(const struct orr_compare_self *request);

#endif
