#if defined(__linux__)

#define _GNU_SOURCE
#include "TLSLink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>

enum {
    BIO_READS = 1,
    BIO_WRITES = 2,
    BIO_RETRIES = 8,
    BIO_ALL_FLAGS = 15,
    BIO_CONTROL_EOF = 2,
    BIO_CONTROL_PENDING = 10,
    BIO_CONTROL_FLUSH = 11,
    BIO_CONTROL_DUP = 12,
    BIO_TYPE_SOURCE_SINK = 0x400,
    // The index of the program's own data.
    LINK_INDEX = 0,
};

static cs_BIO_METHOD *method;

// MARK: Receiving

cs_input *cs_input_create(size_t capacity) {
    cs_input *input = calloc(1, sizeof(cs_input));
    if (!input) return NULL;
    input->capacity = capacity;
    input->bytes = malloc(capacity);
    if (input->bytes) return input;
    free(input);
    return NULL;
}

void cs_input_free(cs_input *input) {
    free(input->bytes);
    free(input);
}

size_t cs_link_unread(const cs_link *link) {
    size_t count = link->moved ? link->moved_end - link->moved_start : 0;
    return count + (link->input->owner == link ? link->input->end - link->input->start : 0);
}

// Makes room in the input, and returns whether there is any.
static bool move_bytes(cs_input *input) {
    cs_link *owner = input->owner;
    if (!owner) return true;
    size_t count = input->end - input->start;
    owner->moved = malloc(count);
    if (!owner->moved) return false;
    memcpy(owner->moved, input->bytes + input->start, count);
    owner->moved_start = 0;
    owner->moved_end = count;
    input->owner = NULL;
    return true;
}

static int take(char *bytes, size_t count, const unsigned char *from, size_t *start, size_t end) {
    size_t taken = end - *start < count ? end - *start : count;
    memcpy(bytes, from + *start, taken);
    *start += taken;
    return (int)taken;
}

static int retry(cs_BIO *bio, int direction) {
    cs_BIO_set_flags(bio, direction | BIO_RETRIES);
    return -1;
}

// Passes on the result of the connection below a link.
static int pass_on(cs_BIO *bio, int result) {
    switch (result) {
    case CS_BELOW_READS: return retry(bio, BIO_READS);
    case CS_BELOW_WRITES: return retry(bio, BIO_WRITES);
    case CS_BELOW_FAILED: return -1;
    default: return result;
    }
}

static int read_bytes(cs_BIO *bio, char *bytes, int count) {
    cs_link *link = cs_BIO_get_data(bio);
    cs_BIO_clear_flags(bio, BIO_ALL_FLAGS);
    if (!link || count <= 0) return 0;
    if (link->receive_below) return pass_on(bio, link->receive_below(link->context, bytes, count));
    cs_input *input = link->input;
    if (link->moved) {
        int taken = take(bytes, (size_t)count, link->moved, &link->moved_start, link->moved_end);
        if (link->moved_start == link->moved_end) {
            free(link->moved);
            link->moved = NULL;
        }
        return taken;
    }
    if (input->owner == link) {
        int taken = take(bytes, (size_t)count, input->bytes, &input->start, input->end);
        if (input->start == input->end) input->owner = NULL;
        return taken;
    }
    if (link->is_drained) {
        link->is_drained = false;
        return retry(bio, BIO_READS);
    }
    if (link->receives <= 0) return retry(bio, BIO_READS);
    link->receives -= 1;
    bool is_shared = move_bytes(input);
    void *room = is_shared ? (void *)input->bytes : bytes;
    size_t capacity = is_shared ? input->capacity : (size_t)count;
    ssize_t received;
    do received = recv(link->descriptor, room, capacity, MSG_DONTWAIT);
    while (received < 0 && errno == EINTR);
    if (received < 0) {
        if (errno == EAGAIN || errno == EWOULDBLOCK) return retry(bio, BIO_READS);
        link->read_error = errno;
        return -1;
    }
    if (received == 0) {
        link->is_ended = true;
        return 0;
    }
    link->is_drained = (size_t)received < capacity;
    if (!is_shared) return (int)received;
    input->start = 0;
    input->end = (size_t)received;
    int taken = take(bytes, (size_t)count, input->bytes, &input->start, input->end);
    if (input->start < input->end) input->owner = link;
    return taken;
}

// MARK: Sending

