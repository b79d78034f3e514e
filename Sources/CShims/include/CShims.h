// What the engine needs from C: OpenSSL's ABI, the link between OpenSSL and a socket, epoll and threads.
#ifndef PIUPIU_C_SHIMS_H
#define PIUPIU_C_SHIMS_H

#include "Events.h"
#include "OpenSSL.h"
#include "SocketTraffic.h"
#include "TLSLink.h"
#include "Threads.h"

#endif
