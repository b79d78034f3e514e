// What a TLS connection has beside OpenSSL's own state: its socket, the bytes that it took from there, and what it saw.
#ifndef PIUPIU_TLS_LINK_H
#define PIUPIU_TLS_LINK_H

#if defined(__linux__)

#include "OpenSSL.h"

#pragma clang assume_nonnull begin

typedef struct cs_link cs_link;

// The memory that the connections of one thread receive into. One large receive takes several records; OpenSSL alone would
// need two calls for each.
//
// Bytes that OpenSSL has not taken yet belong to one connection, the owner. Before another one receives, they are moved to
// memory of the owner's. Without memory for that, the other connection receives past this one, so that bytes of different
// connections never meet.
typedef struct cs_input {
    unsigned char *_Nullable bytes;
    size_t capacity;
    // The owner's bytes.
    size_t start, end;
    // `NULL` if there are no bytes.
    cs_link *_Nullable owner;
} cs_input;

enum {
    // The sessions that wait to be taken.
    CS_LINK_SESSIONS = 4,
    // How often one call into OpenSSL may receive. A record needs one or two; a flood of messages without content, such as
    // tickets, would have no end.
    CS_LINK_RECEIVES = 4,
};

// What the connection below a link says in place of a number of bytes.
enum {
    CS_BELOW_END = 0,
    // Nothing can be done before the socket is readable, or writable.
    CS_BELOW_READS = -1,
    CS_BELOW_WRITES = -2,
    CS_BELOW_FAILED = -3,
};

// Receives, or sends, over the connection below a link, in place of a socket. Returns the number of bytes, or one of the above.
typedef int (*cs_receive_below)(void *context, void *bytes, int count);
typedef int (*cs_send_below)(void *context, const void *bytes, int count);

struct cs_link {
    int descriptor;
    cs_input *input;
    // For TLS within TLS: what stands in for the socket; `NULL` for the socket itself. Such a link has no bytes of its own in
    // the input, and the connection below limits how often one call receives.
    cs_receive_below _Nullable receive_below;
    cs_send_below _Nullable send_below;
    void *_Nullable context;
    // Bytes that had to leave the input; `NULL` if there are none.
    unsigned char *_Nullable moved;
    size_t moved_start, moved_end;
    // The receives that the current call may still do.
    int receives;
    // Whether the newest receive took all that there was, so that the next one would find nothing.
    bool is_drained;
    // Whether the other side has closed the connection.
    bool is_ended;
    // The error numbers of the system; 0 for none. OpenSSL takes an error of a write for a full socket, and can read on: the
    // answer that explains the error may have arrived.
    int read_error, write_error;

    // The result of the verification that refused a certificate, X509_V_ERR_…; 0 for none.
    int verification;
    // Which certificate of the chain that concerns; 0 is the other side's own.
    int depth;
    cs_X509 *_Nullable refused;
    // Whether the other side presented a certificate.
    bool has_seen_certificate;
    // The fatal alert that the other side sent; -1 for none.
    int alert;
    // Whether it asked for a certificate of ours, and whether we had one.
    bool asks_for_certificate, has_certificate;

    // Sessions that were not taken yet, oldest first.
    cs_SSL_SESSION *_Nullable sessions[CS_LINK_SESSIONS];
    int session_count;
};

// Prepares what all links share. Returns whether that worked.
bool cs_link_prepare(void);

// New memory to receive into; `NULL` without memory.
cs_input *_Nullable cs_input_create(size_t capacity);
// Frees it; no link may have it any more.
void cs_input_free(cs_input *input);

// A link to a socket, which stays the caller's; `NULL` without memory.
cs_link *_Nullable cs_link_create(int descriptor, cs_input *input);
// Lays a link on another connection, before its handshake.
void cs_link_lay(cs_link *link, void *context, cs_receive_below receive, cs_send_below send);
// Frees a link and what it has, after its SSL.
void cs_link_free(cs_link *link);
// Makes the link that of an SSL: its BIO, and where its callbacks write to. Returns whether that worked.
bool cs_link_attach(cs_link *link, cs_SSL *ssl);
// The number of bytes that were received and that OpenSSL has not taken yet.
size_t cs_link_unread(const cs_link *link);
// Makes the handshakes of a context write to the links of its connections. The verification's own result stands.
void cs_link_observe(cs_SSL_CTX *context, bool verifies);
// Takes the oldest session, which the caller frees; `NULL` if there is none.
cs_SSL_SESSION *_Nullable cs_link_take_session(cs_link *link);

#pragma clang assume_nonnull end

#endif
#endif
