#if defined(__linux__)

#define _GNU_SOURCE
#include "CurlShim.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

extern int curl_easy_setopt(PPEasy *easy, int option, ...);

// The functions of OpenSSL as its headers declare them, unchanged since 1.1.0.
typedef int (*PPVerifyCallback)(int is_good, void *store_context);
typedef void (*PPInfoCallback)(const void *ssl, int where, int value);
typedef int (*PPCertificateCallback)(void *ssl, void *argument);
typedef void (*PPFreeCallback)(void *parent, void *pointer, void *data, int index, long number, void *argument);

static struct {
    void (*set_verify)(void *context, int mode, PPVerifyCallback callback);
    int (*verify_mode)(const void *context);
    PPVerifyCallback (*verify_callback)(const void *context);
    void (*set_info_callback)(void *context, PPInfoCallback callback);
    void (*set_certificate_callback)(void *context, PPCertificateCallback callback, void *argument);
    int (*new_index)(int class, long number, void *argument, void *create, void *copy, PPFreeCallback free);
    int (*set_data)(void *context, int index, void *data);
    void *(*data)(const void *context, int index);
    void *(*context_of)(const void *ssl);
    void *(*own_certificate)(const void *ssl);
    int (*ssl_index)(void);
    void *(*store_data)(const void *store_context, int index);
    int (*error)(const void *store_context);
    int (*depth)(const void *store_context);
    void *(*certificate)(const void *store_context);
    void *(*peers_certificate)(const void *store_context);
    int (*retain)(void *certificate);
    void (*release)(void *certificate);
    int (*encode)(const void *certificate, unsigned char **bytes);
} openssl;

static bool is_known;
static int witness_index;
static pthread_once_t once = PTHREAD_ONCE_INIT;

struct PPTLSWitness {
    atomic_int references;
    PPTLSTestimony testimony;
    // The certificate that the testimony's error is about.
    void *refused;
    // The peer's own certificate.
    void *peers;
    PPVerifyCallback next;
};

static void release_with_context(void *parent, void *pointer, void *data, int index, long number, void *argument) {
    (void)parent, (void)data, (void)index, (void)number, (void)argument;
    if (pointer) pp_tls_witness_release(pointer);
}

// Returns whether a library is the one that libcurl reports: "OpenSSL 3.0.17 1 Jul 2025" is "OpenSSL/3.0.17". Forks of OpenSSL
// have functions with the same names but other parameters, and a process may contain several versions of it.
bool pp_is_same_openssl(const char *own, const char *used) {
    const char *name = "OpenSSL";
    size_t length = strlen(name);
    if (!own || !used || strncmp(own, name, length) != 0 || strncmp(used, name, length) != 0) return false;
    if (own[length] != ' ' || used[length] != '/') return false;
    own += length + 1;
    used += length + 1;
    size_t count = strcspn(used, " (");
    return count > 0 && strcspn(own, " ") == count && strncmp(own, used, count) == 0;
}

static bool find_openssl_in(void *library) {
    if (!library) return false;
    const char *(*version)(int) = (const char *(*)(int))dlsym(library, "OpenSSL_version");
    // libcurl may have been built with several TLS libraries; the first one is in use.
    const PPVersionInfo *info = pp_version_info();
    if (!version || !info || !pp_is_same_openssl(version(0), info->ssl_version)) return false;
#define FIND(field, name) if (!(*(void **)&openssl.field = dlsym(library, name))) return false
    FIND(set_verify, "SSL_CTX_set_verify");
    FIND(verify_mode, "SSL_CTX_get_verify_mode");
    FIND(verify_callback, "SSL_CTX_get_verify_callback");
    FIND(set_info_callback, "SSL_CTX_set_info_callback");
    FIND(set_certificate_callback, "SSL_CTX_set_cert_cb");
    FIND(new_index, "CRYPTO_get_ex_new_index");
    FIND(set_data, "SSL_CTX_set_ex_data");
    FIND(data, "SSL_CTX_get_ex_data");
    FIND(context_of, "SSL_get_SSL_CTX");
    FIND(own_certificate, "SSL_get_certificate");
    FIND(ssl_index, "SSL_get_ex_data_X509_STORE_CTX_idx");
    FIND(store_data, "X509_STORE_CTX_get_ex_data");
    FIND(error, "X509_STORE_CTX_get_error");
    FIND(depth, "X509_STORE_CTX_get_error_depth");
    FIND(certificate, "X509_STORE_CTX_get_current_cert");
    FIND(peers_certificate, "X509_STORE_CTX_get0_cert");
    FIND(retain, "X509_up_ref");
    FIND(release, "X509_free");
    FIND(encode, "i2d_X509");
#undef FIND
    // CRYPTO_EX_INDEX_SSL_CTX
    witness_index = openssl.new_index(1, 0, NULL, NULL, NULL, release_with_context);
    is_known = witness_index >= 0;
    return is_known;
}

