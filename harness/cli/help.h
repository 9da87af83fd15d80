/* Tables that `orrery help` prints. */
#ifndef ORR_CLI_HELP_H
#define ORR_CLI_HELP_H

/* Two columns of text. */
struct orr_help_row {
    const char *name, *text;
};
/* The variables that the program reads; ends with {NULL, NULL}. */
extern const struct orr_help_row orr_help_environment[];

#endif
