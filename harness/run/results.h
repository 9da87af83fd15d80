/* Where journals lie: <root>/<machine>/<run>.jsonl. */
#ifndef ORR_RESULTS_H
#define ORR_RESULTS_H

#include <jansson.h>
#include <stddef.h>

/* <root>/<machine>. ORR_EUSAGE when the name could leave the root. */
int orr_results_folder(char *out, size_t size, const char *root, const char *machine);
/* The journal that `run` means: a path, a run's name, the beginning of one, or "last". ORR_EUSAGE
 * when there is none.
 */
int orr_results_find(char *out, size_t size, const char *root, const char *run);
/* The newest journal of `folder` that was asked for exactly `request`; "" when there is none. */
int orr_results_matching(char *out, size_t size, const char *folder, json_t *request);
/* Calls `each` with the path of every journal of `folder`, oldest first. None when the folder is
 * not there. */
int orr_results_each(const char *folder, int (*each)(const char *path, void *context),
                     void *context);

#endif
