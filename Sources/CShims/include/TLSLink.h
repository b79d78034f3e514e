// The state of a TLS connection outside of OpenSSL: its socket, the bytes received from it, and the details of its handshake.
#ifndef PIUPIU_TLS_LINK_H
#define PIUPIU_TLS_LINK_H

#if defined(__linux__)

#include "OpenSSL.h"

#pragma clang assume_nonnull begin

typedef struct cs_link cs_link;

// The memory that the connections of one thread receive into. One large receive takes several records; OpenSSL alone would need
// two calls for each.
//
// Bytes that OpenSSL has not taken yet belong to one connection, the owner. Before another connection receives, they are moved
// to the owner's own memory. If there is no memory for that, the other connection receives around them, so that bytes of
// different connections never mix.
typedef struct cs_input {
    unsigned char *_Nullable bytes;
    size_t capacity;
    // The owner's bytes.
    size_t start, end;
    // `NULL` if there are no bytes.
    cs_link *_Nullable owner;
} cs_input;

enum {
    // The maximum number of sessions that wait to be taken.
    CS_LINK_SESSIONS = 4,
    // The maximum number of receives within one call into OpenSSL. A record needs one or two; a flood of messages without
    // content, such as tickets, would have no end.
    CS_LINK_RECEIVES = 4,
};

// The results of the connection below a link in place of a number of bytes.
enum {
    CS_BELOW_END = 0,
    // Nothing can be done before the socket is readable, or writable.
    CS_BELOW_READS = -1,
    CS_BELOW_WRITES = -2,
    CS_BELOW_FAILED = -3,
};

// Receives or sends over the connection below a link, in place of a socket. Returns the number of bytes, or one of the above.
typedef int (*cs_receive_below)(void *context, void *bytes, int count);
typedef int (*cs_send_below)(void *context, const void *bytes, int count);

struct cs_link {
    int descriptor;
    cs_input *input;
    // For TLS within TLS: the functions that replace the socket; `NULL` for the socket itself. Such a link has no bytes in the
    // input, and the connection below limits the number of receives in one call.
    cs_receive_below _Nullable receive_below;
    cs_send_below _Nullable send_below;
    void *_Nullable context;
    // Bytes that were moved out of the input; `NULL` if there are none.
    unsigned char *_Nullable moved;
    size_t moved_start, moved_end;
    // The number of receives that the current call may still do.
    int receives;
    // Whether the newest receive emptied the socket, so the next one would find nothing.
    bool is_drained;
    // Whether the peer has closed the connection.
    bool is_ended;
    // The error numbers of the system; 0 for none. OpenSSL treats a write error as a full socket and can still read, because
    // the answer that explains the error may have arrived.
    int read_error, write_error;

    // The result of the verification that refused a certificate, X509_V_ERR_…; 0 for none.
    int verification;
    // The index in the chain of the refused certificate; 0 is the peer's own.
    int depth;
    cs_X509 *_Nullable refused;
    // Whether the peer presented a certificate.
    bool has_seen_certificate;
    // The fatal alert that the peer sent; -1 for none.
    int alert;
    // Whether the peer asked for a client certificate, and whether there was one.
    bool asks_for_certificate, has_certificate;

    // The sessions that were not taken yet, oldest first.
    cs_SSL_SESSION *_Nullable sessions[CS_LINK_SESSIONS];
    int session_count;
};

// Prepares the state that all links share, and returns whether that worked.
bool cs_link_prepare(void);

// New memory to receive into; `NULL` without memory.
cs_input *_Nullable cs_input_create(size_t capacity);
// Frees the memory; no link may use it any more.
void cs_input_free(cs_input *input);

// A link to a socket, which the caller still owns; `NULL` without memory.
cs_link *_Nullable cs_link_create(int descriptor, cs_input *input);
// Connects a link to another connection in place of a socket, before its handshake.
void cs_link_lay(cs_link *link, void *context, cs_receive_below receive, cs_send_below send);
// Frees a link and everything that it owns, after its SSL.
void cs_link_free(cs_link *link);
// Attaches the link to an SSL, as its BIO and as the target of its callbacks. Returns whether that worked.
bool cs_link_attach(cs_link *link, cs_SSL *ssl);
// The number of bytes that were received and that OpenSSL has not taken yet.
size_t cs_link_unread(const cs_link *link);
// Makes the handshakes of a context write to the links of its connections. The result of the verification stays the same.
void cs_link_observe(cs_SSL_CTX *context, bool verifies);
// Takes the oldest session, which the caller frees; `NULL` if there is none.
cs_SSL_SESSION *_Nullable cs_link_take_session(cs_link *link);

#pragma clang assume_nonnull end

#endif
#endif
