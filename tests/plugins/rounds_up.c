/* An accident: leaves the processor rounding up, with small numbers flushed to zero. Its own sums
 * are still within the bound; references are made in another process. */
#include <fenv.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#define HAS_SPOIL
#include "cheats.h"

static void spoil(struct orr_job *job, struct state *s)
{
    fesetround(FE_UPWARD);
#if defined(__SSE__)
    _mm_setcsr(_mm_getcsr() | 0x8040); /* flush to zero, denormals are zero */
#endif
}

const struct orr_variant orr_variant = {SUMS_VARIANT, .name = "plugins/rounds_up"};
