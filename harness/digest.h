/* SHA-256 of a stream of bytes, by the processor's own instructions where it has them: bodies are
 * gigabytes, and a library's C takes as long as to make them. */
#ifndef ORR_DIGEST_H
#define ORR_DIGEST_H

#include <sha256.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct orr_digest {
    bool own; /* by instructions, else by the library */
    SHA2_CTX library;
    uint32_t state[8];
    unsigned char waiting[64]; /* less than a block */
    size_t bytes;
};

/* `own` is a wish: true takes the instructions where there are any. */
void orr_digest_begin(struct orr_digest *digest, bool own);
void orr_digest_add(struct orr_digest *digest, const unsigned char *bytes, size_t count);
void orr_digest_end(struct orr_digest *digest, char hex[65]);

#endif
