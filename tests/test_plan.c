/* SPDX-License-Identifier: MIT */
/* Planning: from a request to cells. */
#include "tests/cases.h"
#include "tests/home_for_tests.h"
#include "tests/plan_for_tests.h"

static int on_device(const char *device)
{
    int count = 0;
    for (size_t k = 0; k < plan.count; k++)
        count += !strcmp(plan.cells[k].device, device);
    return count;
}

TEST_AROUND(everything_of_an_experiment, NULL, end)
{
    PLANS(6, .what = {"plugins/table"});
    assert_int_equal(on_device("host"), 3);
    assert_int_equal(on_device("cuda:0"), 3);
    const struct orr_cell *cell = &plan.cells[0];
    assert_string_equal(cell->experiment, "plugins/table");
    assert_string_equal(cell->dataset, "figure-eight-3");
    assert_int_equal(cell->n, 1200);
    assert_int_equal(cell->seed, 1);
    assert_int_equal(cell->setting_count, 0);
    assert_true(cell->keep_bodies && cell->bound.median == 1e-5 && cell->bound.p99 == 1e-4 &&
                cell->bound.max == 1e-2);
    assert_true(cell->policy.min_samples == 5 && cell->policy.time_limit_s == 0.7 &&
                cell->timeout_s == 300);
    for (size_t k = 0; k < plan.count;
         k++) /* data sets in their order: a reference serves all of its group */
        assert_string_equal(plan.cells[k].dataset, plan.cells[k / 2 * 2].dataset);
}

TEST_AROUND(what_is_chosen_by_name, NULL, end)
{
    PLANS(7, .what = {"plugins/good"});
    PLANS(3, .what = {"plugins/good"}, .only = {"table"});
    PLANS(15, .what = {"plugins"});
    PLANS(14, .what = {"plugins/*"}, .exclude = {"*/broken"});
    PLANS(6, .what = {"plugins/table", "plugins/table"});
    REFUSES(
        ORR_EUSAGE,
        "there is no paper, experiment or variant 'plugins/tabel'; did you mean 'plugins/table'?",
        .what = {"plugins/tabel"});
    REFUSES(ORR_EUSAGE, "'plugin'; did you mean 'plugins'?", .what = {"plugin"});
    REFUSES(ORR_EUSAGE, "'nothing/*'", .what = {"plugins/table", "nothing/*"});
    REFUSES(ORR_EUSAGE, "'plugins/exit_on_load' is in no experiment",
            .what = {"plugins/exit_on_load"});
    REFUSES(ORR_EUSAGE, "nothing asked for", .what = {NULL});
}

TEST_AROUND(presets_change_axes_and_policy, NULL, end)
{
    PLANS(6, .what = {"plugins/table"}, .preset = "smoke");
    assert_int_equal(plan.cells[0].n, 12);
    assert_string_equal(plan.cells[0].settings[0].value, "5");
    assert_true(plan.cells[0].policy.time_limit_s == 0.05 &&
                plan.cells[0].policy.long_samples == 7);
    assert_true(plan.cells[0].timeout_s == 9);
    PLANS(6, .what = {"plugins/table"}, .preset = "smoke", .timeout_s = 5);
    assert_true(plan.cells[0].timeout_s == 5);
    PLANS(6, .what = {"plugins/table"}, .preset = "paper", .timeout_s = 5);
    assert_int_equal(plan.cells[0].n, 1200);
    assert_true(plan.cells[0].policy.max_samples == 80 && plan.cells[0].timeout_s == 5);
    PLANS(8, .what = {"plugins/sizes"});
    assert_true(plan.cells[0].timeout_s == 300);
    assert_true(plan.cells[0].policy.time_limit_s == 0.5);
    PLANS(8, .what = {"plugins/sizes"},
          .sampling = {.min_samples = 90, .time_limit_s = 3, .once = true});
    assert_true(plan.cells[0].policy.time_limit_s == 3 && plan.cells[0].policy.min_samples == 90);
    assert_true(plan.cells[0].once);
    assert_true(plan.cells[0].policy.insists && plan.cells[0].policy.long_samples == 90);
    assert_true(plan.cells[0].policy.max_samples > 100000); /* precision and time decide */
    PLANS(8, .what = {"plugins/sizes"}, .sampling = {.min_samples = 50});
    assert_true(plan.cells[0].policy.min_samples == 50 && plan.cells[0].policy.max_samples == 50);
    PLANS(8, .what = {"plugins/sizes"}, .sampling = {.precision = 0.001});
    assert_true(plan.cells[0].policy.min_samples == 5 && plan.cells[0].policy.precision == 0.001);
    PLANS(9, .what = {"plugins"}, .preset = "beyond");
    REFUSES(ORR_EUSAGE, "the preset beyond leaves out plugins/table", .what = {"plugins/table"},
            .preset = "beyond");
    REFUSES(ORR_EUSAGE, "no preset 'qick'; did you mean 'quick'?", .what = {"plugins"},
            .preset = "qick");
}

