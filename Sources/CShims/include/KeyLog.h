// The secrets of TLS connections, for debuggers such as Wireshark, if the environment asks for them.
#ifndef PIUPIU_KEY_LOG_H
#define PIUPIU_KEY_LOG_H

#if defined(__linux__)

#include "OpenSSL.h"

#pragma clang assume_nonnull begin

// Makes the connections of a context append their secrets to the file that `SSLKEYLOGFILE` named at the first call. Has no
// effect without the variable, or if the file cannot be written.
void cs_log_keys(cs_SSL_CTX *context);

#pragma clang assume_nonnull end

#endif
#endif
