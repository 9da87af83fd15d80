#include "datasets/manifest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "error.h"

/* 1 for an entry, 0 for a line without one, negative when malformed. */
static int parse(struct orr_manifest_entry *entry, const char *line)
{
    char first[2], more[2];
    unsigned long long seed;
    if (sscanf(line, " %1s", first) != 1 || first[0] == '#')
        return 0;
    int fields = sscanf(line, " %63s %zu %llu %64[0-9a-f] %1s", entry->name, &entry->n, &seed,
                        entry->sha256, more);
    entry->seed = seed;
    return fields == 4 && strlen(entry->sha256) == 64 ? 1 : -1;
}

int orr_manifest_read(const char *path,
                      int (*each)(const struct orr_manifest_entry *entry, void *context),
                      void *context)
{
    char line[256];
    FILE *file = fopen(path, "r");
    if (!file)
        return orr_fail(ORR_EIO, "cannot read %s: %s", path, strerror(errno));
    int code = 0;
    for (int number = 1; !code && fgets(line, sizeof line, file); number++) {
        struct orr_manifest_entry entry = {.n = 0};
        int found = parse(&entry, line);
        if (found < 0)
            code = orr_fail(ORR_EINPUT, "%s:%d: not of the form: name n seed sha256", path, number);
        else if (found)
            code = each(&entry, context);
    }
    if (!code && ferror(file))
        code = orr_fail(ORR_EIO, "cannot read %s: %s", path, strerror(errno));
    fclose(file);
    return code;
}