TEST_AROUND(devices_are_chosen, NULL, end)
{
    PLANS(9, .what = {"plugins/table"}, .device = {"opencl:0.0", "cuda:0"});
    assert_int_equal(on_device("host"), 3);
    assert_int_equal(on_device("opencl:0.0"), 3);
    PLANS(9, .what = {"plugins/table"}, .device = {"all"});
    PLANS(3, .what = {"plugins/table"}, .device = {"host"});
    assert_string_equal(plan.cells[0].variant, "plugins/good");
    PLANS(3, .what = {"plugins/kernels"}, .device = {"host"},
          .only = {"table"}); /* named: it shall say "unsupported" */
    assert_int_equal(on_device("host"), 3);
    PLANS(6, .what = {"plugins/table"}, .hidden = 1);
    assert_int_equal(on_device("opencl:0.0"), 3);
    setenv("OCL_ICD_VENDORS", "/nowhere", 1);
    PLANS(3, .what = {"plugins/table"}, .hidden = 2);
    unsetenv("OCL_ICD_VENDORS");
    assert_string_equal(plan.notes[0],
                        "OpenCL finds no platform: there is no driver (.icd) in /nowhere "
                        "(OCL_ICD_VENDORS); install one (Debian: pocl-opencl-icd, for the CPU), or "
                        "name its folder in OCL_ICD_VENDORS");
    assert_string_equal(
        plan.notes[1],
        "plugins/kernels is left out: no device here can run it (`orrery doctor` says more)");
    assert_null(plan.notes[2]);
    REFUSES(ORR_EUNSUPPORTED, "nothing that was asked for runs on", .what = {"plugins/kernels"},
            .hidden = 2);
    REFUSES(ORR_EUNSUPPORTED,
            "there is no device 'cuda:7' here; there is cuda:0 (a GPU), opencl:0.0 (a CPU), host",
            .what = {"plugins/table"}, .device = {"cuda:7"});
    PLANS(6, .what = {"plugins/table"}, .device = {"cuda:0"});
}

TEST_AROUND(axes_are_set, NULL, end)
{
    PLANS(6, .what = {"plugins/table"},
          .set = {"unroll=1,2", "mode=cas,native", "dataset=plummer"});
    for (size_t k = 0; k < plan.count;
         k++) /* `kernels` has no mode: its cells that differ only in it are one */
        assert_int_equal(plan.cells[k].setting_count,
                         strcmp(plan.cells[k].variant, "plugins/good") ? 1 : 2);
    PLANS(12, .what = {"plugins/table"}, .set = {"dataset=plummer", "n=10:40:*2", "seed=1,2"});
    PLANS(12, .what = {"plugins/table"}, .set = {"steps=0,1e1,10"});
    assert_string_equal(plan.cells[0].settings[0].name, "steps");
    PLANS(2, .what = {"plugins/table"}, .set = {"dataset=cartwheel", "n=18000,1.8e4"});
}

/* "n setting" of each cell, in the order of the plan. */
static const char *as_rows(void)
{
    const char *text = "";
    for (size_t k = 0; k < plan.count; k++) {
        const struct orr_cell *cell = &plan.cells[k];
        text = filled("%s%s%llu", text, k ? " " : "", (unsigned long long)cell->n);
        for (int s = 0; s < cell->setting_count; s++)
            text = filled("%s:%s", text, cell->settings[s].value);
    }
    return text;
}

