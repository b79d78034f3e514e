#if defined(__linux__)

#define _GNU_SOURCE
#include "OpenSSL.h"
#include "TLSLink.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// MARK: Pointers

#define CS_CALLS(result, name, parameters, arguments) result(*_Nullable cs_pointer_##name) parameters;
#define CS_DECIDES(result, name, parameters, arguments, failure) CS_CALLS(result, name, parameters, arguments)
#define CS_SETS(name, parameters, arguments) CS_CALLS(void, name, parameters, arguments)
#define CS_RENAMED(result, name, older_name, parameters, arguments, failure) CS_CALLS(result, name, parameters, arguments)
#include "OpenSSLFunctions.def"
#undef CS_CALLS
#undef CS_DECIDES
#undef CS_SETS
#undef CS_RENAMED

// Their parameters have 64 bits in 3.x, and the size of a pointer in 1.1.1.
static void *set_options, *clear_options;
static void *library;
static bool is_loaded;

// MARK: Loading

// The origin of a candidate's functions: the addresses of its libssl and its libcrypto, which are equal if a program contains
// both.
typedef struct origin {
    const void *ssl, *crypto;
} origin;

static const void *base_of(const void *function) {
    Dl_info info;
    return function && dladdr(function, &info) ? info.dli_fbase : NULL;
}

// A process may contain two functions with the same name, from two versions. Each function must come from the same library as
// the others.
static bool is_from(const origin *origin, const void *function, const char *name) {
    bool is_of_ssl =
        strncmp(name, "SSL_", 4) == 0 || strncmp(name, "TLS_", 4) == 0 || strcmp(name, "OPENSSL_init_ssl") == 0;
    return base_of(function) == (is_of_ssl ? origin->ssl : origin->crypto);
}

static const char mixed[] = "one that is not mixed with another OpenSSL of this process";

// Returns the first part that a candidate lacks; `NULL` if it has everything.
static const char *missing_from(void *candidate, const origin *origin, bool is_version_3) {
    const char *name;
#define CS_FINDS(pointer, wanted) \
    name = wanted; \
    if (!(*(void **)&(pointer) = dlsym(candidate, name))) return name; \
    if (!is_from(origin, *(void **)&(pointer), name)) return mixed;
#define CS_CALLS(result, name, parameters, arguments) CS_FINDS(cs_pointer_##name, #name)
#define CS_DECIDES(result, name, parameters, arguments, failure) CS_CALLS(result, name, parameters, arguments)
#define CS_SETS(name, parameters, arguments) CS_CALLS(void, name, parameters, arguments)
#define CS_RENAMED(result, name, older_name, parameters, arguments, failure) \
    CS_FINDS(cs_pointer_##name, is_version_3 ? #name : #older_name)
#include "OpenSSLFunctions.def"
#undef CS_CALLS
#undef CS_DECIDES
#undef CS_SETS
#undef CS_RENAMED
    CS_FINDS(set_options, "SSL_CTX_set_options")
    CS_FINDS(clear_options, "SSL_CTX_clear_options")
#undef CS_FINDS
    return NULL;
}

// When the process exits, OpenSSL's handler frees all of its memory, even while other threads still close their connections.
// Without the handler, the system reclaims the memory at once.
static const char *start(void) {
    // OPENSSL_INIT_NO_ATEXIT
    const uint64_t no_handler = 0x00080000;
    if (cs_OPENSSL_init_crypto(no_handler, NULL) != 1) return "OPENSSL_init_crypto";
    // OPENSSL_INIT_LOAD_SSL_STRINGS and OPENSSL_INIT_LOAD_CRYPTO_STRINGS
    if (cs_OPENSSL_init_ssl(no_handler | 0x00200000 | 0x00000002, NULL) != 1) return "OPENSSL_init_ssl";
    return cs_link_prepare() ? NULL : "BIO_meth_new";
}

// Returns whether the functions of a library call each other, and not those of another OpenSSL that the whole process sees. The
// system searches there first, even for calls within a library that was opened later.
static bool is_of_one_piece(void *candidate) {
    static const char *const names[] = {"SSL_CTX_new", "CRYPTO_malloc"};
    for (size_t index = 0; index < sizeof(names) / sizeof(names[0]); index++) {
        void *seen = dlsym(RTLD_DEFAULT, names[index]);
        if (seen && seen != dlsym(candidate, names[index])) return false;
    }
    return true;
}

// Returns whether a libssl calls a libcrypto. The libraries that were loaded for a library are searched after it; a program
// that contains both cannot be searched alone.
static bool is_pair(const origin *origin, const void *ssl_function, const char *crypto_function) {
    if (origin->ssl == origin->crypto) return true;
    Dl_info info;
    void *ssl = dladdr(ssl_function, &info) && info.dli_fname ? dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD) : NULL;
    if (!ssl) return false;
    bool is_pair = base_of(dlsym(ssl, crypto_function)) == origin->crypto;
    dlclose(ssl);
    return is_pair;
}

// Takes a library if it is complete; returns the first part that it lacks.
static const char *take(void *candidate) {
    const char *(*text)(int) = (const char *(*)(int))dlsym(candidate, "OpenSSL_version");
    unsigned long (*number)(void) = (unsigned long (*)(void))dlsym(candidate, "OpenSSL_version_num");
    void *new_context = dlsym(candidate, "SSL_CTX_new");
    // Forks of OpenSSL have functions with the same names but other parameters.
    const char *name = text ? text(0) : NULL;
    if (!name || strncmp(name, "OpenSSL ", 8) != 0 || !number || !new_context) return "OpenSSL's version";
    unsigned long version = number();
    if (version < 0x10101000L || version >> 28 > 3) return "a version that is known, 1.1.1 or 3.x";
    origin origin = {.ssl = base_of(new_context), .crypto = base_of((void *)number)};
    if (!origin.ssl || !origin.crypto || !is_pair(&origin, new_context, "OpenSSL_version_num")) return mixed;
    const char *lack = missing_from(candidate, &origin, version >> 28 >= 3);
    if (lack) return lack;
    if (!is_of_one_piece(candidate)) return mixed;
    library = candidate;
    is_loaded = true;
    return start();
}

