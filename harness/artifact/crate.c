/* RO-Crate 1.1 (https://w3id.org/ro/crate/1.1): what the folder holds, as one flat graph of
 * JSON-LD. Runs are CreateActions, whose results are their journals. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "artifact/artifact_parts.h"
#include "error.h"
#include "json_member.h"
#include "text.h"

/* A name as a part of an URI: what RFC 3986 does not allow there is escaped. Returns `out`. */
static char *escape(char *out, size_t size, const char *text)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    size_t used = 0;
    for (; *text && used + 4 < size; text++)
        used += (size_t)snprintf(out + used, size - used, strchr(plain, *text) ? "%c" : "%%%02X",
                                 (unsigned char)*text);
    out[used] = '\0';
    return out;
}

static json_t *link_to(const char *id)
{
    return json_pack("{s:s}", "@id", id);
}

/* Takes the entity. One of the same id is there once. */
static int add(json_t *graph, json_t *entity)
{
    size_t k;
    json_t *other;
    const char *id = orr_json_text(entity, "@id");
    json_array_foreach(graph, k, other)
    {
        if (id && !strcmp(orr_json_text(other, "@id"), id)) {
            json_decref(entity);
            return 0;
        }
    }
    return json_array_append_new(graph, entity)
               ? orr_fail(ORR_EMEMORY, "no memory for " ORR_ARTIFACT_CRATE)
               : 0;
}

/* Takes the list; one link stands alone, none is left out. */
static void set_links(json_t *entity, const char *name, json_t *list)
{
    if (json_array_size(list))
        json_object_set(entity, name, json_array_size(list) == 1 ? json_array_get(list, 0) : list);
    json_decref(list);
}

/* --- people and works --- */

/* Adds a person, and a link to them in `list`. */
static int add_person(json_t *graph, json_t *list, const char *name)
{
    char part[400], id[420];
    snprintf(id, sizeof id, "#%s", escape(part, sizeof part, name));
    json_array_append_new(list, link_to(id));
    return add(graph, json_pack("{s:s, s:s, s:s}", "@id", id, "@type", "Person", "name", name));
}

/* "Gaburov, Bédorf & Portegies Zwart", "Shan and Lei" */
static int add_authors(json_t *graph, json_t *list, const char *authors)
{
    static const char *const between[] = {", ", " & ", " and "};
    int code = 0;
    while (!code && *authors) {
        const char *end = authors + strlen(authors), *next = end;
        for (size_t k = 0; k < sizeof between / sizeof *between; k++) {
            const char *at = strstr(authors, between[k]);
            if (at && at < end)
                end = at, next = at + strlen(between[k]);
        }
        char name[200];
        snprintf(name, sizeof name, "%.*s", (int)(end - authors), authors);
        code = *name ? add_person(graph, list, name) : 0;
        authors = next;
    }
    return code;
}

static int add_paper(json_t *graph, json_t *citation, const json_t *paper)
{
    char id[200], year[16];
    const char *venue = orr_json_text(paper, "venue");
    json_t *list = json_array();
    int code = add_authors(graph, list, orr_json_text(paper, "authors"));
    snprintf(id, sizeof id, "#paper-%s", orr_json_text(paper, "key"));
    snprintf(year, sizeof year, "%d", (int)orr_json_integer(paper, "year"));
    json_t *entity = json_pack("{s:s, s:s, s:s, s:s}", "@id", id, "@type", "ScholarlyArticle",
                               "name", orr_json_text(paper, "title"), "description", venue);
    set_links(entity, "author", list);
    if (strcmp(year, "0") != 0)
        json_object_set_new(entity, "datePublished", json_string(year));
    if (!strncmp(venue, "arXiv:", 6))
        json_object_set_new(entity, "identifier", json_string(venue));
    json_array_append_new(citation, link_to(id));
    return code ? json_decref(entity), code : add(graph, entity);
}

/* --- files --- */

static const struct {
    const char *pattern, *format, *description;
} kinds[] = {
    {"README.md", "text/markdown", "artifact description and evaluation appendix"},
    {"artifact.json", "application/json", "the same for programs"},
    {"claims.json", "application/json", "the verdicts that are expected, with their numbers"},
    {ORR_ARTIFACT_SUMS, "text/plain", "SHA-256 of each file; sha256sum -c reads it"},
    {"*.jsonl", "application/x-ndjson", "journal of a run"},
    {"*.csv", "text/csv", "bodies at the end of a cell"},
    {"*", "application/octet-stream", NULL},
};

static json_t *file_entity(const char *name)
{
    char id[3072];
    size_t k = 0;
    while (!orr_text_matches(kinds[k].pattern, name))
        k++;
    return json_pack("{s:s, s:s, s:s, s:s, s:s*}", "@id", escape(id, sizeof id, name), "@type",
                     "File", "name", name, "encodingFormat", kinds[k].format, "description",
                     kinds[k].description);
}

