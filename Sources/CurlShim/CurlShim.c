#if defined(__linux__)

#define _GNU_SOURCE
#include "CurlShim.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// MARK: libcurl's own functions, as its headers declare them

typedef struct PPBlob {
    void *data;
    size_t len;
    unsigned int flags;
} PPBlob;

typedef struct PPMessage {
    int msg;
    PPEasy *easy;
    union {
        void *whatever;
        int result;
    } data;
} PPMessage;

extern int curl_global_init(long flags);
extern PPVersionInfo *curl_version_info(int age);
extern const char *curl_easy_strerror(int code);
extern PPEasy *curl_easy_init(void);
extern void curl_easy_cleanup(PPEasy *easy);
extern PPList *curl_slist_append(PPList *list, const char *line);
extern int curl_easy_pause(PPEasy *easy, int mask);
extern int curl_easy_setopt(PPEasy *easy, int option, ...);
extern int curl_easy_getinfo(PPEasy *easy, int info, ...);
extern PPMulti *curl_multi_init(void);
extern int curl_multi_cleanup(PPMulti *multi);
extern int curl_multi_setopt(PPMulti *multi, int option, ...);
extern int curl_multi_add_handle(PPMulti *multi, PPEasy *easy);
extern int curl_multi_remove_handle(PPMulti *multi, PPEasy *easy);
extern int curl_multi_socket_action(PPMulti *multi, int socket, int events, int *running);
extern PPMessage *curl_multi_info_read(PPMulti *multi, int *left);

// MARK: Global

void pp_with_curl_library(bool (*use)(void *library)) {
    if (use(dlopen("libcurl.so.4", RTLD_LAZY | RTLD_NOLOAD))) return;
    // The library has another name, or is part of the program.
    Dl_info info;
    if (!dladdr((const void *)&curl_multi_socket_action, &info) || !info.dli_fname) return;
    use(dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD));
}

// When the process exits, OpenSSL's handler frees all of its memory, even while other threads still close their connections.
// Without the handler, the system reclaims the memory at once.
static bool keep_tls_of(void *library) {
    if (!library) return false;
    int (*initialise)(uint64_t, const void *) =
        (int (*)(uint64_t, const void *))dlsym(library, "OPENSSL_init_crypto");
    // OPENSSL_INIT_NO_ATEXIT
    return initialise && initialise(0x00080000L, NULL);
}

int pp_global_init(void) {
    pp_with_curl_library(keep_tls_of);
    return curl_global_init(PP_CURL_GLOBAL_DEFAULT);
}

void pp_trace_http2(bool is_traced) {
    // Looked up at run time, because older libraries do not have it.
    static int (*trace)(const char *);
    if (!trace) trace = (int (*)(const char *))dlsym(RTLD_DEFAULT, "curl_global_trace");
    if (trace) trace(is_traced ? "http/2" : "-http/2");
}

const PPVersionInfo *pp_version_info(void) { return curl_version_info(PP_CURLVERSION_FIRST); }
const char *pp_easy_strerror(int code) { return curl_easy_strerror(code); }

// MARK: Easy handles

PPEasy *pp_easy_init(void) { return curl_easy_init(); }
void pp_easy_cleanup(PPEasy *easy) { curl_easy_cleanup(easy); }

int pp_easy_pause(PPEasy *easy, int mask) { return curl_easy_pause(easy, mask); }

int pp_easy_set_long(PPEasy *easy, PPOption option, long value) { return curl_easy_setopt(easy, option, value); }
int pp_easy_set_offset(PPEasy *easy, PPOption option, int64_t value) { return curl_easy_setopt(easy, option, value); }
int pp_easy_set_pointer(PPEasy *easy, PPOption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}
int pp_easy_set_blob(PPEasy *easy, PPOption option, const void *bytes, size_t count) {
    PPBlob blob = {.data = (void *)bytes, .len = count, .flags = PP_CURL_BLOB_COPY};
    return curl_easy_setopt(easy, option, &blob);
}
int pp_easy_set_data_callback(PPEasy *easy, PPOption option, PPDataCallback callback) {
    return curl_easy_setopt(easy, option, callback);
}
int pp_easy_set_seek_callback(PPEasy *easy, PPSeekCallback callback) {
    return curl_easy_setopt(easy, PP_CURLOPT_SEEKFUNCTION, callback);
}
int pp_easy_set_prerequest_callback(PPEasy *easy, PPPrerequestCallback callback) {
    return curl_easy_setopt(easy, PP_CURLOPT_PREREQFUNCTION, callback);
}
int pp_easy_set_debug_callback(PPEasy *easy, PPDebugCallback callback) {
    return curl_easy_setopt(easy, PP_CURLOPT_DEBUGFUNCTION, callback);
}
int pp_easy_set_resolver_callback(PPEasy *easy, PPResolverCallback callback) {
    return curl_easy_setopt(easy, PP_CURLOPT_RESOLVER_START_FUNCTION, callback);
}
int pp_easy_set_close_socket_callback(PPEasy *easy, PPCloseSocketCallback callback) {
    return curl_easy_setopt(easy, PP_CURLOPT_CLOSESOCKETFUNCTION, callback);
}