const char *cs_openssl_load(const char *path) {
    static const char *const names[] = {"libssl.so.3", "libssl.so.1.1"};
    const size_t count = sizeof(names) / sizeof(names[0]);
    const char *missing = "libssl.so.3 or libssl.so.1.1";
    // Prefer an OpenSSL that the process already sees, under any name, because a second one would call its functions.
    if (!path && dlsym(RTLD_DEFAULT, "SSL_CTX_new")) missing = take(RTLD_DEFAULT);
    for (size_t turn = 0; turn < (path ? 1 : 2 * count) && !is_loaded; turn++) {
        int flags = RTLD_NOW | RTLD_LOCAL | (!path && turn < count ? RTLD_NOLOAD : 0);
        void *candidate = dlopen(path ? path : names[turn % count], flags);
        if (!candidate) continue;
        missing = take(candidate);
        if (!is_loaded) dlclose(candidate);
    }
    return missing;
}

void *cs_openssl_symbol(const char *name) { return is_loaded ? dlsym(library, name) : NULL; }

// MARK: Functions with several calls

static bool is_version_3(void) { return cs_OpenSSL_version_num() >> 28 >= 3; }

static uint64_t change_options(void *function, cs_SSL_CTX *context, uint64_t options) {
    if (is_version_3()) return ((uint64_t(*)(cs_SSL_CTX *, uint64_t))function)(context, options);
    return ((unsigned long (*)(cs_SSL_CTX *, unsigned long))function)(context, (unsigned long)options);
}

bool cs_openssl_restrict(cs_SSL_CTX *context) {
    // SSL_OP_NO_RENEGOTIATION and SSL_OP_NO_COMPRESSION
    const uint64_t wanted = (uint64_t)1 << 30 | (uint64_t)1 << 17;
    // SSL_OP_IGNORE_UNEXPECTED_EOF and SSL_OP_ALLOW_UNSAFE_LEGACY_RENEGOTIATION, which a configuration file may set
    const uint64_t unwanted = (uint64_t)1 << 7 | (uint64_t)1 << 18;
    if (CS_HAS_TO_FAIL(SSL_CTX_set_options)) return false;
    uint64_t options = change_options(set_options, context, wanted);
    if ((options & wanted) != wanted) return false;
    return (change_options(clear_options, context, unwanted) & unwanted) == 0;
}

int cs_error_library(unsigned long error) {
    // In 3.x, a system error has the highest of 32 bits set.
    if (is_version_3()) return error & 0x80000000UL ? 2 : (int)(error >> 23 & 0xFF);
    return (int)(error >> 24 & 0xFF);
}

int cs_error_reason(unsigned long error) { return (int)(error & (is_version_3() ? 0x7FFFFF : 0xFFF)); }

int cs_give_passphrase(char *buffer, int size, int is_writing, void *context) {
    (void)is_writing;
    const cs_passphrase *passphrase = context;
    if (!passphrase || size < 0 || passphrase->count > (size_t)size) return -1;
    if (passphrase->count > 0) memcpy(buffer, passphrase->bytes, passphrase->count);
    return (int)passphrase->count;
}

// MARK: Failing calls on purpose

bool cs_is_failing;

static struct {
    pthread_mutex_t mutex;
    const char *name;
    int n, count;
    bool is_local;
    pthread_t thread;
} failing = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static const char *const deciding[] = {
#define CS_CALLS(result, name, parameters, arguments)
#define CS_DECIDES(result, name, parameters, arguments, failure) #name,
#define CS_SETS(name, parameters, arguments) #name,
#define CS_RENAMED(result, name, older_name, parameters, arguments, failure) #name,
#include "OpenSSLFunctions.def"
#undef CS_CALLS
#undef CS_DECIDES
#undef CS_SETS
#undef CS_RENAMED
    "SSL_CTX_set_options",
};

const char *cs_deciding_function(int index) {
    return index >= 0 && (size_t)index < sizeof(deciding) / sizeof(deciding[0]) ? deciding[index] : NULL;
}

void cs_fail_call(const char *name, int n, bool is_local) {
    const char *known = NULL;
    for (int index = 0; name && cs_deciding_function(index); index++) {
        if (strcmp(cs_deciding_function(index), name) == 0) known = cs_deciding_function(index);
    }
    pthread_mutex_lock(&failing.mutex);
    failing.name = known;
    failing.n = n;
    failing.count = 0;
    failing.is_local = is_local;
    failing.thread = pthread_self();
    __atomic_store_n(&cs_is_failing, known != NULL, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&failing.mutex);
}

int cs_calls_counted(void) {
    pthread_mutex_lock(&failing.mutex);
    int count = failing.count;
    pthread_mutex_unlock(&failing.mutex);
    return count;
}

bool cs_must_fail(const char *name) {
    pthread_mutex_lock(&failing.mutex);
    bool counts = failing.name && strcmp(failing.name, name) == 0
        && (!failing.is_local || pthread_equal(failing.thread, pthread_self()));
    bool fails = counts && ++failing.count == failing.n;
    pthread_mutex_unlock(&failing.mutex);
    return fails;
}

#else

// An empty translation unit is not allowed.
typedef int cs_openssl_is_for_linux_only;

#endif
