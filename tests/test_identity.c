/* SPDX-License-Identifier: MIT */
/* A name is not an identity: machines and devices that share one are told apart, and a cell that
 * was measured elsewhere is none of its run's. */
#include <unistd.h>

#include "ledger/journal.h"
#include "ledger/ledger_parts.h"
#include "ledger_for_tests.h"

struct where {
    const char *run, *started, *machine, *simd;
    int threads;
    const char *platform, *device_name, *identity;
};

/* A journal of one run with one cell of `seconds`, whose own identity is `found`. */
static void load_at(struct orr_ledger *ledger, const char *path, const struct where *w,
                    double seconds, const char *found)
{
    const char *run = filled(
        "{'record':'run','schema':1,'run':'%s','started':'%s','orrery':{'version':'1','commit':'c'}"
        ","
        "'request':{},'machine':{'name':'%s','cpu':'cpu','simd':'%s','threads':%d},'devices':[{"
        "'id':'opencl:0.0','backend':'opencl','name':'%s','platform':'%s','identity':'%s'}]}\n",
        w->run, w->started, w->machine, w->simd, w->threads, w->device_name, w->platform,
        w->identity);
    const char *cell = filled(
        "{'record':'cell','id':'i1','experiment':'p/e','variant':'p/v','device':'opencl:0.0',"
        "'identity':'%s','dataset':{'name':'s','n':10},'parameters':{},'outcome':'ok',"
        "'started':'%s','seconds':%.17g,'samples':{'step_s':[%.17g,%.17g,%.17g]}}\n",
        found, w->started, seconds, seconds, seconds, seconds);
    load_from(ledger, path, (const char *const[]){run, cell, NULL});
}

static void load_cell(struct orr_ledger *ledger, const struct where *w, double seconds)
{
    load_at(ledger, "/tmp/orrery-identity.jsonl", w, seconds, w->identity);
}

static const struct where pocl = {"r1", "2026-01-01T00:00:00Z", "m", "avx2", 2, "PoCL 6.0", "cpu",
                                  "a1"},
                          intel = {"r2", "2026-01-02T00:00:00Z", "m",   "avx2",
                                   2,    "Intel(R) OpenCL",      "cpu", "b2"},
                          again = {"r3", "2026-01-03T00:00:00Z", "m", "avx2", 2, "PoCL 6.0", "cpu",
                                   "a3"};

TEST_AROUND(one_name_of_one_thing_stays, open_ledger, close_ledger)
{
    load_cell(*state, &pocl, 1);
    load_cell(*state, &again, 2);
    FINDS("SELECT seconds FROM latest WHERE device = 'opencl:0.0' AND machine = 'm'", 2);
    FINDS("SELECT count(*) FROM latest", 1);
}

TEST_AROUND(two_implementations_of_opencl_do_not_hide_each_other, open_ledger, close_ledger)
{
    load_cell(*state, &pocl, 1);
    load_cell(*state, &intel, 2);
    load_cell(*state, &again, 3);
    FINDS("SELECT count(*) FROM latest", 2);
    FINDS("SELECT seconds FROM latest WHERE device = 'opencl:0.0 (PoCL 6.0)'", 3);
    FINDS("SELECT seconds FROM latest WHERE device = 'opencl:0.0 (Intel(R) OpenCL)'", 2);
}

/* An older journal does not name the implementation, and nothing else may say it; what a command
 * takes stays the id, and each device has one alias however often journals are loaded. */
TEST_AROUND(a_device_without_a_platform_has_its_name, open_ledger, close_ledger)
{
    struct where nameless = intel;
    nameless.platform = "", nameless.device_name = "Mali";
    load_cell(*state, &pocl, 1);
    load_cell(*state, &nameless, 2);
    load_cell(*state, &again, 3);
    FINDS("SELECT seconds FROM latest WHERE device = 'opencl:0.0 (Mali)'", 2);
    FINDS("SELECT count(*) FROM device JOIN cell USING (run_key, device)", 3);
    FINDS("SELECT count(*) FROM alias", 3);
    assert_text(*state, "SELECT group_concat(DISTINCT device_id(device)) FROM cell", "opencl:0.0");
}

TEST_AROUND(machines_of_one_name_are_told_apart, open_ledger, close_ledger)
{
    struct where wide = pocl, bound = pocl;
    load_cell(*state, &pocl, 1);
    wide.simd = "avx512f", bound.threads = 1;
    load_cell(*state, &wide, 2);
    FINDS("SELECT seconds FROM latest WHERE machine = 'm (avx2)'", 1);
    FINDS("SELECT seconds FROM latest WHERE machine = 'm (avx512f)'", 2);
    load_cell(*state, &bound, 3);
    FINDS("SELECT seconds FROM latest WHERE machine = 'm (2 threads, avx512f)'", 2);
    FINDS("SELECT seconds FROM latest WHERE machine = 'm (1 thread, avx2)'", 3);
}

/* Two machines may even be described alike. */
TEST_AROUND(a_reference_is_never_measured_here, open_ledger, close_ledger)
{
    char path[] = "/tmp/orrery-XXXXXX";
    assert_non_null(mkdtemp(path));
    assert_int_equal(system(filled("mkdir -p %s/results/reference/m", path)), 0);
    load_cell(*state, &pocl, 1);
    load_at(*state, filled("%s/results/reference/m/r.jsonl", path), &again, 2, "a3");
    FINDS("SELECT seconds FROM latest WHERE machine = 'm'", 1);
    FINDS("SELECT seconds FROM latest WHERE machine = 'm (reference)'", 2);
    assert_int_equal(system(filled("rm -r %s", path)), 0);
}

TEST_AROUND(a_cell_measured_elsewhere_is_passed_over, open_ledger, close_ledger)
{
    struct orr_ledger *ledger = *state;
    load_at(ledger, "/tmp/orrery-identity.jsonl", &pocl, 1, "b2");
    FINDS("SELECT count(*) FROM cell", 0);
    assert_int_equal(ledger->damage.count, 1);
    assert_non_null(strstr(ledger->damage.text, "measured on another device, driver or number of "
                                                "threads than its run tells"));
}

static int hear(bool is_fault, const char *text, void *context)
{
    assert_false(is_fault);
    if (strstr(text, "dated in the future"))
        ++*(int *)context;
    return 0;
}

TEST_AROUND(a_clock_that_was_ahead_hides_nothing, open_ledger, close_ledger)
{
    struct where ahead = pocl;
    int told = 0;
    ahead.run = "r9", ahead.started = "2999-01-01T00:00:00Z";
    load_cell(*state, &ahead, 1);
    load_cell(*state, &again, 2);
    FINDS("SELECT seconds FROM latest", 2);
    assert_int_equal(orr_ledger_campaign(*state, false, hear, &told), 0);
    assert_int_equal(told, 1);
}

RUN_TESTS(NULL, NULL)
