// Details of a handshake that OpenSSL reports while it happens; libcurl's codes contain less information.
#ifndef PIUPIU_TLS_WITNESS_H
#define PIUPIU_TLS_WITNESS_H

#if defined(__linux__)

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

typedef struct PPEasy PPEasy;

// Records the newest handshake of a handle. A connection keeps the witness alive while it may write to it; only the thread that
// drives the handle and its connections may use it.
typedef struct PPTLSWitness PPTLSWitness;

// The details that a witness recorded.
typedef struct PPTLSTestimony {
    // The number of handshakes since the witness was reset: with a proxy that speaks TLS, the second is the server's.
    int handshakes;
    // X509_V_ERR_…; 0 for none.
    int error;
    // The index in the chain of the refused certificate; 0 is the peer's own.
    int depth;
    // The fatal alert that the peer sent (RFC 8446 §6); -1 for none.
    int alert;
    // Whether the peer asked for a client certificate.
    bool asks_for_certificate;
    // Whether there was a client certificate when the peer asked.
    bool has_certificate;
} PPTLSTestimony;

// Whether a library's OpenSSL_version text names the version that libcurl reports.
bool pp_is_same_openssl(const char *_Nullable own, const char *_Nullable used);
// Returns a witness for a handle; `NULL` if libcurl works with another TLS library, or without memory.
PPTLSWitness *_Nullable pp_tls_witness_create(void);
// Releases the witness.
void pp_tls_witness_release(PPTLSWitness *witness);
// Makes a witness record a handle's handshakes; replaces CURLOPT_SSL_CTX_FUNCTION. Returns whether libcurl agreed.
bool pp_tls_witness_attach(PPTLSWitness *witness, PPEasy *easy);
// Discards the recorded handshake.
void pp_tls_witness_reset(PPTLSWitness *witness);
PPTLSTestimony pp_tls_witness_testimony(const PPTLSWitness *witness);
// Writes the certificate of the testimony's error, or the peer's own, in DER. Returns its length; 0 if there is no certificate
// or it is longer than the capacity.
size_t pp_tls_witness_certificate(
    const PPTLSWitness *witness, bool is_refused, unsigned char *bytes, size_t capacity);

#pragma clang assume_nonnull end

#endif
#endif
