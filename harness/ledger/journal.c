/* SPDX-License-Identifier: MIT */
/* Writing a journal, whatever other programs do to it meanwhile, and finding one. */
#include "ledger/journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <fts.h>
#include <libgen.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "error.h"

enum { NAME_TRIES = 1000 }; /* a name lasts for 15 us */

/* Makes the folder and those above it. */
static int make_folders(const char *folder)
{
    char path[1024];
    if ((size_t)snprintf(path, sizeof path, "%s", folder) >= sizeof path)
        return orr_fail(ORR_EUSAGE, "path too long: %s", folder);
    for (char *c = path + 1;; c++) {
        if (*c && *c != '/')
            continue;
        char kept = *c;
        *c = '\0';
        if (mkdir(path, 0777) && errno != EEXIST)
            return orr_fail(ORR_EIO,
                            "cannot make the results folder %s: %s; choose another with -o DIR",
                            path, strerror(errno));
        if (!kept)
            return 0;
        *c = kept;
    }
}

/* A name for a run that begins now: the second and, in four hex digits, the part of it that has
 * passed, so that names are in the order of their runs. */
static void name_run(char run[40])
{
    struct timespec now;
    struct tm utc;
    char start[24];
    clock_gettime(CLOCK_REALTIME, &now);
    strftime(start, sizeof start, "%Y%m%dT%H%M%SZ", gmtime_r(&now.tv_sec, &utc));
    unsigned part = (unsigned)((uint64_t)now.tv_nsec * 65536 / 1000000000);
    snprintf(run, 40, "%s-%04x", start, part);
}

/* Readers need no lock: they skip a line that is still being written. */
static int lock(struct orr_journal *journal)
{
    if (!flock(journal->fd, LOCK_EX | LOCK_NB))
        return 0;
    journal->unlocked = errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP;
    if (journal->unlocked)
        return 0;
    if (errno == EWOULDBLOCK)
        return orr_fail(ORR_EUSAGE,
                        "%s is being written by another run; wait for it or start a run of its own",
                        journal->path);
    return orr_fail(ORR_EIO, "cannot lock %s: %s", journal->path, strerror(errno));
}

/* A new file survives a power cut only once its folder is on disk. Some file systems cannot sync a
 * folder: no error. */
