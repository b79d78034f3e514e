// The part of libcurl's ABI (soname 4, unchanged since 2006) that PiuPiu uses, declared here so that the package builds on a
// bare toolchain: the library is there, because Foundation's networking needs it, but its headers are not.
// `Scripts/check-curl-abi` compares every number and prototype below with the real headers.
#ifndef PIUPIU_CURL_SHIM_H
#define PIUPIU_CURL_SHIM_H

#if defined(__linux__)

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "CurlConstants.h"
#include "MemoryFile.h"
#include "TLSWitness.h"

// A result that must not be ignored: if a setting that protects something is missing, nothing may be sent.
#define PP_CHECKED __attribute__((warn_unused_result))

#pragma clang assume_nonnull begin

// Handles are opaque. Distinct types keep an easy handle from being passed for a multi handle.
typedef struct PPEasy PPEasy;
typedef struct PPMulti PPMulti;

// The layout of libcurl's `struct curl_slist`, which libcurl only reads.
typedef struct PPList {
    char *_Nullable data;
    struct PPList *_Nullable next;
} PPList;

// The first fields of `curl_version_info_data`; later ones are not used.
typedef struct PPVersionInfo {
    int age;
    const char *_Nullable version;
    unsigned int version_num;
    const char *_Nullable host;
    int features;
    const char *_Nullable ssl_version;
    long ssl_version_num;
    const char *_Nullable libz_version;
    const char *_Nullable const *_Nullable protocols;
    const char *_Nullable ares;
    int ares_num;
    const char *_Nullable libidn;
    int iconv_ver_num;
    const char *_Nullable libssh_version;
    unsigned int brotli_ver_num;
    const char *_Nullable brotli_version;
    unsigned int nghttp2_ver_num;
    const char *_Nullable nghttp2_version;
    const char *_Nullable quic_version;
    // The following fields exist only if age is at least 6.
    const char *_Nullable cainfo;
    const char *_Nullable capath;
} PPVersionInfo;

// The layout of `struct curl_sockaddr`; `addr` has the length `addrlen`.
typedef struct PPSocketAddress {
    int family;
    int socktype;
    int protocol;
    unsigned int addrlen;
    struct sockaddr addr;
} PPSocketAddress;

// MARK: Callbacks

typedef size_t (*PPDataCallback)(char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);
typedef int (*PPSeekCallback)(void *_Nullable context, int64_t offset, int origin);
typedef int (*PPPrerequestCallback)(void *_Nullable context, char *_Nullable remoteAddress,
                                    char *_Nullable localAddress, int remotePort, int localPort);
typedef int (*PPDebugCallback)(PPEasy *_Nullable easy, int kind, char *_Nullable bytes, size_t count,
                               void *_Nullable context);
typedef int (*PPResolverCallback)(void *_Nullable resolver, void *_Nullable reserved, void *_Nullable context);
typedef int (*PPSocketCallback)(PPEasy *_Nullable easy, int socket, int what, void *_Nullable context,
                                void *_Nullable socketContext);
typedef int (*PPTimerCallback)(PPMulti *_Nullable multi, long milliseconds, void *_Nullable context);
typedef int (*PPOpenSocketCallback)(void *_Nullable context, int purpose, PPSocketAddress *_Nullable address);
typedef int (*PPProgressCallback)(void *_Nullable context, int64_t bytesToReceive, int64_t bytesReceived,
                                  int64_t bytesToSend, int64_t bytesSent);
// Appends to a list that libcurl frees.
typedef int (*PPTrailerCallback)(PPList *_Nullable *_Nullable list, void *_Nullable context);
typedef int (*PPCloseSocketCallback)(void *_Nullable context, int socket);

// MARK: Global

// Passes on the libraries that may contain libcurl, until `use` accepts one.
void pp_with_curl_library(bool (*_Nonnull use)(void *_Nullable library));
// Initialises libcurl once for the process; returns 0 on success.
int pp_global_init(void);
const PPVersionInfo *_Nullable pp_version_info(void);

// Makes verbose handles of the whole process log HTTP/2 frames, or stops that; has no effect before 8.3. Calls must not
// overlap.
void pp_trace_http2(bool is_traced);
const char *_Nullable pp_easy_strerror(int code);

// MARK: Easy handles

