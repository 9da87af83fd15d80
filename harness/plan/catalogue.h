/* What there is to ask for: the papers with their experiments and variants, and the plugins built
 * without a paper. A malformed paper.yaml is skipped: its own commands report it. */
#ifndef ORR_CATALOGUE_H
#define ORR_CATALOGUE_H

/* Papers, experiments and variants, as `run` and `describe` accept them: "paper", "paper/name".
 * Sorted; free with orr_names_free. */
int orr_catalogue_names(char ***out);
/* 0 for a variant of a paper or a plugin, built or not; else ORR_EUSAGE with the nearest name. */
int orr_catalogue_check_variant(const char *name);

#endif
