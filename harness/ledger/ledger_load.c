/* SPDX-License-Identifier: MIT */
/* Journals: where they are, and from their records to rows. */
#include <errno.h>
#include <fnmatch.h>
#include <fts.h>
#include <glob.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "error.h"
#include "memory.h"
#include "json_member.h"
#include "ledger/journal.h"
#include "ledger/ledger.h"
#include "ledger/ledger_parts.h"
#include "names.h"
#include "paths.h"
#include "sql/ledger/newest.h"

/* The journal being read. */
struct load {
    struct orr_ledger *ledger;
    const char *path;
    sqlite3_int64 run_key;              /* 0 before a run record */
    struct orr_journal_records records; /* of the run being read */
};

static void load_run(struct load *load, const json_t *record)
{
    /* results/<machine>/<run>.jsonl */
    char *copy = orr_memory_text(load->path),
         *folder = strchr(copy, '/') ? basename(dirname(copy)) : "";
    const char *machine = json_string_value(orr_json_follow(record, "machine/name"));
    size_t k;
    json_t *device;
    load->run_key = orr_ledger_insert(load->ledger, "run", record, 0);
    orr_ledger_put(load->ledger,
                   "UPDATE run SET path = ?, machine = ?, operand = ?, ended = NULL"
                   " WHERE run_key = ?",
                   "sssi", load->path, machine && *machine ? machine : folder,
                   load->ledger->operand, load->run_key);
    free(copy);
    json_array_foreach (json_object_get(record, "devices"), k, device)
        orr_ledger_insert(load->ledger, "device", device, load->run_key);
}

/* --- cells --- */

/* At the end of a run. */
static void load_cells(struct load *load)
{
    const char *id;
    json_t *rounds;
    json_object_foreach (load->records.cells, id, rounds)
        orr_cell_rounds_load(load->ledger, rounds, load->run_key);
    orr_journal_records_release(&load->records);
}

/* --- the other records --- */

static void load_ceiling(struct load *load, json_t *record)
{
    const char *device = orr_json_text(record, "device");
    json_t *rates = json_object();
    json_object_set(rates, "mix", json_object_get(record, "interactions_per_second"));
    json_object_set(rates, "fma", json_object_get(record, "fma_per_second"));
    json_object_update(rates, json_object_get(record, "pairs"));
    orr_ledger_insert(load->ledger, "ceiling", record, load->run_key);
    if (device)
        orr_ledger_put(load->ledger,
                       "INSERT INTO ceiling_pair SELECT ?1, ?2, key, value FROM json_each(?3)"
                       " WHERE type IN ('integer', 'real')"
                       " ON CONFLICT DO UPDATE SET rate = max(rate, excluded.rate)",
                       "iso", load->run_key, device, rates);
    json_decref(rates);
}

static void load_access(struct load *load, const json_t *record)
{
    size_t k;
    json_t *rate;
    json_array_foreach (json_object_get(record, "rates"), k, rate)
        orr_ledger_put(load->ledger,
                       "INSERT OR REPLACE INTO access_rate VALUES (?,?,?,?,?,?,?,?,nullif(?, 0),?,"
                       "nullif(?, 0),?)",
                       "ijijjijjjjjj", load->run_key, json_object_get(record, "device"),
                       (sqlite3_int64)orr_cell_rounds_of(record), json_object_get(rate, "kind"),
                       json_object_get(rate, "degree"), (sqlite3_int64)k,
                       json_object_get(record, "device_name"), json_object_get(rate, "unit"),
                       json_object_get(rate, "rate"), json_object_get(rate, "reason"),
                       json_object_get(rate, "clock_mhz"), json_object_get(record, "#"));
}

static void load_kind(struct load *load, json_t *record, const char *kind)
{
    if (!strcmp(kind, "run")) {
        load_cells(load);
        load_run(load, record);
        orr_journal_records_make(&load->records);
        orr_journal_records_add(&load->records, record);
    } else if (!strcmp(kind, "ceiling")) {
        load_ceiling(load, record);
    } else if (!strcmp(kind, "access_ceilings")) {
        load_access(load, record);
    } else if (!strcmp(kind, "end") || !strcmp(kind, "resume")) {
        const bool stopped = json_is_true(json_object_get(record, "interrupted"));
        orr_ledger_put(load->ledger, "UPDATE run SET ended = ? WHERE run_key = ?", "si",
                       strcmp(kind, "end") ? NULL /* it goes on */
                       : stopped           ? "interrupted"
                                           : "over",
                       load->run_key);
    } else if (!strcmp(kind, "self")) {
        orr_ledger_insert(load->ledger, "self", record, load->run_key);
    } else if (!strcmp(kind, "cell") && !json_is_true(json_object_get(record, "once"))) {
        load->ledger->cells++; /* one step for a profiler is no result */
        orr_journal_records_add(&load->records, record);
    }
}

static int load_record(json_t *record, size_t line, void *context)
{
    struct load *load = context;
    const char *kind = orr_json_text(record, "record"), *lacks = NULL;
    char flaw[160];
    json_object_set_new(record, "#", json_integer((json_int_t)line));
    load->ledger->records += kind != NULL;
    if (!kind)
        lacks = "it is no record";
    else if (strcmp(kind, "run") && !load->run_key)
        lacks = "its run record is missing";
    else if (orr_journal_flaw(flaw, sizeof flaw, record))
        lacks = flaw;
    else if (orr_journal_is_elsewhere(json_object_get(load->records.run, "devices"), record))
        lacks = "it was measured on another device, driver or number of threads than its run tells";
    if (lacks)
        orr_journal_damage_add(&load->ledger->damage, load->path, line, lacks);
    else
        load_kind(load, record, kind);
    return load->ledger->failed;
}

