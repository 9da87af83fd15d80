/* SPDX-License-Identifier: MIT */
/* The selection that a table, figure, report or comparison shows: journals, papers, experiments and
 * machines; and the temporary tables that queries read of one experiment on one machine: scope.sql,
 * lines.sql and provenance.sql. */
#ifndef ORR_SELECTION_H
#define ORR_SELECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "ledger/ledger.h"
#include "plan/paper.h"
#include "present/queries.h"

/* --- one experiment on one machine --- */

struct orr_scope {
    const struct orr_ledger *ledger;
    const struct orr_paper *paper;
    const struct orr_experiment *experiment;
    char name[128];       /* "fujiwara/table2" */
    const char *quantity; /* "energy": that layout; NULL: the experiment's own */
    char machine[256];    /* "" when nothing was measured anywhere */
    bool measured;        /* there are cells of this experiment on this machine */
};

/* The texts that make their tables. */
enum orr_scope_tables {
    ORR_SCOPE_CELLS = 1,      /* scope.sql */
    ORR_SCOPE_LINES = 2,      /* lines.sql, behind the former */
    ORR_SCOPE_PROVENANCE = 4, /* provenance.sql */
    ORR_SCOPE_WHOLE = 7
};
/* Makes the tables for "paper/experiment" on a machine, or (NULL) of the machines and sets of
 * journals in the table operand, in place of all temporary ones that there were. */
int orr_scope_make(const struct orr_ledger *ledger, const char *experiment, const char *machine,
                   enum orr_scope_tables tables);
/* SQL of these tables, up to NULL. */
extern const char *const orr_scope_texts[];
/* Drops every temporary table and view. */
int orr_scope_drop(const struct orr_ledger *ledger);

/* --- all that was asked for --- */

/* The journals and machines that the user asked for. */
struct orr_selection_options {
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
    char *const *machines; /* of the options; it must outlive the selection */
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
int orr_selection_make(struct orr_selection *out, const struct orr_selection_options *options,
                       const char *what);
void orr_selection_release(struct orr_selection *selection);

/* The target that is called "paper/experiment". ORR_EUSAGE with the nearest name when there is
 * none. */
int orr_selection_target(const struct orr_target **out, const struct orr_selection *selection,
                         const char *experiment);

/* The machines that measured the target, newest first, as scopes; one scope with machine "" when
 * there is none. */
struct orr_scopes {
    struct orr_scope *items;
    size_t count;
};
int orr_selection_scopes(struct orr_scopes *out, const struct orr_selection *selection,
                         const struct orr_target *target);
void orr_selection_release_scopes(struct orr_scopes *scopes);

#endif