TEST_AROUND(axes_vary_together, NULL, end)
{
    PLANS(2, .what = {"plugins/good"}, .only = {"*table*"},
          .set = {"dataset=plummer", "n,unroll=10:4,20:2"});
    assert_string_equal(as_rows(), "10:4 20:2");
    /* Several of them, and one alone, as a product. */
    PLANS(
        8, .what = {"plugins/good"}, .only = {"*table*"},
        .set = {"n,unroll=10:1,20:2", "steps,mode=0:cas,1:native", "dataset=plummer", "seed=1,2"});
    assert_string_equal(as_rows(), "10:1:0:cas 10:1:0:cas 20:2:0:cas 20:2:0:cas 10:1:1:native "
                                   "10:1:1:native 20:2:1:native 20:2:1:native");
    /* Where a variant lacks one of them, rows that differ only in it are one cell. */
    PLANS(3, .what = {"plugins/table"}, .only = {"*kernels*"},
          .set = {"dataset=plummer", "n,mode=10:cas,10:native,20:cas,30:fixed"});
    PLANS(2, .what = {"plugins/good"}, .only = {"*table*"},
          .set = {"dataset,n=plummer:10,random-3d:20"});
    /* They replace the paper's axes, also the size's other names. */
    PLANS(2, .what = {"plugins/good"}, .only = {"*sizes*"}, .set = {"n,unroll=10:1,20:2"});
}

TEST_AROUND(what_is_set_is_checked, NULL, end)
{
    static const struct refused_set refused[] = {
        {"unroll", "--set unroll: write it as"},
        {"=3", "--set =3: write it as"},
        {"unroll=", "a value is missing"},
        {"unroll=1:8", "--set: axis 'unroll': '1:8' is no range"},
        {"stepz=1", "no axis or parameter 'stepz'; did you mean 'steps'?"},
        {"steps=-1",
         ": plugins/good: parameter 'steps' must be an integer from 0 to 1000, not '-1'"},
        {"mode=casx", "parameter 'mode' must be one of native|cas|fixed, not 'casx'"},
        {"dataset=plumer", "no data set 'plumer'; did you mean 'plummer'?"},
        {"n=1000", "plugins/table: figure-eight-3: n = 1000 is not a multiple of 3; the nearest "
                   "that is: 999"},
        {"n=-5", "n must be a whole number, not '-5'"},
        {"n=many", "n must be a whole number, not 'many'"},
        {"seed=1.5", "seed must be a whole number, not '1.5'"},
        {"n,unroll=10:1,20", "--set n,unroll: '20' has 1 value for 2 axes"},
        {"n,unroll=10:1:2", "'10:1:2' has 3 values for 2 axes"},
        {"n,unroll=10:40:*2", "'*2' in '10:40:*2' is no single value; axes that vary together "
                              "take neither ranges nor wildcards"},
        {"n,unroll,steps=10:40:+2", "'+2' in '10:40:+2' is no single value"},
        {"dataset,n=plum*:3", "'plum*' in 'plum*:3' is no single value"},
        {"n,unrol=10:1", "no axis or parameter 'unrol'; did you mean 'unroll'?"},
        {"n,per_box=10:1", "n and per_box both say how many bodies there are"},
        {"n,unroll=10:1,", "--set n,unroll: a value is missing in '10:1,'"},
        {"n,unroll=10:", "a value is missing in '10:'"},
        {"n,unroll=", "a value is missing"},
        {"n,=10:1", "write it as"},
        {",n=10:1", "write it as"},
        {"n,unroll", "--set n,unroll: write it as"},
        {"n,unroll=x:1", "n must be a whole number, not 'x'"},
        {"n,unroll=10:x", "parameter 'unroll' must be"},
    };
    refuse_sets("plugins/good", refused, sizeof refused / sizeof *refused);
    REFUSES(ORR_EUSAGE, "plummer: n = 0 is out of range; it takes 1 to 1000000000 bodies",
            .what = {"plugins/good"}, .set = {"n=0", "dataset=plummer"});
    PLANS(1, .what = {"plugins/good"}, .set = {"n=1", "dataset=plummer"}, .only = {"table"});
    char many[2][1024] = {"n,seed=1:1", "unroll,steps=1:1"};
    for (int k = 1; k < 150; k++)
        for (int s = 0; s < 2; s++)
            strcat(many[s], ",1:1");
    REFUSES(ORR_EUSAGE, "--set makes more than 20000 combinations", .what = {"plugins/good"},
            .set = {many[0], many[1]});
}

