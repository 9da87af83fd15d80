/* Numbers that a paper's text prints where its figures have none. */
#ifndef ORR_PRINTED_H
#define ORR_PRINTED_H

#include "present/document.h"
#include "present/results.h"

/* A grid of all published numbers of the experiment with what they are of, errata as notes; none
 * when there are none. What they say of a machine is for the claims to judge. */
int orr_printed_add(struct orr_document *document, const struct orr_scope *scope);

#endif
