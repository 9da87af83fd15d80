#include "ledger/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "error.h"
#include "json_member.h"
#include "plain_file.h"

enum { NAME_TRIES = 16, LONGEST_LINE = 64 << 20 };

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

static void name_run(char run[40])
{
    unsigned short tag = 0;
    if (getrandom(&tag, sizeof tag, 0) != sizeof tag)
        tag = (unsigned short)getpid();
    time_t now = time(NULL);
    struct tm utc;
    char start[24];
    strftime(start, sizeof start, "%Y%m%dT%H%M%SZ", gmtime_r(&now, &utc));
    snprintf(run, 40, "%s-%04x", start, tag);
}

/* Readers need no lock: they skip a line that is still being written. */
static int lock(const struct orr_journal *journal)
{
    if (!flock(journal->fd, LOCK_EX | LOCK_NB))
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
    *out = (struct orr_journal){.fd = -1};
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
    if (!write_all(journal->fd, text, size) && !fsync(journal->fd))
        return 0;
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
        code = seal(out);
    if (code)
        orr_journal_close(out);
    else
        orr_journal_drop_leftovers(out);
    return code;
}

int orr_journal_append(struct orr_journal *journal, json_t *record)
{
    char *text = record ? json_dumps(record, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
    size_t size = text ? strlen(text) : 0;
    char *line = text ? realloc(text, size + 2) : NULL;
    if (!line) {
        free(text);
        return orr_fail(ORR_EMEMORY, "no memory for a journal record");
    }
    line[size] = '\n';
    int code = append_text(journal, line, size + 1);
    free(line);
    return code;
}

void orr_journal_close(struct orr_journal *journal)
{
    if (journal->fd >= 0)
        close(journal->fd);
    journal->fd = -1;
}

int orr_journal_read(const char *path, int (*each)(json_t *record, size_t line, void *context),
                     void *context, size_t *skipped)
{
    if (skipped)
        *skipped = 0;
    const char *why;
    FILE *file = orr_plain_file_open(path, &why);
    if (!file)
        return orr_fail(ORR_EIO, "cannot read the journal %s: %s", path, why);
    char *line = NULL;
    size_t room = 0, number = 0, length;
    int code = 0, more = 1;
    while (!code && (more = orr_plain_file_line(&line, &room, &length, file, LONGEST_LINE)) > 0) {
        number++;
        /* A line without a newline is unfinished, even when it happens to parse. */
        json_t *record = line[length - 1] == '\n' ? json_loadb(line, length, 0, NULL) : NULL;
        if (json_is_object(record))
            code = each(record, number, context);
        else if (skipped)
            ++*skipped;
        json_decref(record);
    }
    if (!code && more < 0)
        code = orr_error_context("%s:%zu", path, number + 1);
    else if (!code && ferror(file))
        code = orr_fail(ORR_EIO, "cannot read the journal %s: %s", path, strerror(errno));
    free(line);
    fclose(file);
    return code;
}

int orr_journal_records_make(struct orr_journal_records *out)
{
    *out = (struct orr_journal_records){.cells = json_object(), .ceilings = json_object()};
    return out->cells && out->ceilings
               ? 0
               : orr_fail(ORR_EMEMORY, "no memory for the records of a run");
}

void orr_journal_records_release(struct orr_journal_records *records)
{
    json_decref(records->run);
    json_decref(records->cells);
    json_decref(records->ceilings);
    *records = (struct orr_journal_records){0};
}

int orr_journal_records_add(struct orr_journal_records *records, json_t *record)
{
    const char *kind = orr_json_text(record, "record");
    const char *id = orr_json_text(record, "outcome") ? orr_json_text(record, "id") : NULL;
    const char *device = orr_json_text(record, "device");
    int failed = 0;
    if (kind && !strcmp(kind, "run") && !records->run)
        records->run = json_incref(record);
    else if (kind && id && !strcmp(kind, "cell"))
        failed = json_object_set(records->cells, id, record);
    else if (kind && device && !strcmp(kind, "ceiling"))
        failed = json_object_set(records->ceilings, device, record);
    return failed ? orr_fail(ORR_EMEMORY, "no memory for the records of a run") : 0;
}

static int add(json_t *record, size_t line, void *records)
{
    (void)line;
    return orr_journal_records_add(records, record);
}

int orr_journal_records_read(struct orr_journal_records *out, const char *path)
{
    int code = orr_journal_records_make(out);
    return code ? code : orr_journal_read(path, add, out, NULL);
}

json_t *orr_journal_records_cell(const struct orr_journal_records *records, const char *id)
{
    return json_object_get(records->cells, id);
}
