/* HDF5 can read files from Amazon S3 and links curl and OpenSSL for it, and with them the better
 * part of what a bundle would carry. Orrery reads files of this machine only, and a bundle takes
 * this in their place: whoever asks for S3 all the same gets an error, as without a network.
 */
#include <stddef.h>

int curl_global_init(long flags);
void curl_global_cleanup(void);
void *curl_easy_init(void);
void curl_easy_cleanup(void *handle);
int curl_easy_perform(void *handle);
int curl_easy_setopt(void *handle, int option, ...);
void *curl_slist_append(void *list, const char *text);
void curl_slist_free_all(void *list);
const void *EVP_sha256(void);
unsigned char *HMAC(const void *kind, const void *key, int key_size, const unsigned char *data,
                    size_t size, unsigned char *out, unsigned int *out_size);
unsigned char *SHA256(const unsigned char *data, size_t size, unsigned char *out);

enum { FAILED = 2 }; /* CURLE_FAILED_INIT */

int curl_global_init(long flags)
{
    (void)flags;
    return FAILED;
}

void curl_global_cleanup(void)
{
}

void *curl_easy_init(void)
{
    return NULL;
}

void curl_easy_cleanup(void *handle)
{
    (void)handle;
}

int curl_easy_perform(void *handle)
{
    (void)handle;
    return FAILED;
}

int curl_easy_setopt(void *handle, int option, ...)
{
    (void)handle;
    (void)option;
    return FAILED;
}

void *curl_slist_append(void *list, const char *text)
{
    (void)list;
    (void)text;
    return NULL;
}

void curl_slist_free_all(void *list)
{
    (void)list;
}

const void *EVP_sha256(void)
{
    return NULL;
}

unsigned char *HMAC(const void *kind, const void *key, int key_size, const unsigned char *data,
                    size_t size, unsigned char *out, unsigned int *out_size)
{
    (void)kind, (void)key, (void)key_size, (void)data, (void)size, (void)out, (void)out_size;
    return NULL;
}

unsigned char *SHA256(const unsigned char *data, size_t size, unsigned char *out)
{
    (void)data, (void)size, (void)out;
    return NULL;
}