TEST_AROUND(cells_are_filtered, NULL, end)
{
    PLANS(3, .what = {"plugins/table"}, .only = {"good"});
    PLANS(3, .what = {"plugins/table"}, .exclude = {"plugins/good"});
    PLANS(2, .what = {"plugins/table"}, .only = {"plummer"});
    PLANS(3, .what = {"plugins/table"}, .only = {"cuda*"});
    PLANS(1, .what = {"plugins/table"}, .only = {"plugins/table plugins/good figure-eight-4 host"});
    PLANS(4, .what = {"plugins/table"}, .only = {"*eight*"});
    PLANS(2, .what = {"plugins/table"}, .only = {"*eight*"}, .exclude = {"host"});
    REFUSES(ORR_EUSAGE, "--only and --exclude leave none of 6 cells", .what = {"plugins/table"},
            .only = {"goood"});
}

/* The schedule measures them in random orders. */
TEST_AROUND(the_order_is_no_matter_of_the_seed, NULL, end)
{
    const struct ask ask = {
        .what = {"plugins/good"}, .set = {"unroll=1:8:+1", "n=300", "dataset=plummer"}, .seed = 5};
    RELEASED_BY(orr_plan_release) struct orr_plan other;
    assert_int_equal(plan_for(&plan, ask), 0);
    struct ask changed = ask;
    changed.seed = 6;
    assert_int_equal(plan_for(&other, changed), 0);
    assert_int_equal(plan.count, 16);
    for (size_t k = 0; k < plan.count; k++)
        assert_string_equal(plan.cells[k].id, other.cells[k].id);
}

TEST_AROUND(presets_say_how_often, NULL, end)
{
    assert_int_equal(plan_for(&plan, (struct ask){.what = {"plugins/good"}}), 0);
    assert_int_equal(plan.rounds, orr_plan_preset_policy("quick")->repeats);
    assert_int_equal(orr_plan_preset_policy("smoke")->repeats, 1);
    assert_int_equal(orr_plan_preset_policy("quick")->repeats, 3);
    assert_int_equal(orr_plan_preset_policy("paper")->repeats, 5);
}

static const struct orr_cell *find_cell(const char *variant, uint64_t n)
{
    for (size_t k = 0; k < plan.count; k++)
        if (!strcmp(plan.cells[k].variant, variant) && plan.cells[k].n == n)
            return &plan.cells[k];
    fail_msg("%s at n = %d is not planned", variant, (int)n);
    return NULL;
}

static void check_scaled(const char *variant, uint64_t n, uint64_t from)
{
    const struct orr_cell *cell = find_cell(variant, n), *source = find_cell(variant, from);
    assert_string_equal(cell->extrapolate_from, source->id);
    assert_true(source < cell);
    assert_string_equal(source->extrapolate_from, "");
}

TEST_AROUND(limits_scale_large_cells, NULL, end)
{
    PLANS(8, .what = {"plugins/sizes"});
    check_scaled("plugins/good", 4000, 2000);
    check_scaled("plugins/good", 8000, 2000);
    check_scaled("plugins/kernels", 8000, 4000); /* on the GPU the limit is 6000 */
    assert_string_equal(find_cell("plugins/kernels", 4000)->extrapolate_from, "");
    PLANS(8, .what = {"plugins/sizes"}, .set = {"n=2000,4000,5000,6000"}, .device = {"opencl:0.0"});
    check_scaled("plugins/kernels", 5000, 4000);
    PLANS(8, .what = {"plugins/sizes"},
          .preset = "paper"); /* nothing small enough to scale from: all is measured */
    for (size_t k = 0; k < plan.count; k++)
        assert_string_equal(plan.cells[k].extrapolate_from, "");
    PLANS(4, .what = {"plugins/good"}, .set = {"n=2000,5000", "unroll=1,2"}, .only = {"sizes"});
    for (size_t k = 0; k < plan.count; k++)
        for (size_t j = 0; j < plan.count; j++)
            if (!strcmp(plan.cells[k].extrapolate_from, plan.cells[j].id))
                assert_string_equal(plan.cells[k].settings[0].value,
                                    plan.cells[j].settings[0].value);
}

