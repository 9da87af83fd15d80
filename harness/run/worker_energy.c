#include "run/worker_energy.h"

#include <stdio.h>
#include <string.h>

#include "error.h"

double orr_energy_potential(const struct orr_bodies *bodies, const struct orr_forces *forces)
{
    double sum = 0;
    for (size_t i = 0; i < bodies->n; i++)
        sum += 0.5 * bodies->mass[i] * forces->phi[i];
    return sum;
}

/* The course's settings with steps = 0. Returns how many there are. */
static int settings_at_rest(struct orr_setting out[ORR_MAX_SETTINGS + 1],
                            const struct orr_course *course)
{
    int count = 0;
    for (int k = 0; k < course->setting_count; k++)
        if (strcmp(course->settings[k].name, "steps") != 0)
            out[count++] = course->settings[k];
    out[count] = (struct orr_setting){.name = "steps", .value = "0"};
    return count + 1;
}

int orr_course_energy(struct orr_course *course)
{
    if (course->steps == 0 || course->bodies->n <= ORR_ENERGY_LIMIT || !course->forces.has_phi)
        return 0;
    orr_course_dismiss(course);
    struct orr_setting settings[ORR_MAX_SETTINGS + 1];
    struct orr_course start = {.stock = course->stock,
                               .variant = course->variant,
                               .device = course->device,
                               .bodies = course->bodies,
                               .sha256 = course->sha256,
                               .settings = settings,
                               .setting_count = settings_at_rest(settings, course),
                               .bound = course->bound,
                               .targets = course->targets};
    int code = orr_course_configure(&start);
    if (!code)
        code = orr_course_prepare(&start);
    if (!code)
        code = orr_course_step(&start);
    if (!code)
        code = orr_course_fetch(&start);
    if (!code)
        code = orr_course_verify(&start);
    if (!code) {
        course->start.energy =
            course->start.kinetic + orr_energy_potential(course->bodies, &start.forces);
        course->end.energy =
            course->end.kinetic + orr_energy_potential(course->bodies, &course->forces);
    }
    orr_course_release(&start);
    course->own_s += start.own_s;
    return code ? orr_error_context("the energy at the start") : 0;
}