static int load_file(struct orr_ledger *ledger, const char *path)
{
    struct load load = {.ledger = ledger, .path = path};
    size_t passed = 0;
    *ledger->audited = '\0';
    *(char **)orr_memory_add(&ledger->paths, &ledger->journals, sizeof *ledger->paths) =
        orr_memory_text(path);
    int code = orr_ledger_execute(ledger, "BEGIN");
    if (!code)
        code =
            orr_journal_read_only(&passed, path, ledger->only, load_record, &load, &ledger->damage);
    ledger->records += passed;
    ledger->cells += passed;
    if (!code)
        load_cells(&load);
    orr_journal_records_release(&load.records);
    int ended = orr_ledger_execute(ledger, "COMMIT");
    return code ? code : ledger->failed ? ledger->failed : ended;
}

/* --- finding journals --- */

static int load_all(struct orr_ledger *ledger, char *const *paths)
{
    int code = 0;
    for (size_t k = 0; paths[k] && !code; k++)
        code = load_file(ledger, paths[k]);
    int settled = orr_ledger_execute(ledger, sql_ledger_newest);
    return code ? code : settled;
}

/* Reference results, of other machines, are shown when they are named. */
static int add_folder(struct orr_ledger *ledger, char *folder)
{
    struct orr_names journals = {0};
    char **paths;
    FTS *tree = fts_open((char *[]){folder, NULL}, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    if (!tree)
        return orr_fail(ORR_EIO, "cannot read the folder %s: %s", folder, strerror(errno));
    for (FTSENT *entry; (entry = fts_read(tree));)
        if ((entry->fts_info == FTS_F || entry->fts_info == FTS_DEFAULT) &&
            !fnmatch("*.jsonl", entry->fts_name, 0) &&
            !strstr(entry->fts_path + strlen(folder), "/reference/"))
            orr_names_add(&journals, "%s", entry->fts_path);
    fts_close(tree);
    int code = orr_names_finish(&journals, &paths, 0);
    if (!code)
        code = load_all(ledger, paths);
    orr_names_free(paths);
    return code;
}

static int kind_of(const char *path)
{
    struct stat status;
    if (stat(path, &status))
        return 0;
    return S_ISDIR(status.st_mode) ? 'd' : 'f';
}

/* A damaged journal is read as far as it goes, but a file that was named and holds no record at all
 * was a mistake. */
static int add_named_file(struct orr_ledger *ledger, const char *path)
{
    size_t records = ledger->records, damaged = ledger->damage.count;
    int code = load_all(ledger, (char *const[]){(char *)path, NULL});
    if (!code && ledger->records == records && ledger->damage.count > damaged)
        code = orr_fail(ORR_EINPUT, "%s is no journal: none of its %zu lines is a record", path,
                        ledger->damage.count - damaged);
    return code;
}

/* Completes the last part of a path to the only folder that begins so. */
static bool complete_path(char *path, size_t size)
{
    glob_t matches = {0};
    char pattern[PATH_MAX + 4];
    snprintf(pattern, sizeof pattern, "%s*/", path);
    bool one =
        !strpbrk(path, "*?[\\") && !glob(pattern, 0, NULL, &matches) && matches.gl_pathc == 1;
    if (one)
        snprintf(path, size, "%.*s", (int)strlen(matches.gl_pathv[0]) - 1, matches.gl_pathv[0]);
    globfree(&matches);
    return one;
}

/* Its path and kind, also where the name is only how a machine's begins; 0 where there is nothing
 * of that name, or a negative code. */
static int find_journals(char *out, size_t size, const char *where)
{
    static const char reference[] = "results/reference";
    const bool named = !strncmp(where, reference, sizeof reference - 1);
    snprintf(out, size, "%s", where);
    int kind = kind_of(out);
    if (kind)
        return kind;
    snprintf(out, size, "results/%s", where);
    if (kind_of(out) == 'd')
        return 'd';
    int code = orr_paths_home(out, size, "%s%s%s", named ? "" : reference, named ? "" : "/", where);
    if (code || kind_of(out) == 'd')
        return code ? code : 'd';
    return complete_path(out, size) ? 'd' : 0;
}

bool orr_ledger_finds(const char *where)
{
    char path[PATH_MAX];
    int kind = find_journals(path, sizeof path, where);
    if (kind < 0)
        orr_error_clear();
    return kind > 0;
}

int orr_ledger_add(struct orr_ledger *ledger, const char *where)
{
    char path[PATH_MAX] = "results";
    int kind = where ? find_journals(path, sizeof path, where) : kind_of(path) == 'd' ? 'd' : 0;
    if (!where && !kind)
        return 0;
    if (kind > 0)
        return kind == 'd' ? add_folder(ledger, path) : add_named_file(ledger, path);
    return kind < 0
               ? kind
               : orr_fail(ORR_EUSAGE,
                          "no journal, folder or machine '%s' (looked at it as a path, in results/ "
                          "and in the reference results)",
                          where);
}

int orr_ledger_add_reference(struct orr_ledger *ledger, const char *machine)
{
    char path[1024];
    int code =
        orr_paths_home(path, sizeof path, "results/reference%s%s", *machine ? "/" : "", machine);
    if (!code && kind_of(path) != 'd' && !complete_path(path, sizeof path))
        return 0;
    return code ? code : add_folder(ledger, path);
}
