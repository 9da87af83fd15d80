/* Families of curves, as figures of several panels draw them. The curves of a program differ in one
 * number, which is the curve's member: a parameter ("theta") where they are over N, N where they
 * are over a parameter. A colour a member, a dash a program, device and rest of the setting. */
#ifndef ORR_FAMILY_H
#define ORR_FAMILY_H

#include "present/curves.h"

struct orr_family {
    struct orr_curves curves;
    const char *parameter; /* that members have a value of; NULL: of N */
    double *members;       /* rising */
    size_t count;
    size_t *programs; /* of each curve, from 0: which of the programs it belongs to */
    size_t program_count;
    bool own; /* only the paper's own programs are drawn */
    const struct orr_scope *scope;
};

/* Over the number of bodies, or over the experiment's first parameter of several numbers:
 * ORR_EINPUT when it has none. Figures that show what the paper shows draw its own programs, those
 * that it has a name for; where none of them was measured, all. Members and programs are those of
 * curves that are drawn. */
int orr_family_make(struct orr_family *out, bool over_parameter, bool own,
                    const struct orr_scope *scope, const struct orr_results *results);
void orr_family_release(struct orr_family *family);
/* NAN where a program does not have the parameter, as a direct sum has no theta. */
double orr_family_member(const struct orr_family *family, size_t curve);
/* Colour and dash for plots/panels.gp, which has other colours for numbers of bodies than for a
 * parameter. */
int orr_family_style(const struct orr_family *family, size_t curve);
/* "theta = 0.5", and what tells the programs apart where there are several: ", Octgrav, cuda:0".
 * Returns `out`. */
char *orr_family_label(char *out, size_t size, const struct orr_family *family, size_t curve);
/* What tells the programs apart, the member left out; "" for the only one. Returns `out`. */
char *orr_family_program(char *out, size_t size, const struct orr_family *family, size_t curve);
bool orr_family_drawn(const struct orr_family *family, size_t curve);
/* At most `most` numbers of bodies that a panel or line each shows, rising: those measured that the
 * experiment's axis n names, evenly chosen where it names more; else of all measured. Returns how
 * many. */
size_t orr_family_sizes(double *out, size_t most, const struct orr_family *family);

#endif
