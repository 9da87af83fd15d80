/* PAPI, where the build has it: event sets by name. It is started once a process, after libsde is
 * loaded, whose software-defined events it then knows. */
#ifndef ORR_PAPI_H
#define ORR_PAPI_H

struct orr_papi_set {
    int id;
};

/* 0, or ORR_EUNSUPPORTED: this build has no PAPI, or it does not start. */
int orr_papi_ready(void);
/* An empty set, to be closed also when this fails. ORR_EUNSUPPORTED with PAPI's own reason, like
 * all that follow. */
int orr_papi_open(struct orr_papi_set *out);
/* The set, which is empty and of events of the processor, also counts threads that this one makes
 * from now on. */
int orr_papi_inherit(const struct orr_papi_set *set);
int orr_papi_add(const struct orr_papi_set *set, const char *event);
int orr_papi_remove(const struct orr_papi_set *set, const char *event);
int orr_papi_start(const struct orr_papi_set *set);
/* One value for each event in the order of orr_papi_add. */
int orr_papi_stop(const struct orr_papi_set *set, long long *values);
void orr_papi_close(struct orr_papi_set *set);

#endif
