/* Bodies and views for the tests of pictures. */
#ifndef RENDER_FOR_TESTS_H
#define RENDER_FOR_TESTS_H

#include "format_files.h"
#include "render/render.h"

enum { WIDTH = 40, HEIGHT = 30 };

static inline struct orr_rng numbers(uint64_t stream)
{
    return orr_rng_make(seed, stream, 0);
}

static inline struct orr_bodies some_bodies(size_t n, int dimensions, uint64_t stream)
{
    struct orr_bodies b;
    struct orr_rng rng = numbers(stream);
    assert_int_equal(orr_bodies_make(&b, n, dimensions), 0);
    for (size_t i = 0; i < n; i++) {
        for (int d = 0; d < dimensions; d++)
            b.pos[d][i] = orr_rng_normal(&rng);
        b.mass[i] = 0.5 + orr_rng_uniform(&rng);
    }
    return b;
}

static inline struct orr_view unit_view(const char *plane)
{
    struct orr_view view = {.width = WIDTH, .height = HEIGHT, .low = {-2, 1}, .high = {2, 4}};
    assert_int_equal(orr_view_parse_plane(&view, plane), 0);
    return view;
}

#endif
