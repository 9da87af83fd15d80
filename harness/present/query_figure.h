/* Sections of queries as a figure: files of points and the variables of a gnuplot script. */
#ifndef ORR_QUERY_FIGURE_H
#define ORR_QUERY_FIGURE_H

#include "present/plot.h"
#include "present/queries.h"

/* Fills in an open plot from the sections behind `figure`. ORR_EUSAGE where its section `nothing`
 * says that there is nothing to plot. */
int orr_query_figure(struct orr_plot *out, const struct orr_queries *queries,
                     const struct orr_section *figure, const struct orr_ledger *ledger);
/* Offers SQL file_beside(path, name): the path of the file `name` in the folder of `path`, or NULL
 * where the name has a slash or there is no regular file of it to read; links are none. */
int orr_query_figure_offer(const struct orr_ledger *ledger);

#endif
