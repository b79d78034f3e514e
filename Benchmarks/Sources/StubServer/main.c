// A server that answers each GET with 500 bytes after as many milliseconds as the path says (/0, /300), over HTTP/1.1,
// from one thread. Prints its port, and ends when its standard input does. /most gives the largest number of requests
// that waited at the same time, and begins to count anew.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT = 20000, BODY = 500 };

typedef struct { int used, length; char bytes[2048]; double due; } Connection;

static Connection *connections[LIMIT];
static int largest, waiting, most;
static char answer[2048];

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static void end(int socket) {
    if (connections[socket]->due > 0) waiting--;
    free(connections[socket]);
    connections[socket] = NULL;
    close(socket);
}

static void give(int socket, const char *text, size_t length) {
    if (send(socket, text, length, MSG_NOSIGNAL) != (ssize_t)length) end(socket);
}

static void answer_head(int socket, const char *head) {
    if (strncmp(head, "GET /most ", 10) == 0) {
        char text[200], number[20];
        int digits = sprintf(number, "%d", most);
        give(socket, text, sprintf(text, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", digits, number));
        most = waiting;
        return;
    }
    int delay = strncmp(head, "GET /", 5) == 0 ? atoi(head + 5) : 0;
    if (delay == 0) return give(socket, answer, strlen(answer));
    connections[socket]->due = now() + delay * 1e-3;
    if (++waiting > most) most = waiting;
}

static void on_readable(int socket) {
    Connection *connection = connections[socket];
    for (;;) {
        ssize_t count = recv(socket, connection->bytes + connection->length,
                             sizeof connection->bytes - 1 - connection->length, 0);
        if (count < 0 && errno == EAGAIN) return;
        if (count <= 0) return end(socket);
        connection->length += count;
        connection->bytes[connection->length] = 0;
        if (strstr(connection->bytes, "\r\n\r\n")) {
            connection->length = 0;
            answer_head(socket, connection->bytes);
            if (connections[socket] != connection) return;
        }
    }
}

static void accept_all(int listener, int poller) {
    for (;;) {
        int socket = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), yes = 1;
        if (socket < 0) return;
        if (socket >= LIMIT) {
            close(socket);
            continue;
        }
        setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        connections[socket] = calloc(1, sizeof(Connection));
        if (socket > largest) largest = socket;
        struct epoll_event event = {.events = EPOLLIN, .data.fd = socket};
        epoll_ctl(poller, EPOLL_CTL_ADD, socket, &event);
    }
}

int main(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    int start = sprintf(answer, "HTTP/1.1 200 OK\r\nServer: stub\r\nDate: Mon, 01 Jan 2024 00:00:00 GMT\r\n"
                                "Content-Type: application/json\r\nContent-Length: %d\r\nConnection: keep-alive\r\n"
                                "ETag: \"65920080-1f4\"\r\nAccept-Ranges: bytes\r\n\r\n", BODY);
    memset(answer + start, 'x', BODY);

    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 8192) ||
        getsockname(listener, (struct sockaddr *)&address, &size)) return 1;
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);

    int poller = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event events[256] = {{.events = EPOLLIN, .data.fd = listener}};
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, events);
    events[0] = (struct epoll_event){.events = EPOLLIN | EPOLLHUP, .data.fd = 0};
    epoll_ctl(poller, EPOLL_CTL_ADD, 0, events);
    double looked = 0;
    for (;;) {
        int count = epoll_wait(poller, events, 256, waiting ? 5 : -1);
        for (int i = 0; i < count; i++) {
            int fd = events[i].data.fd;
            char byte;
            if (fd == 0 && read(0, &byte, 1) <= 0) return 0;
            if (fd == listener) accept_all(listener, poller);
            else if (fd != 0 && connections[fd]) on_readable(fd);
        }
        double time = now();
        if (!waiting || time < looked + 0.005) continue;
        looked = time;
        for (int fd = 0; fd <= largest; fd++) {
            if (!connections[fd] || connections[fd]->due == 0 || connections[fd]->due > time) continue;
            connections[fd]->due = 0;
            waiting--;
            give(fd, answer, strlen(answer));
        }
    }
}