int pp_easy_set_trailer_callback(PPEasy *easy, PPTrailerCallback callback) {
    return curl_easy_setopt(easy, PP_CURLOPT_TRAILERFUNCTION, callback);
}
PPList *pp_list_append(PPList *list, const char *line) { return curl_slist_append(list, line); }
int pp_easy_set_progress_callback(PPEasy *easy, PPProgressCallback callback) {
    return curl_easy_setopt(easy, PP_CURLOPT_XFERINFOFUNCTION, callback);
}
int pp_easy_set_open_socket_callback(PPEasy *easy, PPOpenSocketCallback callback) {
    return curl_easy_setopt(easy, PP_CURLOPT_OPENSOCKETFUNCTION, callback);
}

int pp_easy_get_long(PPEasy *easy, PPInfo info, long *value) { return curl_easy_getinfo(easy, info, value); }
int pp_easy_get_offset(PPEasy *easy, PPInfo info, int64_t *value) { return curl_easy_getinfo(easy, info, value); }
int pp_easy_get_pointer(PPEasy *easy, PPInfo info, void **value) { return curl_easy_getinfo(easy, info, value); }
int pp_easy_get_socket(PPEasy *easy) {
    int socket = -1;
    return curl_easy_getinfo(easy, PP_CURLINFO_ACTIVESOCKET, &socket) == 0 ? socket : -1;
}

// MARK: TLS

typedef struct PPTLSSession {
    int backend;
    void *internals;
} PPTLSSession;

typedef struct PPTLSFunctions {
    int (*pending)(const void *ssl);
    void (*protocol)(const void *ssl, const unsigned char **name, unsigned int *length);
    int (*shutdown)(const void *ssl);
} PPTLSFunctions;

static PPTLSFunctions tls_functions;
static pthread_once_t tls_once = PTHREAD_ONCE_INIT;

// Looks in a library and its dependencies.
static bool find_tls_functions_in(void *library) {
    if (!library) return false;
    // SSL_pending ignores records that were read together with another one and not decrypted yet.
    void *pending = dlsym(library, "SSL_has_pending");
    PPTLSFunctions found = {
        .pending = (int (*)(const void *))(pending ? pending : dlsym(library, "SSL_pending")),
        .protocol = (void (*)(const void *, const unsigned char **, unsigned int *))
            dlsym(library, "SSL_get0_alpn_selected"),
        .shutdown = (int (*)(const void *))dlsym(library, "SSL_get_shutdown"),
    };
    if (!found.pending || !found.protocol || !found.shutdown) return false;
    tls_functions = found;
    return true;
}

static void find_tls_functions(void) { pp_with_curl_library(find_tls_functions_in); }

bool pp_tls_is_known(void) {
    pthread_once(&tls_once, find_tls_functions);
    return tls_functions.pending != NULL;
}

// The `SSL *` of the handle's connection.
static void *tls_session(PPEasy *easy) {
    PPTLSSession *session = NULL;
    if (!pp_tls_is_known() || curl_easy_getinfo(easy, PP_CURLINFO_TLS_SSL_PTR, &session) != 0 || !session) return NULL;
    return session->backend == PP_CURLSSLBACKEND_OPENSSL ? session->internals : NULL;
}

int pp_tls_pending(PPEasy *easy) {
    void *ssl = tls_session(easy);
    return ssl ? tls_functions.pending(ssl) : -1;
}

int pp_tls_protocol(PPEasy *easy) {
    void *ssl = tls_session(easy);
    if (!ssl) return -2;
    const unsigned char *name = NULL;
    unsigned int length = 0;
    tls_functions.protocol(ssl, &name, &length);
    if (length == 0) return -1;
    if (length != 2) return 0;
    return memcmp(name, "h2", 2) == 0 ? 1 : memcmp(name, "h3", 2) == 0 ? 2 : 0;
}

bool pp_tls_is_closed(PPEasy *easy) {
    // SSL_RECEIVED_SHUTDOWN
    void *ssl = tls_session(easy);
    return ssl && (tls_functions.shutdown(ssl) & 2);
}

// MARK: Multi handles

PPMulti *pp_multi_init(void) { return curl_multi_init(); }
int pp_multi_cleanup(PPMulti *multi) { return curl_multi_cleanup(multi); }
int pp_multi_set_long(PPMulti *multi, PPMultiOption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
int pp_multi_set_pointer(PPMulti *multi, PPMultiOption option, const void *value) {
    return curl_multi_setopt(multi, option, value);
}
int pp_multi_set_socket_callback(PPMulti *multi, PPSocketCallback callback) {
    return curl_multi_setopt(multi, PP_CURLMOPT_SOCKETFUNCTION, callback);
}
int pp_multi_set_timer_callback(PPMulti *multi, PPTimerCallback callback) {
    return curl_multi_setopt(multi, PP_CURLMOPT_TIMERFUNCTION, callback);
}
int pp_multi_add_handle(PPMulti *multi, PPEasy *easy) { return curl_multi_add_handle(multi, easy); }
int pp_multi_remove_handle(PPMulti *multi, PPEasy *easy) { return curl_multi_remove_handle(multi, easy); }
int pp_multi_socket_action(PPMulti *multi, int socket, int events, int *running) {
    return curl_multi_socket_action(multi, socket, events, running);
}

PPEasy *pp_multi_next_done(PPMulti *multi, int *code) {
    int left = 0;
    PPMessage *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg == PP_CURLMSG_DONE) {
            *code = message->data.result;
            return message->easy;
        }
    }
    return NULL;
}

// MARK: System

int pp_open_socket(const PPSocketAddress *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

#else

// An empty translation unit is not allowed.
typedef int PPCurlShimIsForLinuxOnly;

#endif