PPEasy *_Nullable pp_easy_init(void);
void pp_easy_cleanup(PPEasy *easy);
PP_CHECKED int pp_easy_set_long(PPEasy *easy, PPOption option, long value);
PP_CHECKED int pp_easy_set_offset(PPEasy *easy, PPOption option, int64_t value);
PP_CHECKED int pp_easy_set_pointer(PPEasy *easy, PPOption option, const void *_Nullable value);
// The bytes are copied.
PP_CHECKED int pp_easy_set_blob(PPEasy *easy, PPOption option, const void *bytes, size_t count);
PP_CHECKED int pp_easy_set_data_callback(PPEasy *easy, PPOption option, PPDataCallback _Nullable callback);
PP_CHECKED int pp_easy_set_seek_callback(PPEasy *easy, PPSeekCallback _Nullable callback);
PP_CHECKED int pp_easy_set_prerequest_callback(PPEasy *easy, PPPrerequestCallback _Nullable callback);
PP_CHECKED int pp_easy_set_debug_callback(PPEasy *easy, PPDebugCallback _Nullable callback);
PP_CHECKED int pp_easy_set_resolver_callback(PPEasy *easy, PPResolverCallback _Nullable callback);
PP_CHECKED int pp_easy_set_close_socket_callback(PPEasy *easy, PPCloseSocketCallback _Nullable callback);
PP_CHECKED int pp_easy_set_progress_callback(PPEasy *easy, PPProgressCallback _Nullable callback);
PP_CHECKED int pp_easy_set_open_socket_callback(PPEasy *easy, PPOpenSocketCallback _Nullable callback);
PP_CHECKED int pp_easy_set_trailer_callback(PPEasy *easy, PPTrailerCallback _Nullable callback);
// Appends a copy of a line to a libcurl list; `NULL` if there is no memory, in which case the list is unchanged.
PPList *_Nullable pp_list_append(PPList *_Nullable list, const char *line);
// Pauses the directions of a transfer in the mask, and resumes the others.
int pp_easy_pause(PPEasy *easy, int mask);
int pp_easy_get_long(PPEasy *easy, PPInfo info, long *value);
int pp_easy_get_offset(PPEasy *easy, PPInfo info, int64_t *value);
int pp_easy_get_pointer(PPEasy *easy, PPInfo info, void *_Nullable *_Nonnull value);
// The socket of the connection that the handle uses, or used last; -1 if there is none.
int pp_easy_get_socket(PPEasy *easy);

// MARK: TLS

// Information that libcurl does not provide, from its OpenSSL. The functions are found at run time, in the library that this
// libcurl is linked with; their prototypes have not changed since OpenSSL 1.1.0.

// Whether libcurl uses an OpenSSL that can be queried.
bool pp_tls_is_known(void);
// The number of decrypted bytes of the handle's connection that were not read yet; -1 if it is unknown. For use in a callback,
// while the handle has its connection.
int pp_tls_pending(PPEasy *easy);
// The protocol that the handle's connection negotiated by ALPN: 2 for HTTP/3, 1 for HTTP/2, 0 for HTTP/1.1, -1 for none, -2 if
// it is unknown. For use in a callback, while the handle has its connection.
int pp_tls_protocol(PPEasy *easy);
// Whether the server closed the handle's connection with a close_notify alert (RFC 8446 §6.1). For use in a callback,
// while the handle has its connection.
bool pp_tls_is_closed(PPEasy *easy);

// MARK: Multi handles

PPMulti *_Nullable pp_multi_init(void);
int pp_multi_cleanup(PPMulti *multi);
int pp_multi_set_long(PPMulti *multi, PPMultiOption option, long value);
int pp_multi_set_pointer(PPMulti *multi, PPMultiOption option, const void *_Nullable value);
int pp_multi_set_socket_callback(PPMulti *multi, PPSocketCallback _Nullable callback);
int pp_multi_set_timer_callback(PPMulti *multi, PPTimerCallback _Nullable callback);
int pp_multi_add_handle(PPMulti *multi, PPEasy *easy);
int pp_multi_remove_handle(PPMulti *multi, PPEasy *easy);
int pp_multi_socket_action(PPMulti *multi, int socket, int events, int *running);
// The next finished transfer and its result code; `NULL` if there is none.
PPEasy *_Nullable pp_multi_next_done(PPMulti *multi, int *code);

// MARK: System

// Opens the socket that libcurl asks for, closed on exec; -1 on failure.
int pp_open_socket(const PPSocketAddress *address);

#pragma clang assume_nonnull end

#endif
#endif
