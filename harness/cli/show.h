/* What table, plot, report and audit have in common on the command line. */
#ifndef ORR_CLI_SHOW_H
#define ORR_CLI_SHOW_H

#include "cli/options.h"
#include "present/selection.h"

/* Where the results come from; ORR_SHOW_OPTIONS(in) are its options. */
struct orr_source {
    struct orr_words from;
    const char *machine;
    bool reference;
};

#define ORR_SHOW_OPTIONS(in)                                                                     \
    {"results",          'r',                                                                    \
     ORR_OPTION_LIST,    &(in).from,                                                             \
     "DIR|FILE|MACHINE", "journals to read, repeatable; default: results/"},                     \
        {"machine", 'm', ORR_OPTION_TEXT, &(in).machine, "NAME", "only this machine's results"}, \
    {                                                                                            \
        "reference", 0, ORR_OPTION_FLAG, &(in).reference, NULL,                                  \
            "the reference results that come with Orrery too"                                    \
    }

/* orr_selection_make for the source; warns on stderr about damaged lines and about finding no
 * journal at all. */
int orr_cli_select(struct orr_selection *out, const struct orr_source *source, const char *what);
/* The first of these warnings alone. */
void orr_cli_warn_damaged(const struct orr_ledger *ledger);

struct orr_document;
struct orr_documents {
    struct orr_document *items;
    size_t count;
};
/* Appends the tables of a target of the selection, one a machine. Release them whatever is
 * returned. */
int orr_cli_add_documents(struct orr_documents *all, const struct orr_selection *selection,
                          const struct orr_target *target);
void orr_cli_release_documents(struct orr_documents *all);
struct orr_format;
/* Into the file `path`, which appears whole or not at all; NULL is standard output. */
int orr_cli_write_documents(const struct orr_documents *all, const struct orr_format *format,
                            const char *path);

#endif
