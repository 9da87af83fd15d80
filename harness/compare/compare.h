/* SPDX-License-Identifier: MIT */
/* Sets of results beside each other. Two are compared cell by cell: which of the second are faster
 * or slower than the same work of the first; docs/METHOD.md, "Comparing", says what a difference
 * is. Any number are shown side by side, and devices beside the papers' own cards. */
#ifndef ORR_COMPARE_H
#define ORR_COMPARE_H

#include "plan/cell.h"
#include "present/layout.h"
#include "present/queries.h"
#include "present/selection.h"

/* A set of results: the journals of one machine, and perhaps one device of it. */
enum { ORR_COMPARE_MOST = 26 };
struct orr_compare_operand {
    char letter[2];   /* "A", "B" ... */
    const char *word; /* as given: "nvidia-h200@cuda:0" */
    char where[1024]; /* what -r accepts: a journal, a folder or a machine */
    char device[32];  /* "" when none was named: every device counts */
};

/* Ratios less one: 0.02 for 2 %. */
struct orr_compare_rule {
    double margin; /* what is smaller is no difference */
    double beyond; /* what is slower by more is worse; INFINITY: nothing */
};
#define ORR_COMPARE_MARGIN 0.02

struct orr_comparison {
    size_t count;                   /* of operands */
    struct orr_selection selection; /* of all; cells know theirs by run.operand */
    struct orr_queries queries;
};

/* Takes WHERE or WHERE@DEVICE apart; a file or folder whose own name has an @ is one. ORR_EUSAGE
 * for a part that is missing or too long. */
int orr_compare_parse(struct orr_compare_operand *out, const char *letter, const char *word);
/* Loads all, with the experiments of `what` ("shan", "shan/table3"; NULL: everything). ORR_EUSAGE
 * for an operand without any cell, with cells of several machines and, naming those there are,
 * without a cell of its device; of two, a device that one names is meant for both. Release it
 * whatever is returned. */
int orr_compare_load(struct orr_comparison *out, char *const *words, size_t count,
                     const char *what);
/* Finds which cells of two operands are the same work and judges them: the temporary tables pair
 * and finding of compare.sql. `globs` choose among the cells, by the device of A. ORR_EUSAGE when
 * no cell is in both, with the reason. */
int orr_compare_make(struct orr_comparison *comparison, const struct orr_cell_globs *globs,
                     const struct orr_compare_rule *rule);
void orr_compare_release(struct orr_comparison *comparison);

/* "compare": where both come from, every row, how many of what, and the ratios of each variant;
 * "twice": of the same cells measured twice the table of comparisons by the time of a step. Release
 * it whatever is returned. */
int orr_compare_document(struct orr_document *out, const struct orr_comparison *comparison,
                         const char *layout);
/* Any number of them side by side, without verdicts: machines and devices across, programs down,
 * and the papers' own cards beside them, times and ratios (across.sql; docs/METHOD.md, "Side by
 * side"). With a target an experiment on the machines that the selection names, else a comparison's
 * operands; globs NULL: all cells. ORR_EUSAGE where nothing of it was measured on any side. Release
 * it whatever is returned. */
int orr_compare_across(struct orr_document *out, const struct orr_selection *selection,
                       const struct orr_target *target, const struct orr_cell_globs *globs);
/* One line of a comparison's queries, cut to `size`, on what is "worse" by the rule, or broken: "2
 * cells slower, 1 broken: ...", or on what is "unclear", and why; "twice_found", behind the
 * document of "twice", is in JSON what a journal keeps of it (docs/JOURNAL.md, "self") but for its
 * kind and time. 1, 0 when nothing is, or a negative code. */
int orr_compare_remark(char *out, size_t size, const struct orr_queries *queries, const char *name);

/* From the papers' own cards to the devices measured here: each speedup taken apart into factors
 * that multiply to it, by what is published of the cards and measured of the devices, and whether
 * the order of the programs is kept (generations.sql; docs/METHOD.md, "Generations"). */
extern const struct orr_layout_overview orr_compare_generations;

#endif
