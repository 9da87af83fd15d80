#include <dirent.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "ledger/journal.h"

static const char ending[] = ".jsonl";

int orr_journal_folder(char *out, size_t size, const char *root, const char *machine)
{
    if (!*machine || *machine == '.' || strchr(machine, '/'))
        return orr_fail(ORR_EUSAGE, "'%s' is no name for a machine: no slash, and no dot in front",
                        machine);
    if ((size_t)snprintf(out, size, "%s/%s", root, machine) >= size)
        return orr_fail(ORR_EUSAGE, "path too long: %s", root);
    return 0;
}

static int is_journal(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name), tail = sizeof ending - 1;
    return entry->d_name[0] != '.' && length > tail &&
           !strcmp(entry->d_name + length - tail, ending);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

int orr_journal_each(const char *folder, int (*each)(const char *path, void *context),
                     void *context)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_journal, alphasort), code = 0;
    for (int k = 0; k < count; k++) {
        char path[1024];
        if (!code &&
            (size_t)snprintf(path, sizeof path, "%s/%s", folder, entries[k]->d_name) < sizeof path)
            code = each(path, context);
        free(entries[k]);
    }
    if (count >= 0)
        free(entries);
    return code;
}

int orr_journal_each_machine(const char *root, int (*each)(const char *path, void *context),
                             void *context)
{
    struct dirent **machines;
    int count = scandir(root, &machines, is_visible, alphasort), code = 0;
    for (int k = 0; k < count; k++) {
        char folder[1024];
        /* results/reference holds other machines' journals. */
        if (!code && strcmp(machines[k]->d_name, "reference") &&
            (size_t)snprintf(folder, sizeof folder, "%s/%s", root, machines[k]->d_name) <
                sizeof folder)
            code = orr_journal_each(folder, each, context);
        free(machines[k]);
    }
    if (count >= 0)
        free(machines);
    return code;
}

/* A bodies file that was being written: "<run>-<cell>.csv.part-<number>". */
static bool is_leftover(const char *name, const char *run)
{
    size_t length = strlen(run);
    return !strncmp(name, run, length) && name[length] == '-' && strstr(name, ".part-");
}

void orr_journal_drop_leftovers(const struct orr_journal *journal)
{
    char folder[sizeof journal->path];
    snprintf(folder, sizeof folder, "%s", journal->path);
    DIR *open = opendir(dirname(folder));
    for (struct dirent *entry; open && (entry = readdir(open));)
        if (is_leftover(entry->d_name, journal->run))
            unlinkat(dirfd(open), entry->d_name, 0);
    if (open)
        closedir(open);
}

struct search {
    const char *wanted; /* "" takes the newest */
    char *out;
    size_t size;
    char best[64];
    int found;
};

/* Names begin with their UTC start: the newest is the last by name. */
static int consider(const char *path, void *context)
{
    struct search *search = context;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct stat status;
    if (strncmp(name, search->wanted, strlen(search->wanted)))
        return 0;
    if (!*search->wanted && !stat(path, &status) && S_ISREG(status.st_mode) && !status.st_size)
        return 0; /* its run was killed before the first line: nothing to go on with */
    search->found++;
    if (strcmp(name, search->best) > 0) {
        snprintf(search->best, sizeof search->best, "%s", name);
        snprintf(search->out, search->size, "%s", path);
    }
    return 0;
}

static bool is_file(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISREG(status.st_mode);
}

int orr_journal_find(char *out, size_t size, const char *root, const char *run)
{
    bool last = !strcmp(run, "last");
    if (!last && is_file(run)) {
        snprintf(out, size, "%s", run);
        return 0;
    }
    struct search search = {.wanted = last ? "" : run, .out = out, .size = size};
    orr_journal_each_machine(root, consider, &search);
    if (!search.found)
        return orr_fail(ORR_EUSAGE,
                        last ? "no run below %s to go on with; -o names the results folder"
                             : "no run '%2$s' below %1$s; -o names the results folder",
                        root, run);
    if (!last && search.found > 1)
        return orr_fail(ORR_EUSAGE, "%d runs begin with '%s'; give the whole name", search.found,
                        run);
    return 0;
}

struct match {
    json_t *request;
    char *out;
    size_t size;
};

static int compare_request(const char *path, void *context)
{
    struct match *match = context;
    struct orr_journal_records records;
    int code = orr_journal_records_read(&records, path);
    if (!code && json_equal(json_object_get(records.run, "request"), match->request))
        snprintf(match->out, match->size, "%s", path);
    orr_journal_records_release(&records);
    return code;
}

int orr_journal_matching(char *out, size_t size, const char *folder, json_t *request)
{
    struct match match = {request, out, size};
    *out = '\0';
    return orr_journal_each(folder, compare_request, &match);
}
