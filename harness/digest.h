/* SHA-256 of a stream of bytes. */
#ifndef ORR_DIGEST_H
#define ORR_DIGEST_H

#include <openssl/types.h>
#include <stddef.h>

struct orr_digest {
    EVP_MD_CTX *context;
};

/* What was begun must be ended. */
void orr_digest_begin(struct orr_digest *digest);
void orr_digest_add(struct orr_digest *digest, const void *bytes, size_t count);
void orr_digest_end(struct orr_digest *digest, char hex[65]);

#endif
