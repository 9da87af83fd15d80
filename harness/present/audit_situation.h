/* The model of Shan & Lei 2012, section V, as a table. */
#ifndef ORR_AUDIT_SITUATION_TABLE_H
#define ORR_AUDIT_SITUATION_TABLE_H

#include "present/document.h"
#include "present/selection.h"

/* Every input on which both variants of the selection's paper were counted: which situation the
 * change from a to b is, what the model predicts of it and what was measured. ORR_EUSAGE when there
 * is no such input. Release it whatever is returned. */
int orr_situation_table(struct orr_document *out, const struct orr_selection *selection,
                        const char *a, const char *b);

#endif
