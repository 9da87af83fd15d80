#include "digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>

#include "error.h"

/* Only memory can run out here: the algorithm is part of the library. */
static void insist(int done)
{
    if (done == 1)
        return;
    fputs("orrery: no memory to hash with SHA-256\n", stderr);
    exit(orr_error_exit(ORR_EMEMORY));
}

/* The machine's configuration of OpenSSL is not read: it says nothing of SHA-256, and a sandbox
 * forbids the file. */
void orr_digest_begin(struct orr_digest *digest)
{
    insist(OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL));
    digest->context = EVP_MD_CTX_new();
    insist(digest->context && EVP_DigestInit_ex(digest->context, EVP_sha256(), NULL));
}

void orr_digest_add(struct orr_digest *digest, const void *bytes, size_t count)
{
    insist(EVP_DigestUpdate(digest->context, bytes, count));
}

void orr_digest_end(struct orr_digest *digest, char hex[65])
{
    unsigned char bytes[32];
    insist(EVP_DigestFinal_ex(digest->context, bytes, NULL));
    EVP_MD_CTX_free(digest->context);
    for (size_t k = 0; k < sizeof bytes; k++)
        snprintf(hex + 2 * k, 3, "%02x", bytes[k]);
}
