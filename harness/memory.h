/* Memory for what is small: names, rows, records. Without it the process ends with one line, for
 * nothing else could go on either; a worker's end costs the one cell that it ran. What grows with
 * the number of bodies takes malloc() itself and reports ORR_EMEMORY. */
#ifndef ORR_MEMORY_H
#define ORR_MEMORY_H

#include <stdarg.h>
#include <stddef.h>

/* From now on JSON takes its memory here, so that none of its calls fails for lack of it. */
void orr_memory_begin(void);
/* Zeroed, for `count` members; never NULL, also for none. Free them with free(). */
void *orr_xcalloc(size_t count, size_t size);
/* `old` (NULL: nothing) with room for `count` members. */
void *orr_xrealloc(void *old, size_t count, size_t size);
/* A copy of the text, or of its first `length` characters. */
char *orr_xstrdup(const char *text);
char *orr_xstrndup(const char *text, size_t length);
char *orr_xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *orr_xvasprintf(const char *format, va_list arguments);

#endif