static int write_bytes(cs_BIO *bio, const char *bytes, int count) {
    cs_link *link = cs_BIO_get_data(bio);
    cs_BIO_clear_flags(bio, BIO_ALL_FLAGS);
    if (!link || count <= 0) return 0;
    if (link->write_error) return retry(bio, BIO_WRITES);
    if (link->send_below) return pass_on(bio, link->send_below(link->context, bytes, count));
    ssize_t sent;
    do sent = send(link->descriptor, bytes, (size_t)count, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    if (sent >= 0) return (int)sent;
    if (errno != EAGAIN && errno != EWOULDBLOCK) link->write_error = errno;
    return retry(bio, BIO_WRITES);
}

static long control(cs_BIO *bio, int command, long number, void *pointer) {
    (void)number, (void)pointer;
    const cs_link *link = cs_BIO_get_data(bio);
    switch (command) {
    case BIO_CONTROL_EOF: return link && link->is_ended && cs_link_unread(link) == 0;
    case BIO_CONTROL_PENDING: return link ? (long)cs_link_unread(link) : 0;
    case BIO_CONTROL_FLUSH: case BIO_CONTROL_DUP: return 1;
    default: return 0;
    }
}

bool cs_link_prepare(void) {
    int index = cs_BIO_get_new_index();
    if (index < 0) return false;
    method = cs_BIO_meth_new(index | BIO_TYPE_SOURCE_SINK, "PiuPiu");
    return method && cs_BIO_meth_set_read(method, read_bytes) == 1 && cs_BIO_meth_set_write(method, write_bytes) == 1
        && cs_BIO_meth_set_ctrl(method, control) == 1;
}

// MARK: Links

cs_link *cs_link_create(int descriptor, cs_input *input) {
    cs_link *link = calloc(1, sizeof(cs_link));
    if (!link) return NULL;
    link->descriptor = descriptor;
    link->input = input;
    link->alert = -1;
    return link;
}

void cs_link_lay(cs_link *link, void *context, cs_receive_below receive, cs_send_below send) {
    link->context = context;
    link->receive_below = receive;
    link->send_below = send;
}

void cs_link_free(cs_link *link) {
    if (link->input->owner == link) link->input->owner = NULL;
    free(link->moved);
    cs_X509_free(link->refused);
    cs_SSL_SESSION *session;
    while ((session = cs_link_take_session(link))) cs_SSL_SESSION_free(session);
    free(link);
}

bool cs_link_attach(cs_link *link, cs_SSL *ssl) {
    cs_BIO *bio = cs_BIO_new(method);
    if (!bio) return false;
    cs_BIO_set_data(bio, link);
    cs_BIO_set_init(bio, 1);
    // The SSL owns the BIO from here on.
    cs_SSL_set_bio(ssl, bio, bio);
    return cs_SSL_set_ex_data(ssl, LINK_INDEX, link) == 1;
}

cs_SSL_SESSION *cs_link_take_session(cs_link *link) {
    if (link->session_count == 0) return NULL;
    cs_SSL_SESSION *session = link->sessions[0];
    link->session_count -= 1;
    memmove(link->sessions, link->sessions + 1, sizeof(link->sessions[0]) * (size_t)link->session_count);
    return session;
}

// MARK: Observing a handshake

// Names are checked before dates, but an invalid date is the better explanation.
static int explanation(int error, const cs_X509 *certificate) {
    const bool is_about_name = error >= 62 && error <= 64;
    if (!is_about_name || !certificate) return error;
    const void *begin = cs_X509_get0_notBefore(certificate), *end = cs_X509_get0_notAfter(certificate);
    // X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED
    if (begin && cs_X509_cmp_current_time(begin) > 0) return 9;
    if (end && cs_X509_cmp_current_time(end) < 0) return 10;
    return error;
}

// Decides nothing: OpenSSL's result stands.
static int note_certificate(int is_good, cs_X509_STORE_CTX *context) {
    const cs_SSL *ssl = cs_X509_STORE_CTX_get_ex_data(context, cs_SSL_get_ex_data_X509_STORE_CTX_idx());
    cs_link *link = ssl ? cs_SSL_get_ex_data(ssl, LINK_INDEX) : NULL;
    if (!link) return is_good;
    link->has_seen_certificate = true;
    if (!is_good && link->verification == 0) {
        cs_X509 *certificate = cs_X509_STORE_CTX_get_current_cert(context);
        int error = explanation(cs_X509_STORE_CTX_get_error(context), certificate);
        // X509_V_ERR_UNSPECIFIED, so that the value is never 0.
        link->verification = error != 0 ? error : 1;
        link->depth = cs_X509_STORE_CTX_get_error_depth(context);
        if (certificate && cs_X509_up_ref(certificate) == 1) link->refused = certificate;
    }
    return is_good;
}

static void note_event(const cs_SSL *ssl, int where, int value) {
    // SSL_CB_READ_ALERT, and the level of the alert is fatal.
    if ((where & 0x4004) != 0x4004 || value >> 8 != 2) return;
    cs_link *link = cs_SSL_get_ex_data(ssl, LINK_INDEX);
    if (link) link->alert = value & 0xFF;
}

static int note_request(cs_SSL *ssl, void *argument) {
    (void)argument;
    cs_link *link = cs_SSL_get_ex_data(ssl, LINK_INDEX);
    if (!link) return 1;
    link->asks_for_certificate = true;
    link->has_certificate = cs_SSL_get_certificate(ssl) != NULL;
    return 1;
}

// Returns whether the link now owns the session.
static int keep_session(cs_SSL *ssl, cs_SSL_SESSION *session) {
    cs_link *link = cs_SSL_get_ex_data(ssl, LINK_INDEX);
    if (!link) return 0;
    if (link->session_count == CS_LINK_SESSIONS) cs_SSL_SESSION_free(cs_link_take_session(link));
    link->sessions[link->session_count++] = session;
    return 1;
}

void cs_link_observe(cs_SSL_CTX *context, bool verifies) {
    // Without verification, OpenSSL's results are not used.
    cs_SSL_CTX_set_verify(
        context, verifies ? CS_SSL_VERIFY_PEER : CS_SSL_VERIFY_NONE, verifies ? note_certificate : NULL);
    cs_SSL_CTX_set_info_callback(context, note_event);
    cs_SSL_CTX_set_cert_cb(context, note_request, NULL);
    cs_SSL_CTX_sess_set_new_cb(context, keep_session);
}

#else

// An empty translation unit is not allowed.
typedef int cs_link_is_for_linux_only;

#endif