static void sync_folder(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

int orr_journal_create(struct orr_journal *out, const char *folder)
{
    *out = (struct orr_journal){.fd = -1, .checked = true};
    int code = make_folders(folder);
    for (int k = 0; !code && out->fd < 0; k++) {
        name_run(out->run);
        if ((size_t)snprintf(out->path, sizeof out->path, "%s/%s.jsonl", folder, out->run) >=
            sizeof out->path)
            return orr_fail(ORR_EUSAGE, "path too long: %s", folder);
        out->fd = open(out->path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
        if (out->fd < 0 && (errno != EEXIST || k >= NAME_TRIES))
            return orr_fail(ORR_EIO,
                            "cannot write to the results folder %s: %s; choose another with -o DIR",
                            folder, strerror(errno));
    }
    if (!code && !(code = lock(out)))
        sync_folder(folder);
    if (code)
        orr_journal_close(out);
    return code;
}

static int write_all(int fd, const char *text, size_t size)
{
    while (size) {
        ssize_t wrote = write(fd, text, size);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return -1;
        text += wrote;
        size -= (size_t)wrote;
    }
    return 0;
}

/* Appends and syncs; cuts the file back to what it was when that does not succeed. */
static int append_text(struct orr_journal *journal, const char *text, size_t size)
{
    struct stat before;
    if (fstat(journal->fd, &before))
        return orr_fail(ORR_EIO, "cannot read the size of %s: %s", journal->path, strerror(errno));
    if (!write_all(journal->fd, text, size) && !fsync(journal->fd)) {
        journal->size = before.st_size + (off_t)size;
        return 0;
    }
    int reason = errno;
    if (ftruncate(journal->fd, before.st_size))
        return orr_fail(ORR_EIO,
                        "cannot write to %s (%s), and its last line is damaged; readers skip it",
                        journal->path, strerror(reason));
    return orr_fail(ORR_EIO, "cannot write to %s: %s; what was written before is whole",
                    journal->path, strerror(reason));
}

/* Ends the half-written line of a killed writer, so that readers skip it and nothing is
 * overwritten. */
static int seal(struct orr_journal *journal)
{
    off_t end = lseek(journal->fd, 0, SEEK_END);
    char last;
    if (end <= 0 || pread(journal->fd, &last, 1, end - 1) != 1 || last == '\n')
        return 0;
    return append_text(journal, "\n", 1);
}

/* Bodies files that were being written: "<run>-<cell>.csv.part-<number>". */
static void drop_leftovers(const struct orr_journal *journal)
{
    char folder[sizeof journal->path];
    const size_t length = strlen(journal->run);
    snprintf(folder, sizeof folder, "%s", journal->path);
    DIR *open = opendir(dirname(folder));
    for (struct dirent *entry; open && (entry = readdir(open));)
        if (!strncmp(entry->d_name, journal->run, length) && entry->d_name[length] == '-' &&
            strstr(entry->d_name, ".part-"))
            unlinkat(dirfd(open), entry->d_name, 0);
    if (open)
        closedir(open);
}

int orr_journal_reopen(struct orr_journal *out, const char *path)
{
    *out = (struct orr_journal){.fd = -1};
    snprintf(out->path, sizeof out->path, "%s", path);
    char copy[sizeof out->path];
    memcpy(copy, out->path, sizeof copy);
    const char *base = basename(copy);
    snprintf(out->run, sizeof out->run, "%.*s", (int)strcspn(base, "."), base);
    out->fd = open(path, O_RDWR | O_APPEND | O_NONBLOCK | O_CLOEXEC);
    if (out->fd < 0)
        return orr_fail(ORR_EIO, "cannot open the journal %s for writing: %s", path,
                        strerror(errno));
    struct stat status;
    int code = fstat(out->fd, &status) || !S_ISREG(status.st_mode)
                   ? orr_fail(ORR_EIO, "the journal %s is not a plain file", path)
                   : lock(out);
    if (!code)
        code = orr_journal_is_checked(&out->checked, path);
    out->checked = out->checked || !status.st_size;
    out->size = status.st_size;
    if (!code)
        code = seal(out);
    if (code)
        orr_journal_close(out);
    else
        drop_leftovers(out);
    return code;
}

/* --- what other programs do to the file meanwhile --- */

enum fate { IN_PLACE, CUT, MOVED, REMOVED };

static enum fate fate_of(const struct orr_journal *journal)
{
    struct stat open, named;
    if (fstat(journal->fd, &open))
        return IN_PLACE; /* the next write says why */
    if (!open.st_nlink)
        return REMOVED;
    if (stat(journal->path, &named) || named.st_ino != open.st_ino || named.st_dev != open.st_dev)
        return MOVED;
    return open.st_size < journal->size ? CUT : IN_PLACE;
}

/* Writes what was removed to its path again, where its folder may be missing too; the journal goes
 * on there. False: that cannot be done. */
static bool restore(struct orr_journal *journal)
{
    char folder[sizeof journal->path];
    off_t from = 0;
    snprintf(folder, sizeof folder, "%s", journal->path);
    if (make_folders(dirname(folder)))
        return false;
    int fd = open(journal->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;
    while (from < journal->size && sendfile(fd, journal->fd, &from, (size_t)journal->size) > 0)
        ;
    if (from < journal->size || fcntl(fd, F_SETFL, O_APPEND)) {
        close(fd);
        return false;
    }
    close(journal->fd);
    journal->fd = fd;
    return !lock(journal);
}

/* The record is written wherever the lines are now; the run must not go on as if nothing was. */
static int append_to_lost(struct orr_journal *journal, enum fate fate, const char *line)
{
    static const char *const said[][2] = {
        [CUT] = {"cut short by another program",
                 "`orrery run --resume last` measures again what is lost"},
        [MOVED] = {"moved or replaced", "all lines are in the file that was moved"},
        [REMOVED] = {"removed",
                     "all lines are there again, and `orrery run --resume last` goes on"}};
    const bool restored = fate != REMOVED || restore(journal);
    if (!restored && errno == EEXIST) /* editors and rsync save so */
        return orr_fail(ORR_EIO,
                        "another file was put in the place of %s while its run wrote to it; "
                        "`orrery run --resume last` measures again what that one lacks",
                        journal->path);
    if (!restored)
        return orr_fail(ORR_EIO,
                        "%s was removed while its run wrote to it, and cannot be written "
                        "again: %s; its lines are lost",
                        journal->path, strerror(errno));
    int code = fate == CUT ? seal(journal) : 0;
    if (!code)
        code = append_text(journal, line, strlen(line));
    return code ? code
                : orr_fail(ORR_EIO, "%s was %s while its run wrote to it; %s", journal->path,
                           said[fate][0], said[fate][1]);
}

int orr_journal_append(struct orr_journal *journal, json_t *record)
{
    char *line = orr_journal_line_make(record, journal->checked);
    enum fate fate = fate_of(journal);
    int code = fate == IN_PLACE ? append_text(journal, line, strlen(line))
                                : append_to_lost(journal, fate, line);
    free(line);
    return code;
}

void orr_journal_close(struct orr_journal *journal)
{
    if (journal->fd >= 0)
        close(journal->fd);
    journal->fd = -1;
}

/* --- where journals lie --- */

static int is_journal(const struct dirent *entry)
{
    return !fnmatch("*.jsonl", entry->d_name, FNM_PERIOD);
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

/* A run whose name is dated in the future was begun by a clock that was ahead of this one. */
static bool is_of_future(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct tm utc;
    time_t latest = time(NULL) + 3600;
    char name[24];
    strftime(name, sizeof name, "%Y%m%dT%H%M%SZ", gmtime_r(&latest, &utc));
    const char *own = slash ? slash + 1 : path;
    return *own >= '0' && *own <= '9' && strncmp(own, name, strlen(name)) > 0;
}

/* Names begin with their UTC start: the newest is the last by name, but for what is dated in the
 * future. */
static bool is_newer(const char *name, const char *best)
{
    bool future = is_of_future(name);
    if (*best && future != is_of_future(best))
        return !future;
    return strcmp(name, best) > 0;
}

static bool is_file(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISREG(status.st_mode);
}

/* <root>/<machine>/<run>.jsonl that begins so. Where any will do, none that is empty: its run was
 * killed before the first line, and there is nothing to go on with. A pipe is one, to be refused by
 * its name. */
static bool is_candidate(const FTSENT *entry, const char *wanted)
{
    const bool is_plain = entry->fts_info == FTS_F;
    return (is_plain || entry->fts_info == FTS_DEFAULT) && entry->fts_level == 2 &&
           !fnmatch("*.jsonl", entry->fts_name, FNM_PERIOD) &&
           !strncmp(entry->fts_name, wanted, strlen(wanted)) &&
           (*wanted || !is_plain || entry->fts_statp->st_size);
}

/* Finds the newest, and how many there are. results/reference holds other machines' journals. */
static int find_newest(char *out, size_t size, const char *root, const char *wanted)
{
    int count = 0;
    char best[64] = "";
    FTS *tree = fts_open((char *[]){(char *)root, NULL}, FTS_LOGICAL | FTS_NOCHDIR, NULL);
    for (FTSENT *entry; tree && (entry = fts_read(tree));) {
        const char *name = entry->fts_name;
        if (entry->fts_level == 2 ||
            (entry->fts_level == 1 && (*name == '.' || !strcmp(name, "reference"))))
            fts_set(tree, entry, FTS_SKIP);
        if (!is_candidate(entry, wanted))
            continue;
        count++;
        if (is_newer(name, best)) {
            snprintf(best, sizeof best, "%s", name);
            snprintf(out, size, "%s", entry->fts_path);
        }
    }
    if (tree)
        fts_close(tree);
    return count;
}

int orr_journal_find(char *out, size_t size, const char *root, const char *run)
{
    bool last = !strcmp(run, "last");
    if (!last && is_file(run)) {
        snprintf(out, size, "%s", run);
        return 0;
    }
    const int found = find_newest(out, size, root, last ? "" : run);
    if (!found)
        return orr_fail(ORR_EUSAGE,
                        last ? "no run below %s to go on with; -o names the results folder"
                             : "no run '%2$s' below %1$s; -o names the results folder",
                        root, run);
    if (!last && found > 1)
        return orr_fail(ORR_EUSAGE, "%d runs begin with '%s'; give the whole name", found, run);
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
    if (*match->out && is_of_future(path))
        return 0;
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
