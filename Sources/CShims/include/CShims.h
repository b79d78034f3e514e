// The C interfaces that the engine needs: the ABIs of OpenSSL, nghttp2 and the compressors, the link between OpenSSL and a
// socket, epoll, threads, renaming.
#ifndef PIUPIU_C_SHIMS_H
#define PIUPIU_C_SHIMS_H

#include "ContentCoding.h"
#include "Events.h"
#include "KeyLog.h"
#include "NGHTTP2.h"
#include "OpenSSL.h"
#include "Renaming.h"
#include "SocketTraffic.h"
#include "TLSLink.h"
#include "Threads.h"

#endif
