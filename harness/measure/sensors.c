#include "measure/sensors.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "error.h"
#include "clock.h"
#include "measure/sensors_read.h"

enum { PERIOD_MS = 50, MAX_READINGS = 1 << 16 };

struct timed_reading {
    double at; /* orr_clock_now */
    struct orr_reading reading;
};

struct orr_sensors {
    struct orr_sensor sensor;
    bool present, running, stop;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct timed_reading *readings;
    int count, capacity;
};

/* A limit that a user set is told but does not spoil a sample; idleness is neither. */
static const unsigned long long spoils = ORR_REASON_POWER_CAP | ORR_REASON_HW_SLOWDOWN |
                                         ORR_REASON_SYNC_BOOST | ORR_REASON_SW_THERMAL |
                                         ORR_REASON_HW_THERMAL | ORR_REASON_POWER_BRAKE;
static const struct {
    unsigned long long bit;
    const char *name;
} reasons[] = {
    {ORR_REASON_SETTING, "clock setting"},         {ORR_REASON_POWER_CAP, "power cap"},
    {ORR_REASON_HW_SLOWDOWN, "hardware slowdown"}, {ORR_REASON_SYNC_BOOST, "sync boost"},
    {ORR_REASON_SW_THERMAL, "software thermal"},   {ORR_REASON_HW_THERMAL, "hardware thermal"},
    {ORR_REASON_POWER_BRAKE, "power brake"},
};

/* Called with the lock held. Beyond MAX_READINGS, an hour, nothing is added. */
static void add(struct orr_sensors *s, const struct timed_reading *reading)
{
    if (s->count == s->capacity && s->capacity < MAX_READINGS) {
        int capacity = s->capacity ? 2 * s->capacity : 256;
        struct timed_reading *grown = realloc(s->readings, (size_t)capacity * sizeof *grown);
        if (grown) {
            s->readings = grown;
            s->capacity = capacity;
        }
    }
    if (s->count < s->capacity)
        s->readings[s->count++] = *reading;
}

static void *sample(void *argument)
{
    struct orr_sensors *s = argument;
    pthread_mutex_lock(&s->lock);
    while (!s->stop) {
        struct timed_reading now;
        struct timespec next;
        pthread_mutex_unlock(&s->lock);
        orr_sensors_read(&s->sensor, &now.reading);
        now.at = orr_clock_now();
        clock_gettime(CLOCK_MONOTONIC, &next);
        next.tv_nsec += PERIOD_MS * 1000000L;
        next.tv_sec += next.tv_nsec / 1000000000L;
        next.tv_nsec %= 1000000000L;
        pthread_mutex_lock(&s->lock);
        add(s, &now);
        while (!s->stop && !pthread_cond_timedwait(&s->wake, &s->lock, &next))
            ;
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

int orr_sensors_start(struct orr_sensors **out, const struct orr_device_info *info)
{
    pthread_condattr_t monotonic;
    struct orr_sensors *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return orr_fail(ORR_EMEMORY, "no memory for the sensors");
    pthread_mutex_init(&s->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&s->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    s->present = orr_sensors_find(&s->sensor, info);
    s->running = s->present && !pthread_create(&s->thread, NULL, sample, s);
    if (s->present && !s->running) {
        json_decref(orr_sensors_stop(s));
        return orr_fail(ORR_EMEMORY, "cannot start the thread that reads the sensors");
    }
    *out = s;
    return 0;
}

bool orr_sensors_throttled_since(struct orr_sensors *s, double t0, double t1)
{
    bool found = false;
    if (!s || !s->running)
        return false;
    pthread_mutex_lock(&s->lock);
    for (int k = s->count - 1; k >= 0; k--) {
        double at = s->readings[k].at;
        if (at <= t1 && s->readings[k].reading.reasons & spoils)
            found = true;
        if (found || at < t0) /* the last reading before t0 still holds at t0 */
            break;
    }
    pthread_mutex_unlock(&s->lock);
    return found;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum member { CLOCK, POWER, TEMPERATURE };

/* The sorted values of one sensor; returns how many. */
static int sorted(const struct orr_sensors *s, enum member member, double *out)
{
    int count = 0;
    for (int k = 0; k < s->count; k++) {
        const struct orr_reading *r = &s->readings[k].reading;
        double value = member == CLOCK   ? r->clock_mhz
                       : member == POWER ? r->power_w
                                         : r->temperature_c;
        if (!isnan(value))
            out[count++] = value;
    }
    qsort(out, (size_t)count, sizeof *out, ascending);
    return count;
}

static int describe(const struct orr_sensors *s, double *values, json_t *out)
{
    unsigned long long seen = 0;
    json_t *names = json_array();
    int bad = !names || json_object_set_new(out, "samples", json_integer(s->count));
    int count = sorted(s, CLOCK, values);
    if (count)
        bad |= json_object_set_new(out, "clock_mhz_median", json_real(values[count / 2])) |
               json_object_set_new(out, "clock_mhz_min", json_real(values[0]));
    if ((count = sorted(s, POWER, values)))
        bad |= json_object_set_new(out, "power_w_median", json_real(values[count / 2]));
    if ((count = sorted(s, TEMPERATURE, values)))
        bad |= json_object_set_new(out, "temperature_c_max", json_real(values[count - 1]));
    for (int k = 0; k < s->count; k++)
        seen |= s->readings[k].reading.reasons;
    for (size_t k = 0; names && k < sizeof reasons / sizeof *reasons; k++)
        if (seen & reasons[k].bit)
            bad |= json_array_append_new(names, json_string(reasons[k].name));
    return bad | json_object_set_new(out, "throttle_reasons", names);
}

json_t *orr_sensors_stop(struct orr_sensors *s)
{
    json_t *out = json_object();
    if (!s)
        return out;
    if (s->running) {
        pthread_mutex_lock(&s->lock);
        s->stop = true;
        pthread_cond_signal(&s->wake);
        pthread_mutex_unlock(&s->lock);
        pthread_join(s->thread, NULL);
    }
    double *values = s->count ? malloc((size_t)s->count * sizeof *values) : NULL;
    if (out && values && describe(s, values, out)) {
        json_decref(out);
        out = NULL;
    }
    free(values);
    pthread_cond_destroy(&s->wake);
    pthread_mutex_destroy(&s->lock);
    free(s->readings);
    free(s);
    return out;
}
