/* What Linux tells of the machine in small files of /sys and /proc. */
#ifndef ORR_SYSTEM_FILE_H
#define ORR_SYSTEM_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* The first line of the file of that name, without its newline; "" and false where there is none.
 */
bool orr_system_line(char *out, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The number in it; NAN with errno where there is none. */
double orr_system_number(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The rest of the first line that begins with `key`, behind blanks, ':', '=' and a quote; "" and
 * false where there is none. */
bool orr_system_field(char *out, size_t size, const char *path, const char *key);

#endif
