// OpenSSL's stable ABI, declared here and found at run time: a bare toolchain has the library, but not its headers.
//
// OpenSSL's function `SSL_read` is `cs_SSL_read` here, and so on. None of them may be called before cs_openssl_load has
// succeeded.
#ifndef PIUPIU_OPENSSL_H
#define PIUPIU_OPENSSL_H

#if defined(__linux__)

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct cs_BIO cs_BIO;
typedef struct cs_BIO_METHOD cs_BIO_METHOD;
typedef struct cs_EVP_MD cs_EVP_MD;
typedef struct cs_EVP_MD_CTX cs_EVP_MD_CTX;
typedef struct cs_EVP_PKEY cs_EVP_PKEY;
typedef struct cs_OCSP_BASICRESP cs_OCSP_BASICRESP;
typedef struct cs_OCSP_CERTID cs_OCSP_CERTID;
typedef struct cs_OCSP_RESPONSE cs_OCSP_RESPONSE;
typedef struct cs_PKCS12 cs_PKCS12;
typedef struct cs_SSL cs_SSL;
typedef struct cs_SSL_CTX cs_SSL_CTX;
typedef struct cs_SSL_METHOD cs_SSL_METHOD;
typedef struct cs_SSL_SESSION cs_SSL_SESSION;
typedef struct cs_X509 cs_X509;
typedef struct cs_X509_CRL cs_X509_CRL;
typedef struct cs_X509_PUBKEY cs_X509_PUBKEY;
typedef struct cs_X509_STACK cs_X509_STACK;
typedef struct cs_X509_STORE cs_X509_STORE;
typedef struct cs_X509_STORE_CTX cs_X509_STORE_CTX;
typedef struct cs_X509_VERIFY_PARAM cs_X509_VERIFY_PARAM;

typedef int (*cs_read_callback)(cs_BIO *bio, char *bytes, int count);
typedef int (*cs_write_callback)(cs_BIO *bio, const char *bytes, int count);
typedef long (*cs_control_callback)(cs_BIO *bio, int command, long number, void *_Nullable pointer);
typedef int (*cs_passphrase_callback)(char *buffer, int size, int is_writing, void *_Nullable context);
typedef int (*cs_verify_callback)(int is_good, cs_X509_STORE_CTX *context);
typedef int (*cs_session_callback)(cs_SSL *ssl, cs_SSL_SESSION *session);
typedef void (*cs_info_callback)(const cs_SSL *ssl, int where, int value);
typedef void (*cs_key_log_callback)(const cs_SSL *ssl, const char *line);
typedef int (*cs_certificate_callback)(cs_SSL *ssl, void *_Nullable argument);

// The numbers of OpenSSL's headers, which are the same in all its versions since 1.1.1.
enum {
    CS_SSL_ERROR_SSL = 1,
    CS_SSL_ERROR_WANT_READ = 2,
    CS_SSL_ERROR_WANT_WRITE = 3,
    CS_SSL_ERROR_SYSCALL = 5,
    CS_SSL_ERROR_ZERO_RETURN = 6,

    CS_SSL_VERIFY_NONE = 0,
    CS_SSL_VERIFY_PEER = 1,

    CS_SSL_CTRL_MODE = 33,
    CS_SSL_CTRL_SET_SESS_CACHE_MODE = 44,
    CS_SSL_CTRL_GET_SESS_CACHE_MODE = 45,
    CS_SSL_CTRL_SET_TLSEXT_HOSTNAME = 55,
    CS_SSL_CTRL_SET_TLSEXT_STATUS_REQ_TYPE = 65,
    CS_SSL_CTRL_GET_TLSEXT_STATUS_REQ_OCSP_RESP = 70,
    CS_SSL_CTRL_CHAIN_CERT = 89,
    CS_SSL_CTRL_SET_MIN_PROTO_VERSION = 123,
    CS_SSL_CTRL_SET_MAX_PROTO_VERSION = 124,

    // Partial writes, a moving write buffer, automatic retries, and no buffers for idle connections.
    CS_SSL_MODES = 1 | 2 | 4 | 16,
    // Client sessions only, in the cache of the engine and not in OpenSSL's.
    CS_SSL_SESS_CACHE_CLIENT_ONLY = 0x0001 | 0x0300,

    CS_TLS1_2_VERSION = 0x0303,
    CS_TLS1_3_VERSION = 0x0304,

    CS_X509_V_FLAG_CRL_CHECK_ALL = 0x4 | 0x8,
    CS_X509_V_FLAG_PARTIAL_CHAIN = 0x80000,
    CS_X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS = 0x4,

