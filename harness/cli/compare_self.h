/* `orrery compare --self`: the same cells measured by two runs. */
#ifndef ORR_CLI_COMPARE_SELF_H
#define ORR_CLI_COMPARE_SELF_H

#include <stdbool.h>

#include "cli/options.h"
#include "compare/compare.h"

/* A text option of `orrery run`, and its value; NULL where it was not given. */
struct orr_compare_self_text {
    const char *option, *value; /* "--preset" */
};
/* The runs are asked for `what` with these options, as they were given. */
struct orr_compare_self {
    const struct orr_words *what, *devices, *set, *only, *exclude;
    const struct orr_compare_self_text *texts;
    size_t text_count;
    const char *const *flags; /* "--energy" or NULL */
    size_t flag_count;
    const char *root;
    struct orr_compare_rule rule;
    bool as_json;
};

/* Measures twice, prints how often and by how much the two differ, and keeps that in the second
 * journal. The exit code: of a run that did not finish, else as of `orrery compare`. */
int orr_compare_self_run(const struct orr_compare_self *request);

#endif
