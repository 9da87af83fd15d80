/* SPDX-License-Identifier: MIT */
/* The schedule of access ceilings against a worker that misbehaves on request: this program plays
 * both parts. */
#include "json_member.h"
#include "measure/access.h"
#include "run/schedule.h"
#include "tests/cases.h"
#include "tests/folder_for_tests.h"

/* --- the referee's part: what it does depends on the kind, and on the device --- */

static void answer(struct orr_channel *channel, const json_t *request)
{
    const char *kind = orr_json_text(request, "kind"), *device = orr_json_text(request, "device");
    json_t *message;
    if (kind && !strcmp(kind, "mul"))
        abort();
    if (kind && !strcmp(kind, "barrier"))
        pause();
    if (!strcmp(device, "broken"))
        message = json_pack("{s:s, s:i, s:s}", "say", "failed", "code", ORR_EBUILD, "text",
                            "does not compile");
    else if (kind && !strcmp(kind, "rsqrt")) /* a referee that lost its worker */
        message = json_pack("{s:s, s:i, s:s}", "say", "failed", "code", ORR_EINTERNAL, "text",
                            "crashed: SIGSEGV");
    else if (!kind)
        message = json_pack("{s:s, s:{s:i, s:f}}", "say", "done", "sensors", "samples", 3,
                            "clock_mhz_median", 1500.0);
    else
        message = json_pack("{s:s, s:[{s:s, s:i, s:s, s:f, s:s}]}", "say", "done", "rates", "kind",
                            kind, "degree", 1, "unit", "word", "rate", 5e9, "check", "ok");
    json_object_set(message, "to", json_object_get(request, "id"));
    orr_child_channel_send(channel, message);
}

static int play_referee(void)
{
    struct orr_channel channel;
    json_t *request;
    orr_child_channel_init(&channel, STDIN_FILENO);
    while (orr_child_channel_receive(&channel, INFINITY, -1, &request) == ORR_HEARD_MESSAGE) {
        const char *ask = orr_json_text(request, "ask");
        if (!strcmp(ask, "quit"))
            break;
        if (!strcmp(ask, "access"))
            answer(&channel, request);
        else
            orr_child_channel_send(&channel, json_pack("{s:s, s:O}", "say", "done", "to",
                                                       json_object_get(request, "id")));
        json_decref(request);
    }
    return 0;
}

/* --- the scheduler's part --- */

static json_t *rate_of(const struct orr_journal_records *records, const char *device,
                       const char *kind)
{
    const json_t *record = json_array_get(json_object_get(records->access, device), 0);
    size_t k;
    json_t *rate;
    json_array_foreach (json_object_get(record, "rates"), k, rate) {
        if (!strcmp(orr_json_text(rate, "kind"), kind))
            return rate;
    }
    fail_msg("%s: no %s", device, kind);
    return NULL;
}

static void assert_reason(const struct orr_journal_records *records, const char *device,
                          const char *kind, const char *reason)
{
    json_t *rate = rate_of(records, device, kind);
    assert_null(json_object_get(rate, "rate"));
    if (!strstr(orr_json_text(rate, "reason"), reason))
        fail_msg("%s: %s", kind, orr_json_text(rate, "reason"));
}

TEST(a_crash_costs_one_kind)
{
    struct orr_child child = {.log = -1, .channel.fd = -1};
    RELEASED_BY(orr_journal_close) struct orr_journal journal;
    struct orr_journal_records records, again;
    struct orr_tally tally;
    const struct orr_device_info good = {.id = "good", .name = "G"}, broken = {.id = "broken"};
    const struct orr_device_info *devices[] = {&good, &broken};
    const bool skip[4] = {false, false, true, true};
    assert_int_equal(orr_journal_create(&journal, folder), 0);
    orr_journal_records_make(&records);
    const struct orr_schedule schedule = {.program = "/proc/self/exe",
                                          .child = &child,
                                          .rounds = 2,
                                          .journal = &journal,
                                          .records = &records,
                                          .signals = -1};
    const struct orr_access_plan plan = {
        .devices = devices, .count = 2, .skip = skip, .quick = true, .timeout_s = 0.5};
    assert_int_equal(orr_schedule_access(&schedule, &plan, &tally), 0);
    assert_int_equal(tally.ok, 1);
    assert_int_equal(tally.failed, 1);
    assert_int_equal(tally.left, 0);
    assert_reason(&records, "good", "mul", "SIGABRT");
    assert_reason(&records, "good", "rsqrt", "SIGSEGV");
    assert_reason(&records, "good", "barrier", "no result within");
    assert_true(orr_json_number(rate_of(&records, "good", "launch"), "rate") == 5e9);
    assert_reason(&records, "broken", "from-device-pinned", "does not compile");
    json_t *record = json_array_get(json_object_get(records.access, "good"), 0);
    assert_true(orr_json_number(record, "clock_mhz") == 1500);
    assert_int_equal(orr_schedule_access_rates(record), 45);
    /* What was written is what is read, to go on with. */
    assert_int_equal(orr_journal_records_read(&again, journal.path), 0);
    assert_true(json_equal(json_object_get(rate_of(&again, "good", "l2"), "rate"),
                           json_object_get(rate_of(&records, "good", "l2"), "rate")));
    assert_int_equal(again.damage.count, 0);
    orr_journal_records_release(&again);
    orr_child_shutdown(&child, false);
    orr_journal_records_release(&records);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "__referee"))
        return play_referee();
    return run_all(make_folder, remove_folder);
}
