#include "cli/new_folder.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "error.h"
#include "ledger/journal.h"

/* Renaming replaces an empty folder. */
static bool is_empty(const char *folder)
{
    struct dirent *entry;
    DIR *open = opendir(folder);
    bool empty = open != NULL;
    while (empty && (entry = readdir(open)))
        empty = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
    if (open)
        closedir(open);
    return empty;
}

int orr_new_folder_choose(struct orr_new_folder *out, const char *target, const char *verb)
{
    struct stat status;
    *out = (struct orr_new_folder){.verb = verb};
    size_t length = (size_t)snprintf(out->to, sizeof out->to, "%s", target);
    if (length >= sizeof out->to)
        return orr_fail(ORR_EUSAGE, "path too long: %s", target);
    while (length > 1 && out->to[length - 1] == '/')
        out->to[--length] = '\0';
    if (!lstat(out->to, &status) && !is_empty(out->to))
        return orr_fail(ORR_EUSAGE, "%s is there already; %s into a new folder", out->to, verb);
    return 0;
}

int orr_new_folder_begin(struct orr_new_folder *folder)
{
    char above[1024];
    snprintf(above, sizeof above, "%s", folder->to);
    int code = orr_journal_make_folders(dirname(above));
    if (code)
        return code;
    snprintf(folder->path, sizeof folder->path, "%s.part-XXXXXX", folder->to);
    if (mkdtemp(folder->path) && !chmod(folder->path, 0755))
        return 0;
    *folder->path = '\0';
    return orr_fail(ORR_EIO, "cannot make the folder %s: %s", folder->to, strerror(errno));
}

int orr_new_folder_commit(struct orr_new_folder *folder)
{
    if (rename(folder->path, folder->to))
        return orr_fail(errno == ENOTEMPTY || errno == EEXIST ? ORR_EUSAGE : ORR_EIO,
                        "cannot make the folder %s: %s; %s into a new one", folder->to,
                        strerror(errno), folder->verb);
    *folder->path = '\0';
    return 0;
}

static int drop(const char *path, const struct stat *status, int type, struct FTW *at)
{
    (void)status, (void)type, (void)at;
    remove(path);
    return 0;
}

void orr_new_folder_abandon(struct orr_new_folder *folder)
{
    if (*folder->path)
        nftw(folder->path, drop, 16, FTW_DEPTH | FTW_PHYS);
    *folder->path = '\0';
}
