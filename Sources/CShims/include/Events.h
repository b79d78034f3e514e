// epoll and eventfd in a form that Swift can call.
#ifndef PIUPIU_EVENTS_H
#define PIUPIU_EVENTS_H

#if defined(__linux__)

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

// The flags of epoll as plain numbers.
enum {
    CS_READABLE = EPOLLIN,
    CS_WRITABLE = EPOLLOUT,
    // The peer sends nothing more.
    CS_HALF_CLOSED = EPOLLRDHUP,
    CS_HANGUP = EPOLLHUP,
    CS_ERROR = EPOLLERR,
};

// A new epoll descriptor that child processes do not inherit; -1 with `errno` on failure.
static inline int cs_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

// A new non-blocking event counter that child processes do not inherit; -1 with `errno` on failure.
static inline int cs_eventfd_create(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

// epoll_ctl with a token, which the descriptor's events carry; 0, or -1 with `errno`.
static inline int cs_epoll_ctl(int epoll, int operation, int descriptor, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data.u64 = token};
    return epoll_ctl(epoll, operation, descriptor, &event);
}

// The token of an event, whose layout is unusual on some processors.
static inline uint64_t cs_epoll_token(const struct epoll_event *_Nonnull event) { return event->data.u64; }

#endif
#endif
