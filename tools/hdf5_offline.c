/* SPDX-License-Identifier: MIT */
/* HDF5 can read files from Amazon S3 and links curl for it, and with it the better part of what a
 * bundle would carry. Orrery reads files of this machine only, and a bundle takes this in its
 * place: whoever asks for S3 all the same gets an error, as without a network. */
#include <stddef.h>

int curl_global_init(long flags);
void curl_global_cleanup(void);
void *curl_easy_init(void);
void curl_easy_cleanup(void *handle);
int curl_easy_perform(void *handle);
int curl_easy_setopt(void *handle, int option, ...);
void *curl_slist_append(void *list, const char *text);
void curl_slist_free_all(void *list);

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
