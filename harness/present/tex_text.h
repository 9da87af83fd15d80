/* Text for TeX, and about how wide it is. */
#ifndef ORR_TEX_TEXT_H
#define ORR_TEX_TEXT_H

#include <stdio.h>

/* The text with everything escaped that TeX reserves or its fonts lack. */
void orr_tex_text(FILE *to, const char *text);
/* About its width in em, rather too much. */
double orr_tex_width(const char *text);
/* The same of its longest part without a place to break the line. */
double orr_tex_longest_word(const char *text);

#endif