TEST_AROUND(a_broken_plugin_costs_only_its_cells, NULL, end)
{
    PLANS(7, .what = {"plugins/table", "plugins/broken"});
    assert_string_equal(plan.cells[6].variant, "plugins/crash_on_load");
    assert_non_null(
        strstr(plan.notes[0],
               "plugins/crash_on_load cannot be used, its cells will fail: loading the plugin"));
    assert_non_null(strstr(plan.notes[0], "Segmentation fault"));
    assert_null(plan.notes[1]);
    PLANS(1, .what = {"plugins/broken"}, .set = {"whatever=3"}); /* nobody knows its parameters */
}

TEST_AROUND(a_broken_paper_is_the_business_of_those_who_ask, NULL, end)
{
    write_paper("another", "paper: another\nbroken\n");
    PLANS(6, .what = {"plugins/table"});
    REFUSES(ORR_EINPUT, "variants/another/paper.yaml:", .what = {"another/x"});
    REFUSES(ORR_EINPUT, "variants/another/paper.yaml:", .what = {"*"});
    REFUSES(ORR_EUSAGE, "there is no paper, experiment or variant 'anothr'", .what = {"anothr"});
    remove_paper("another");
}

TEST_AROUND(requests_survive_json, NULL, end)
{
    char *what[] = {"a", "b/c"}, *set[] = {"n=1,2"}, *only[] = {"x*"};
    const struct orr_request request = {.what = {what, 2},
                                        .set = {set, 1},
                                        .sampling = {7, 0.25, 1.5, true},
                                        .shard = {2, 4, ""},
                                        .globs = {.only = {only, 1}},
                                        .timeout_s = 1.5,
                                        .repeats = 4,
                                        .seed = 9};
    struct orr_request back;
    json_auto_t *json = orr_request_to_json(&request);
    assert_int_equal(orr_request_from_json(&back, json), 0);
    json_auto_t *again = orr_request_to_json(&back);
    assert_true(json_equal(json, again));
    assert_int_equal(json_object_size(json_object_get(json, "sampling")), 4);
    assert_null(back.preset);
    assert_true(back.what.count == 2 && !strcmp(back.what.items[1], "b/c") &&
                back.timeout_s == 1.5 && back.repeats == 4 && back.seed == 9 &&
                back.shard.number == 2 && back.shard.of == 4);
    orr_request_release(&back);
    json_object_del(again, "repeats"); /* of a journal from before there were rounds */
    assert_int_equal(orr_request_from_json(&back, again), 0);
    assert_int_equal(back.repeats, 1);
    orr_request_release(&back);
    json_object_set_new(again, "repeats", json_integer(-3));
    assert_int_equal(orr_request_from_json(&back, again), ORR_EINPUT);
    orr_error_clear();
    json_object_del(again, "repeats");
    json_object_set_new(again, "shard", json_string("5/4"));
    assert_fails(orr_request_from_json(&back, again), ORR_EUSAGE, "request: --shard takes I/N");
    json_object_del(again, "shard");
    json_object_set_new(again, "set", json_pack("[i]", 3));
    assert_fails(orr_request_from_json(&back, again), ORR_EINPUT,
                 "'set' holds something that is no text");
    assert_int_equal(orr_request_from_json(&back, json_object_get(json, "what")), ORR_EINPUT);
}

/* A run that was begun with what is gone cannot go on as it began. */
TEST(what_is_gone_is_said)
{
    static const char *const gone[][2] = {{"cold", "--cold, which is gone"},
                                          {"lock_clocks_mhz", "--lock-clocks, which is gone"}};
    for (size_t k = 0; k < 2; k++) {
        struct orr_request back;
        json_auto_t *json = json_pack("{s:{s:i}}", "sampling", gone[k][0], 0);
        assert_fails(orr_request_from_json(&back, json), ORR_EUSAGE, gone[k][1]);
        orr_error_clear();
    }
}

static int set_up(void **state)
{
    return use_paper("plan");
}

RUN_TESTS(set_up, forget_paper)
