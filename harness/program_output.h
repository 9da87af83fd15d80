/* What another program prints. */
#ifndef ORR_PROGRAM_OUTPUT_H
#define ORR_PROGRAM_OUTPUT_H

/* Runs the program that PATH has and waits for it; *out, to be freed, is what it printed on
 * standard output. Its exit status, 128 + the signal that ended it, ORR_EUNSUPPORTED, with a
 * message, where there is no such program, or another negative code; *out is NULL then. */
int orr_program_output(char **out, char *const arguments[]);

#endif