static void find_openssl(void) {
    pp_with_curl_library(find_openssl_in);
}

static PPTLSWitness *witness_of(const void *ssl) {
    void *context = ssl ? openssl.context_of(ssl) : NULL;
    return context ? openssl.data(context, witness_index) : NULL;
}

static void keep(void **place, void *certificate) {
    if (certificate && !openssl.retain(certificate)) certificate = NULL;
    if (*place) openssl.release(*place);
    *place = certificate;
}

// Decides nothing: libcurl's verdict on the certificate stands.
static int note_certificate(int is_good, void *store_context) {
    PPTLSWitness *witness = witness_of(openssl.store_data(store_context, openssl.ssl_index()));
    if (!witness) return is_good;
    int depth = openssl.depth(store_context);
    if (witness->next) is_good = witness->next(is_good, store_context);
    // libcurl checks the name after the handshake.
    keep(&witness->peers, openssl.peers_certificate(store_context));
    if (!is_good) {
        witness->testimony.error = openssl.error(store_context);
        witness->testimony.depth = depth;
        keep(&witness->refused, openssl.certificate(store_context));
    }
    return is_good;
}

static void note_event(const void *ssl, int where, int value) {
    // SSL_CB_READ_ALERT, and the level of the alert is fatal.
    if ((where & 0x4004) != 0x4004 || value >> 8 != 2) return;
    PPTLSWitness *witness = witness_of(ssl);
    if (witness) witness->testimony.alert = value & 0xFF;
}

static int note_request(void *ssl, void *argument) {
    (void)argument;
    PPTLSWitness *witness = witness_of(ssl);
    if (witness) {
        witness->testimony.asks_for_certificate = true;
        witness->testimony.has_certificate = openssl.own_certificate(ssl) != NULL;
    }
    return 1;
}

static void forget_handshake(PPTLSWitness *witness) {
    int handshakes = witness->testimony.handshakes;
    witness->testimony = (PPTLSTestimony){.handshakes = handshakes, .alert = -1};
    keep(&witness->refused, NULL);
    keep(&witness->peers, NULL);
}

// libcurl calls this before a handshake.
static int begin_handshake(PPEasy *easy, void *context, void *argument) {
    (void)easy;
    PPTLSWitness *witness = argument;
    forget_handshake(witness);
    witness->testimony.handshakes += 1;
    if (openssl.data(context, witness_index)) return 0;
    atomic_fetch_add(&witness->references, 1);
    if (openssl.set_data(context, witness_index, witness) != 1) {
        atomic_fetch_sub(&witness->references, 1);
        return 0;
    }
    witness->next = openssl.verify_callback(context);
    openssl.set_verify(context, openssl.verify_mode(context), note_certificate);
    openssl.set_info_callback(context, note_event);
    openssl.set_certificate_callback(context, note_request, NULL);
    return 0;
}

PPTLSWitness *pp_tls_witness_create(void) {
    pthread_once(&once, find_openssl);
    if (!is_known) return NULL;
    PPTLSWitness *witness = calloc(1, sizeof(PPTLSWitness));
    if (!witness) return NULL;
    witness->references = 1;
    witness->testimony.alert = -1;
    return witness;
}

void pp_tls_witness_release(PPTLSWitness *witness) {
    if (atomic_fetch_sub(&witness->references, 1) != 1) return;
    keep(&witness->refused, NULL);
    keep(&witness->peers, NULL);
    free(witness);
}

bool pp_tls_witness_attach(PPTLSWitness *witness, PPEasy *easy) {
    return curl_easy_setopt(easy, PP_CURLOPT_SSL_CTX_DATA, witness) == 0
        && curl_easy_setopt(easy, PP_CURLOPT_SSL_CTX_FUNCTION, begin_handshake) == 0;
}

void pp_tls_witness_reset(PPTLSWitness *witness) {
    witness->testimony.handshakes = 0;
    forget_handshake(witness);
}

PPTLSTestimony pp_tls_witness_testimony(const PPTLSWitness *witness) { return witness->testimony; }

size_t pp_tls_witness_certificate(
    const PPTLSWitness *witness, bool is_refused, unsigned char *bytes, size_t capacity) {
    const void *certificate = is_refused ? witness->refused : witness->peers;
    if (!certificate) return 0;
    int length = openssl.encode(certificate, NULL);
    if (length <= 0 || (size_t)length > capacity) return 0;
    unsigned char *end = bytes;
    return openssl.encode(certificate, &end) == length ? (size_t)length : 0;
}

#else

// An empty translation unit is not allowed.
typedef int PPTLSWitnessIsForLinuxOnly;

#endif
