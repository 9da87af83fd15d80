#include "digest.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = 64 };

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

#define SHA __attribute__((target("sha,sse4.1,ssse3")))

/* FIPS 180-4, section 4.2.2. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/* Asked once: a virtual machine takes long to answer. */
static bool have_instructions(void)
{
    static int known; /* 1: yes, -1: no */
    unsigned a, b, c, d;
    int now = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (!now) {
        now = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 29 & 1) &&
                      __builtin_cpu_supports("sse4.1")
                  ? 1
                  : -1;
        __atomic_store_n(&known, now, __ATOMIC_RELAXED);
    }
    return now > 0;
}

/* Sixteen times four rounds; the instructions keep a, b, e, f and c, d, g, h together. */
SHA static void add_blocks(uint32_t state[8], const unsigned char *bytes, size_t blocks)
{
    const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i abef = _mm_set_epi32((int)state[0], (int)state[1], (int)state[4], (int)state[5]),
            cdgh = _mm_set_epi32((int)state[2], (int)state[3], (int)state[6], (int)state[7]);
    for (; blocks > 0; blocks--, bytes += BLOCK) {
        __m128i w[4], before[2] = {abef, cdgh};
#pragma GCC unroll 16
        for (int k = 0; k < 16; k++) {
            __m128i *now = &w[k % 4], last = w[(k + 3) % 4];
            if (k < 4)
                *now = _mm_shuffle_epi8(
                    _mm_loadu_si128((const __m128i *)(const void *)(bytes + (size_t)k * 16)),
                    order);
            else
                *now =
                    _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(*now, w[(k + 1) % 4]),
                                                       _mm_alignr_epi8(last, w[(k + 2) % 4], 4)),
                                         last);
            __m128i mixed = _mm_add_epi32(
                *now, _mm_loadu_si128((const __m128i *)(const void *)(constants + (size_t)k * 4)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, mixed);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(mixed, 0x0e));
        }
        abef = _mm_add_epi32(abef, before[0]);
        cdgh = _mm_add_epi32(cdgh, before[1]);
    }
    uint32_t out[2][4];
    _mm_storeu_si128((__m128i *)(void *)out[0], abef);
    _mm_storeu_si128((__m128i *)(void *)out[1], cdgh);
    for (int k = 0; k < 2; k++) {
        state[k] = out[0][3 - k];
        state[4 + k] = out[0][1 - k];
        state[2 + k] = out[1][3 - k];
        state[6 + k] = out[1][1 - k];
    }
}
#else
static bool have_instructions(void)
{
    return false;
}

static void add_blocks(uint32_t state[8], const unsigned char *bytes, size_t blocks)
{
    (void)state;
    (void)bytes;
    (void)blocks;
}
#endif

void orr_digest_begin(struct orr_digest *digest, bool own)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    *digest = (struct orr_digest){.own = own && have_instructions()};
    memcpy(digest->state, start, sizeof start);
    if (!digest->own)
        SHA256Init(&digest->library);
}

void orr_digest_add(struct orr_digest *digest, const unsigned char *bytes, size_t count)
{
    if (!digest->own) {
        SHA256Update(&digest->library, bytes, count);
        return;
    }
    size_t used = digest->bytes % BLOCK;
    digest->bytes += count;
    if (used) {
        size_t more = count < BLOCK - used ? count : BLOCK - used;
        memcpy(digest->waiting + used, bytes, more);
        bytes += more;
        count -= more;
        if (used + more == BLOCK)
            add_blocks(digest->state, digest->waiting, 1);
    }
    add_blocks(digest->state, bytes, count / BLOCK);
    if (count % BLOCK)
        memcpy(digest->waiting, bytes + count / BLOCK * BLOCK, count % BLOCK);
}

/* A bit, zeros, and how many bits there were, to whole blocks. */
void orr_digest_end(struct orr_digest *digest, char hex[65])
{
    static const unsigned char zeros[BLOCK], bit = 0x80;
    unsigned char length[8];
    if (!digest->own) {
        SHA256End(&digest->library, hex);
        return;
    }
    for (int k = 0; k < 8; k++)
        length[k] = (unsigned char)((uint64_t)digest->bytes * 8 >> (56 - 8 * k));
    orr_digest_add(digest, &bit, 1);
    orr_digest_add(digest, zeros, (2 * BLOCK - 8 - digest->bytes % BLOCK) % BLOCK);
    orr_digest_add(digest, length, sizeof length);
    for (int k = 0; k < 8; k++)
        snprintf(hex + 8 * (size_t)k, 9, "%08x", digest->state[k]);
}
