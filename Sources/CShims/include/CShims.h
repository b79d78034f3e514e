// What the engine needs from C: the ABIs of OpenSSL and nghttp2, the link between OpenSSL and a socket, epoll, threads.
#ifndef PIUPIU_C_SHIMS_H
#define PIUPIU_C_SHIMS_H

#include "Events.h"
#include "KeyLog.h"
#include "NGHTTP2.h"
#include "OpenSSL.h"
#include "SocketTraffic.h"
#include "TLSLink.h"
#include "Threads.h"

#endif