    CS_TLSEXT_STATUSTYPE_ocsp = 1,
    CS_TLSEXT_NAMETYPE_host_name = 0,
    CS_V_OCSP_CERTSTATUS_GOOD = 0,
    CS_V_OCSP_CERTSTATUS_REVOKED = 1,

    CS_ERR_LIB_EVP = 6,
    CS_ERR_LIB_PEM = 9,
    CS_ERR_LIB_X509 = 11,
    CS_ERR_LIB_SSL = 20,
    CS_ERR_LIB_PKCS12 = 35,
    CS_ERR_R_UNSUPPORTED = 0x8010C,
    CS_PEM_R_NO_START_LINE = 108,
    CS_PKCS12_R_MAC_VERIFY_FAILURE = 113,
    CS_SSL_R_NO_CERTIFICATE_ASSIGNED = 177,
    CS_X509_R_KEY_TYPE_MISMATCH = 115,
    CS_X509_R_KEY_VALUES_MISMATCH = 116,
};

// MARK: Callers

// Whether a call may have to fail; false except in tests.
extern bool cs_is_failing;
// Counts a call of a function that decides something, and returns whether it has to fail.
bool cs_must_fail(const char *name);

// The list has its own pragma, because files are not included inside one.
#pragma clang assume_nonnull end

#define CS_DECLARE(result, name, parameters) extern result(*_Nullable cs_pointer_##name) parameters;
#define CS_HAS_TO_FAIL(name) (__builtin_expect(__atomic_load_n(&cs_is_failing, __ATOMIC_RELAXED), 0) && cs_must_fail(#name))
#define CS_CALLS(result, name, parameters, arguments) \
    CS_DECLARE(result, name, parameters) \
    static inline result cs_##name parameters { return cs_pointer_##name arguments; }
#define CS_DECIDES(result, name, parameters, arguments, failure) \
    CS_DECLARE(result, name, parameters) \
    static inline result cs_##name parameters { return CS_HAS_TO_FAIL(name) ? failure : cs_pointer_##name arguments; }
#define CS_SETS(name, parameters, arguments) \
    CS_DECLARE(void, name, parameters) \
    static inline void cs_##name parameters { \
        if (!CS_HAS_TO_FAIL(name)) cs_pointer_##name arguments; \
    }
#define CS_RENAMED(result, name, older_name, parameters, arguments, failure) \
    CS_DECIDES(result, name, parameters, arguments, failure)
#include "OpenSSLFunctions.def"
#undef CS_CALLS
#undef CS_DECIDES
#undef CS_SETS
#undef CS_RENAMED
#undef CS_DECLARE

#pragma clang assume_nonnull begin

// MARK: Loading

// Finds OpenSSL: the library at a path, or otherwise the one that the whole process sees, or otherwise the system's. It prefers
// 3.x to 1.1.1, and a library that is already in the process to another one. All functions come from one libssl and the
// libcrypto that it calls; a library whose functions would be mixed with another's is not used. Returns `NULL` on success, or
// otherwise the missing part. Call it once.
const char *_Nullable cs_openssl_load(const char *_Nullable path);
// A function of the loaded library by its name, for tests; `NULL` if there is none.
void *_Nullable cs_openssl_symbol(const char *name);

// MARK: Functions with several calls

// Forbids renegotiation, compression, and treating an end without close_notify as clean. Returns whether all of that was set.
bool cs_openssl_restrict(cs_SSL_CTX *context);
// The library and the reason of an error of the queue.
int cs_error_library(unsigned long error);
int cs_error_reason(unsigned long error);

// A passphrase for cs_give_passphrase.
typedef struct cs_passphrase {
    const unsigned char *_Nullable bytes;
    size_t count;
} cs_passphrase;
// A cs_passphrase_callback that returns the cs_passphrase that `context` points to. Without one, it fails, whereas OpenSSL
// would ask on the terminal.
int cs_give_passphrase(char *buffer, int size, int is_writing, void *_Nullable context);

// MARK: Failing calls on purpose, for tests

// Makes the n-th call from now of a function that decides something fail, as if it had not run; for 0, calls are only counted.
// `NULL` turns this off. With `is_local`, only calls on this thread count.
void cs_fail_call(const char *_Nullable name, int n, bool is_local);
// The number of counted calls since cs_fail_call.
int cs_calls_counted(void);
// The names of the functions that decide something, by index; `NULL` after the last.
const char *_Nullable cs_deciding_function(int index);

#pragma clang assume_nonnull end

#endif
#endif
