#define _GNU_SOURCE
#include "CTrust.h"

#include <dlfcn.h>
#include <string.h>

#include "../../../Sources/CurlShim/include/CurlConstants.h"

extern int curl_easy_setopt(void *, int, ...);

static char *trusted;

void ct_trust(const char *file) { trusted = strdup(file); }

// Stands in front of libcurl's function of the same name, because `URLSession` on Linux cannot be told
// which authority to trust.
void *curl_easy_init(void) {
    void *(*real)(void) = (void *(*)(void))dlsym(RTLD_NEXT, "curl_easy_init");
    void *easy = real ? real() : NULL;
    if (easy && trusted) curl_easy_setopt(easy, PP_CURLOPT_CAINFO, trusted);
    return easy;
}
