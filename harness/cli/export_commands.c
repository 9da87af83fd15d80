/* The commands that decide the claims of an artifact, and how long they take on its machines. */
#include <stdlib.h>
#include <string.h>

#include "cli/claims_parts.h"
#include "cli/export_parts.h"
#include "cli/run_parts.h"
#include "error.h"
#include "json_member.h"

enum { MOST_WORDS = 64, MOST_TEXT = 1024 };

/* A machine whose journals are being learnt from. */
struct known {
    const char *results, *name;
    char folder[1024];
    struct orr_progress progress; /* its estimate */
    bool learnt;
};

/* --- the time of one --- */

/* "orrery run A B --preset paper" as the command line of `run`. */
static int parse(struct orr_run_options *out, char *command)
{
    char *argv[MOST_WORDS], *rest = NULL;
    int argc = 0;
    strtok_r(command, " ", &rest); /* the program */
    for (char *word; (word = strtok_r(NULL, " ", &rest)) && argc < MOST_WORDS - 1;)
        argv[argc++] = word;
    argv[argc] = NULL;
    return orr_run_parse(out, argc, argv);
}

static int plan(struct orr_plan *out, const struct known *known,
                const struct orr_run_options *options)
{
    struct orr_request request;
    struct orr_run_known_devices found = {.wanted = &options->devices};
    int code = orr_run_ask(&request, options);
    if (!code)
        code = orr_journal_each(known->folder, orr_run_known_devices_look, &found);
    if (!code && !*found.path)
        code = orr_fail(ORR_EUNSUPPORTED, "no journal of %s has the device", known->name);
    return code ? code : orr_plan_make(out, &request, found.devices.devices, found.devices.count);
}

static int learn(struct known *known)
{
    int code = 0;
    if (!known->learnt)
        code = orr_journal_folder(known->folder, sizeof known->folder, known->results, known->name);
    if (!code && !known->learnt)
        orr_progress_learn(&known->progress, known->folder, NULL);
    known->learnt = true;
    return code;
}

/* A command that the machine could not run has no time, and the reason instead. */
static int add_time(json_t *entry, struct known *known)
{
    char command[MOST_TEXT];
    struct orr_run_options options = {0};
    struct orr_plan planned = {0};
    bool guessed = false;
    int code = learn(known);
    snprintf(command, sizeof command, "%s", orr_json_text(entry, "command"));
    if (!code)
        code = parse(&options, command);
    if (!code)
        code = plan(&planned, known, &options);
    if (!code) {
        double seconds = orr_run_plan_seconds(&planned, &known->progress.estimate, &guessed);
        json_object_set_new(entry, "seconds", json_real(seconds));
        json_object_set_new(entry, "guessed", json_boolean(guessed));
    } else if (code != ORR_EMEMORY) {
        json_object_set_new(entry, "why", json_string(orr_error_text()));
        orr_error_clear();
        code = 0;
    }
    orr_plan_release(&planned);
    orr_run_release_options(&options);
    return code;
}

/* --- all of them --- */

/* What decides the claim, as claims.sql has it; NULL where nothing is to be run. */
static const char *needs_of(const json_t *needs, const json_t *claim)
{
    static const char run[] = "orrery run ";
    size_t k;
    json_t *row;
    json_array_foreach(needs, k, row)
    {
        const char *text = orr_json_text(row, "needs");
        if (!strcmp(orr_json_text(row, "paper"), orr_json_text(claim, "paper")) &&
            !strcmp(orr_json_text(row, "id"), orr_json_text(claim, "id")))
            return text && !strncmp(text, run, sizeof run - 1) ? text : NULL;
    }
    return NULL;
}

static json_t *find(const json_t *commands, const char *command, const char *machine)
{
    size_t k;
    json_t *entry;
    json_array_foreach(commands, k, entry)
    {
        if (!strcmp(orr_json_text(entry, "command"), command) &&
            !strcmp(orr_json_text(entry, "machine"), machine))
            return entry;
    }
    return NULL;
}

static void mention(json_t *entry, const json_t *claim)
{
    json_t *list = json_object_get(entry, "claims"),
           *name = json_sprintf("%s/%s", orr_json_text(claim, "paper"), orr_json_text(claim, "id"));
    size_t last = json_array_size(list);
    if (last && json_equal(json_array_get(list, last - 1), name)) /* another reading of it */
        json_decref(name);
    else
        json_array_append_new(list, name);
}

static int add_command(json_t *commands, const json_t *claim, json_t *verdict, const char *needs)
{
    const char *machine = orr_json_text(verdict, "machine"),
               *device = orr_json_text(verdict, "device");
    if (!needs || !machine || !device)
        return 0;
    json_t *text = json_sprintf("%s --device %s", needs, device), *entry;
    if (!text)
        return orr_fail(ORR_EMEMORY, "no memory for the commands");
    json_object_set(verdict, "command", text);
    entry = find(commands, json_string_value(text), machine);
    if (!entry) {
        entry = json_pack("{s:O, s:s, s:s, s:[]}", "command", text, "machine", machine, "device",
                          device, "claims");
        json_array_append_new(commands, entry);
    }
    mention(entry, claim);
    json_decref(text);
    return 0;
}

static int collect(json_t *commands, const json_t *about)
{
    json_t *needs = json_array(), *claim, *verdict;
    size_t c, v;
    int code = orr_cli_claims_needs(needs);
    json_array_foreach(json_object_get(about, "claims"), c, claim)
    {
        json_array_foreach(json_object_get(claim, "expected"), v, verdict)
        {
            if (!code)
                code = add_command(commands, claim, verdict, needs_of(needs, claim));
        }
    }
    json_decref(needs);
    return code;
}

/* Of every device the sum: what all its commands take. */
static void add_total(json_t *totals, const json_t *command)
{
    const char *machine = orr_json_text(command, "machine"),
               *device = orr_json_text(command, "device");
    size_t k;
    json_t *entry, *total = NULL;
    json_array_foreach(totals, k, entry)
    {
        if (!strcmp(orr_json_text(entry, "machine"), machine) &&
            !strcmp(orr_json_text(entry, "device"), device))
            total = entry;
    }
    if (!total) {
        total = json_pack("{s:s, s:s, s:b}", "machine", machine, "device", device, "guessed", 0);
        json_array_append_new(totals, total);
    }
    if (json_is_true(json_object_get(command, "guessed")))
        json_object_set_new(total, "guessed", json_true());
    json_object_set_new(
        total, "seconds",
        json_real(orr_json_number(total, "seconds") + orr_json_number(command, "seconds")));
}

int orr_export_commands(json_t *about, const struct orr_export *export)
{
    json_t *commands = json_array(), *totals = json_array(), *machine, *command;
    size_t m, k;
    json_object_set_new(about, "commands", commands);
    json_object_set_new(about, "totals", totals);
    int code = collect(commands, about);
    json_array_foreach(json_object_get(about, "machines"), m, machine)
    {
        struct known known = {.results = export->results, .name = orr_json_text(machine, "name")};
        json_array_foreach(commands, k, command)
        {
            if (code || strcmp(orr_json_text(command, "machine"), known.name) != 0)
                continue;
            code = add_time(command, &known);
            add_total(totals, command);
        }
        orr_time_estimate_release(&known.progress.estimate);
    }
    return code;
}
