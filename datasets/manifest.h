/* datasets/manifest: which bits each data set has. Lines "name n seed sha256"; blank lines and #
 * comments are skipped.
 */
#ifndef ORR_MANIFEST_H
#define ORR_MANIFEST_H

#include <stddef.h>
#include <stdint.h>

struct orr_manifest_entry {
    char name[64];
    size_t n;
    uint64_t seed;
    char sha256[65]; /* of orr_bodies_sha256 */
};

/* Calls `each` for every entry, in order, until it returns other than 0, which is then returned.
 * ORR_EIO when the file cannot be read, ORR_EINPUT with file and line when it is malformed. */
int orr_manifest_read(const char *path,
                      int (*each)(const struct orr_manifest_entry *entry, void *context),
                      void *context);

#endif
