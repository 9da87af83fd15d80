/* What a table, plot or report is about: journals, papers, experiments and machines. */
#ifndef ORR_SELECTION_H
#define ORR_SELECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "ledger/ledger.h"
#include "plan/paper.h"
#include "present/scope.h"

/* What the user asked for. */
struct orr_wish {
    char *const *from; /* journals, folders or machines; none: results/ of the current folder */
    int from_count;
    bool operands;   /* `from` are the operands of a comparison: ledger.operand */
    bool reference;  /* the reference results too */
    char **machines; /* none: every machine; a beginning of a name becomes the name */
    int machine_count;
    bool alone; /* cells of an experiment that is named are wanted for nothing but itself */
};

struct orr_target {
    const struct orr_paper *paper;
    const struct orr_experiment *experiment;
};

struct orr_selection {
    struct orr_ledger ledger;
    const char *machine;   /* the only one that was asked for, else NULL */
    char *const *machines; /* of the wish; it must outlive the selection */
    int machine_count;
    const char *quantity; /* of its scopes, NULL as in scope.h */
    bool everything;      /* no paper or experiment was named */
    struct orr_paper **papers;
    size_t paper_count;
    struct orr_target *targets;
    size_t target_count;
};

/* Loads journals, and the papers and experiments of `what` ("fujiwara", "fujiwara/table2"; NULL:
 * everything). ORR_EUSAGE with the nearest name for what there is not, and for a machine without
 * results. */
int orr_selection_make(struct orr_selection *out, const struct orr_wish *wish, const char *what);
void orr_selection_release(struct orr_selection *selection);

/* The target that is called "paper/experiment". ORR_EUSAGE with the nearest name when there is
 * none. */
int orr_selection_target(const struct orr_target **out, const struct orr_selection *selection,
                         const char *experiment);

/* The machines that measured the target, newest first, as scopes; one scope with machine "" when
 * there is none. Free the array, and its `names`, which the scopes point into. */
struct orr_scopes {
    struct orr_scope *items;
    char **names;
    size_t count;
};
int orr_selection_scopes(struct orr_scopes *out, const struct orr_selection *selection,
                         const struct orr_target *target);
void orr_selection_release_scopes(struct orr_scopes *scopes);

#endif
