#if defined(__linux__)

#include "SocketTraffic.h"

#include <stddef.h>

// The kernel's own declaration, because libc's declaration ends before the count of acknowledged bytes.
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

bool cs_socket_traffic(int socket, CSTraffic *traffic) {
    struct tcp_info info = {0};
    socklen_t length = sizeof(info);
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return false;
    // An older kernel returns fewer fields.
    if (length < offsetof(struct tcp_info, tcpi_notsent_bytes) + sizeof(info.tcpi_notsent_bytes)) return false;
    traffic->milliseconds_since_received = info.tcpi_last_data_recv;
    traffic->milliseconds_since_acknowledged = info.tcpi_last_ack_recv;
    traffic->acknowledged = info.tcpi_bytes_acked;
    traffic->has_unsent_bytes = info.tcpi_notsent_bytes > 0 || info.tcpi_unacked > 0;
    return true;
}

#endif
