#include "waiting.h"

#include "clock.h"
#include "terminal.h"

static const double AFTER_S = 1;

void orr_waiting_begin(struct orr_waiting *out, FILE *to)
{
    *out = (struct orr_waiting){.to = orr_terminal_moves(to) ? to : NULL, .since = orr_clock_now()};
}

void orr_waiting_at(struct orr_waiting *waiting, const char *what, const char *name, size_t place,
                    size_t count)
{
    if (!waiting->to || orr_clock_now() - waiting->since < AFTER_S)
        return;
    char line[256];
    snprintf(line, sizeof line, "%s: %s (%zu of %zu)", what, name, place + 1, count);
    fprintf(waiting->to, "\r\033[K%s",
            orr_terminal_cut(line, orr_terminal_columns(waiting->to) - 1));
    fflush(waiting->to);
    waiting->shown = true;
}

void orr_waiting_end(struct orr_waiting *waiting)
{
    if (waiting->shown) {
        fputs("\r\033[K", waiting->to);
        fflush(waiting->to);
    }
    waiting->shown = false;
}