static int add_file(json_t *graph, json_t *parts, const char *folder, const char *name)
{
    char path[2048], hash[65], size[32];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int code = orr_text_sha256_file(path, hash);
    if (!code && stat(path, &status))
        code = orr_fail(ORR_EIO, "cannot read %s", path);
    if (code)
        return code;
    snprintf(size, sizeof size, "%lld", (long long)status.st_size);
    json_t *entity = file_entity(name);
    json_object_set_new(entity, "contentSize", json_string(size));
    json_object_set_new(entity, "sha256", json_string(hash));
    json_array_append_new(parts, link_to(orr_json_text(entity, "@id")));
    return add(graph, entity);
}

/* The hashes are written last, since they are of the metadata, too: no hash of that file. */
static int add_files(json_t *graph, json_t *parts, const char *folder)
{
    char **files;
    int code = orr_artifact_files(&files, folder);
    if (code)
        return code;
    for (char **file = files; !code && *file; file++)
        code = add_file(graph, parts, folder, *file);
    orr_names_free(files);
    json_array_append_new(parts, link_to(ORR_ARTIFACT_SUMS));
    return code ? code : add(graph, file_entity(ORR_ARTIFACT_SUMS));
}

/* --- runs --- */

static int add_run(json_t *graph, json_t *mentions, const char *machine, const json_t *run)
{
    char id[256], program[100], file[3072], what[256];
    snprintf(id, sizeof id, "#run-%s", orr_json_text(run, "run"));
    snprintf(program, sizeof program, "#orrery-%s", orr_json_text(run, "commit"));
    snprintf(what, sizeof what, "a run on %s", machine);
    json_array_append_new(mentions, link_to(id));
    int code = add(graph, json_pack("{s:s, s:s, s:s, s:s, s:s*}", "@id", program, "@type",
                                    "SoftwareApplication", "name", "Orrery", "softwareVersion",
                                    orr_json_text(run, "version"), "description",
                                    orr_json_text(run, "commit")));
    return code
               ? code
               : add(graph,
                     json_pack("{s:s, s:s, s:s, s:s, s:o, s:o}", "@id", id, "@type", "CreateAction",
                               "name", what, "startTime", orr_json_text(run, "started"),
                               "instrument", link_to(program), "result",
                               link_to(escape(file, sizeof file, orr_json_text(run, "journal")))));
}

static int add_runs(json_t *graph, json_t *mentions, const json_t *about)
{
    size_t m, k;
    json_t *machine, *run;
    int code = 0;
    json_array_foreach(json_object_get(about, "machines"), m, machine)
    {
        json_array_foreach(json_object_get(machine, "journals"), k, run)
        {
            if (!code)
                code = add_run(graph, mentions, orr_json_text(machine, "name"), run);
        }
    }
    return code;
}

/* --- the crate --- */

static int add_licence(json_t *graph, json_t *root, const char *licence)
{
    char id[300], part[200];
    snprintf(id, sizeof id, "https://spdx.org/licenses/%s", escape(part, sizeof part, licence));
    json_object_set_new(root, "license", link_to(id));
    return add(graph,
               json_pack("{s:s, s:s, s:s}", "@id", id, "@type", "CreativeWork", "name", licence));
}

static int fill(json_t *graph, json_t *root, const char *folder, const json_t *about)
{
    json_t *parts = json_array(), *citation = json_array(), *mentions = json_array(),
           *authors = json_array(), *entry;
    size_t k;
    int code = add_licence(graph, root, orr_json_text(about, "licence"));
    if (!code)
        code = add_files(graph, parts, folder);
    json_array_foreach(json_object_get(about, "authors"), k, entry)
    {
        code = code ? code : add_person(graph, authors, json_string_value(entry));
    }
    json_array_foreach(json_object_get(about, "papers"), k, entry)
    {
        code = code ? code : add_paper(graph, citation, entry);
    }
    if (!code)
        code = add_runs(graph, mentions, about);
    set_links(root, "hasPart", parts);
    set_links(root, "author", authors);
    set_links(root, "citation", citation);
    set_links(root, "mentions", mentions);
    return code;
}

json_t *orr_artifact_crate(const char *folder, const json_t *about)
{
    json_t *graph = json_array(),
           *root = json_pack("{s:s, s:s, s:s, s:s, s:s}", "@id", "./", "@type", "Dataset", "name",
                             orr_json_text(about, "title"), "description",
                             orr_json_text(about, "summary"), "datePublished",
                             orr_json_text(about, "made"));
    int code = add(graph, json_pack("{s:s, s:s, s:{s:s}, s:{s:s}}", "@id", ORR_ARTIFACT_CRATE,
                                    "@type", "CreativeWork", "conformsTo", "@id",
                                    "https://w3id.org/ro/crate/1.1", "about", "@id", "./"));
    if (!code)
        code = add(graph, json_incref(root));
    if (!code)
        code = fill(graph, root, folder, about);
    json_decref(root);
    if (code) {
        json_decref(graph);
        return NULL;
    }
    /* The 1.1 context has no term for a hash. */
    json_t *crate =
        json_pack("{s:[s, {s:s}], s:o}", "@context", "https://w3id.org/ro/crate/1.1/context",
                  "sha256", "http://schema.org/sha256", "@graph", graph);
    if (!crate)
        orr_fail(ORR_EMEMORY, "no memory for " ORR_ARTIFACT_CRATE);
    return crate;
}
