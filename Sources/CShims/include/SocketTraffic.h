#if defined(__linux__)
#ifndef CS_SOCKET_TRAFFIC_H
#define CS_SOCKET_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

// The system's counters for the bytes of a TCP connection.
typedef struct CSTraffic {
    uint32_t milliseconds_since_received;
    // The time since the last acknowledgement, which may be of earlier bytes.
    uint32_t milliseconds_since_acknowledged;
    uint64_t acknowledged;
    bool has_unsent_bytes;
} CSTraffic;

// Returns whether the system provides the counters.
bool cs_socket_traffic(int socket, CSTraffic *_Nonnull traffic);

#endif
#endif
