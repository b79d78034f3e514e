#if defined(__linux__)
#ifndef CS_SOCKET_TRAFFIC_H
#define CS_SOCKET_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

// What the system says about the bytes of a TCP connection.
typedef struct CSTraffic {
    uint32_t milliseconds_since_received;
    // Since anything was acknowledged, which may be nothing new.
    uint32_t milliseconds_since_acknowledged;
    uint64_t acknowledged;
    bool has_unsent_bytes;
} CSTraffic;

// Returns whether the system says it.
bool cs_socket_traffic(int socket, CSTraffic *_Nonnull traffic);

#endif
#endif
