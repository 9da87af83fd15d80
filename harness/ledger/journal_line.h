/* One line of a journal. Its last member, "check", holds the first 16 hex digits of the SHA-256 of
 * what stands before that member: ,"check":"0123456789abcdef"} */
#ifndef ORR_JOURNAL_LINE_H
#define ORR_JOURNAL_LINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The record as a line with its newline, with a checksum when `checked`; free it. NULL without
 * memory. */
char *orr_journal_line_make(const json_t *record, bool checked);
/* Does the line end as one with a checksum does, right or wrong? */
bool orr_journal_line_has_check(const char *line, size_t length);
/* Does it, and is it right? */
bool orr_journal_line_is_whole(const char *line, size_t length);
/* A new reference to the line's record, whose checksum must be there and right when `checked`. NULL
 * with the reason in *why. */
json_t *orr_journal_line_read(const char *line, size_t length, bool checked, const char **why);

#endif
