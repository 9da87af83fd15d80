/* SPDX-License-Identifier: MIT */
/* The energy of many bodies, from a variant's own potentials. The variant here, plugins/spring,
 * holds every body to the origin by a spring, whose motion and energy are known exactly. */
#include "referee/cell_run.h"
#include "referee/cell_record.h"
#include "tests/cases.h"
#include "tests/random_for_tests.h"
#include "tests/home_for_tests.h"
#include "tests/referee_for_tests.h"
#include "tests/verify_for_tests.h"

struct scene {
    struct orr_referee *referee;
    struct orr_bodies bodies;
    char sha[65];
    struct orr_cell_run run;
};

/* A run that has arrived and been verified, as orr_cell_run_energy wants it. */
static void arrive(struct scene *scene, size_t n, const struct orr_setting *settings,
                   int setting_count)
{
    scene->referee = make_referee();
    scene->bodies = cloud(n, seed);
    orr_bodies_sha256(&scene->bodies, scene->sha);
    scene->run = (struct orr_cell_run){.referee = scene->referee,
                                       .variant = "plugins/spring",
                                       .device = "host",
                                       .bodies = &scene->bodies,
                                       .sha256 = scene->sha,
                                       .setting_count = setting_count,
                                       .bound = {1e30, 1e30, 1e30, false},
                                       .targets = {.count = 16, .seed = seed}};
    for (int k = 0; k < setting_count; k++)
        scene->run.settings[k] = settings[k];
    scene->bodies.eps = 0.1;
    assert_int_equal(set_out(&scene->run), 0);
    assert_int_equal(step_once(&scene->run), 0);
    assert_int_equal(orr_cell_run_verify(&scene->run), 0);
}

static void leave(struct scene *scene)
{
    orr_cell_run_release(&scene->run);
    end_referee(scene->referee);
    orr_bodies_release(&scene->bodies);
}

/* The member `name` of the record's `conservation`. */
static double recorded(const struct orr_cell_run *run, const char *name, const char **source)
{
    static char kept[32];
    json_auto_t *record = json_object();
    orr_cell_record_errors(record, run, false);
    json_t *conservation = json_object_get(record, "conservation"),
           *value = json_object_get(conservation, name);
    const char *text = json_string_value(json_object_get(conservation, "energy_source"));
    snprintf(kept, sizeof kept, "%s", text ? text : "");
    *source = kept;
    double number = json_is_number(value) ? json_number_value(value) : NAN;
    return number;
}

TEST(many_bodies_by_their_potentials)
{
    const struct orr_setting settings[] = {{"steps", "7"}, {"dt", "0.3"}};
    RELEASED_BY(leave) struct scene scene;
    const char *source;
    double expected = 0;
    arrive(&scene, ORR_ENERGY_LIMIT + 1, settings, 2);
    assert_true(isnan(recorded(&scene.run, "energy_start", &source)));
    assert_string_equal(source, "");
    for (size_t i = 0; i < scene.bodies.n; i++)
        for (int d = 0; d < 3; d++)
            expected += 0.5 * scene.bodies.mass[i] *
                        (pow(scene.bodies.pos[d][i], 2) + pow(scene.bodies.vel[d][i], 2));
    assert_int_equal(orr_cell_run_energy(&scene.run), 0);
    assert_relative(recorded(&scene.run, "energy_start", &source), expected, 1e-6);
    assert_relative(recorded(&scene.run, "energy_end", &source), expected, 1e-6);
    assert_true(recorded(&scene.run, "energy_drift", &source) < 1e-6);
    assert_string_equal(source, "potentials");
}

/* Half the sum of the potentials is the sum over the pairs. */
TEST(potentials_add_up_to_pairs)
{
    BODIES b = cloud(500, seed);
    RELEASED_BY(orr_reference_release) struct orr_reference r = reference_of(&b, 0.01);
    RELEASED_BY(orr_verify_release_forces) struct orr_forces f = right_forces(&b, &r);
    struct orr_totals totals;
    struct orr_sources sources = sources_of(&b, 0.01);
    orr_reference_totals(&totals, &sources, (const double *const[3]){b.vel[0], b.vel[1], b.vel[2]});
    assert_relative(orr_cell_run_potential(&b, &f), totals.energy - totals.kinetic, 1e-6);
}

TEST(few_bodies_by_their_pairs)
{
    RELEASED_BY(leave) struct scene scene;
    const char *source;
    arrive(&scene, 50, NULL, 0);
    double before = recorded(&scene.run, "energy_start", &source);
    assert_true(isfinite(before));
    assert_string_equal(source, "pairs");
    assert_int_equal(orr_cell_run_energy(&scene.run), 0);
    assert_true(recorded(&scene.run, "energy_start", &source) == before);
}

TEST(nothing_without_potentials)
{
    const struct orr_setting settings[] = {{"mute", "1"}};
    RELEASED_BY(leave) struct scene scene;
    const char *source;
    arrive(&scene, ORR_ENERGY_LIMIT + 1, settings, 1);
    assert_int_equal(orr_cell_run_energy(&scene.run), 0);
    assert_true(isnan(recorded(&scene.run, "energy_drift", &source)));
    assert_string_equal(source, "");
}

/* Springs are no gravity: with a finite bound, the evaluation at the start is what is wrong. */
TEST(the_start_is_verified)
{
    RELEASED_BY(leave) struct scene scene;
    arrive(&scene, ORR_ENERGY_LIMIT + 1, NULL, 0);
    scene.run.bound = (struct orr_bound){.median = 1e-5, .p99 = 1e30, .max = 1e30};
    assert_fails(orr_cell_run_energy(&scene.run), ORR_EWRONG,
                 "the energy at the start: median error");
}

int main(void)
{
    use_test_plugins();
    return run_all(NULL, NULL);
}
