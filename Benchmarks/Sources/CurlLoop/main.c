// A plain loop on libcurl's multi interface: the speed a client on libcurl cannot exceed by much.
//
// Usage: CurlLoop IN_FLIGHT SECONDS LENGTH URL [CA_FILE]
// In the environment: CONNECTIONS, how many may be open; POST, the length of a body to be sent; HTTP2, to offer it.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "../../../Sources/CurlShim/include/CurlConstants.h"

typedef struct { int msg; void *easy; union { void *whatever; int result; } data; } Message;
extern int curl_global_init(long);
extern void *curl_easy_init(void);
extern int curl_easy_setopt(void *, int, ...);
extern int curl_easy_getinfo(void *, int, ...);
extern void *curl_multi_init(void);
extern int curl_multi_setopt(void *, int, ...);
extern int curl_multi_add_handle(void *, void *);
extern int curl_multi_remove_handle(void *, void *);
extern int curl_multi_assign(void *, int, void *);
extern int curl_multi_socket_action(void *, int, int, int *);
extern Message *curl_multi_info_read(void *, int *);

static int poller;
static void *multi;
static long timer = -1;
static size_t expected;

static size_t on_body(char *bytes, size_t size, size_t count, void *received) {
    (void)bytes;
    *(size_t *)received += size * count;
    return size * count;
}

static size_t on_head(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes; (void)context;
    return size * count;
}

static int on_socket(void *easy, int socket, int what, void *context, void *known) {
    (void)easy; (void)context;
    struct epoll_event event = {0};
    event.data.fd = socket;
    if (what == PP_CURL_POLL_REMOVE) {
        epoll_ctl(poller, EPOLL_CTL_DEL, socket, &event);
        return 0;
    }
    event.events = (what & PP_CURL_POLL_IN ? EPOLLIN : 0) | (what & PP_CURL_POLL_OUT ? EPOLLOUT : 0);
    epoll_ctl(poller, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
    if (!known) curl_multi_assign(multi, socket, (void *)1);
    return 0;
}

static int on_timer(void *m, long milliseconds, void *context) {
    (void)m; (void)context;
    timer = milliseconds;
    return 0;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static double cpu(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

typedef struct { void *easy; size_t received; } Exchange;

// Keeps so many in flight until the time is over, and gives how many there were.
static long run(Exchange **idle, int in_flight, double seconds) {
    long started = 0, finished = 0;
    int running = 0, free_handles = in_flight;
    double end = now() + seconds;
    struct epoll_event events[256];
    for (;;) {
        int goes_on = started < in_flight || now() < end;
        while (free_handles > 0 && goes_on) {
            Exchange *exchange = idle[--free_handles];
            exchange->received = 0;
            curl_multi_add_handle(multi, exchange->easy);
            started++;
        }
        if (finished == started) return finished;
        if (timer == 0) {
            timer = -1;
            curl_multi_socket_action(multi, PP_CURL_SOCKET_TIMEOUT, 0, &running);
        } else {
            int count = epoll_wait(poller, events, 256, (int)timer);
            if (count == 0) {
                timer = -1;
                curl_multi_socket_action(multi, PP_CURL_SOCKET_TIMEOUT, 0, &running);
            }
            for (int i = 0; i < count; i++) {
                int mask = (events[i].events & EPOLLIN ? PP_CURL_CSELECT_IN : 0) |
                           (events[i].events & EPOLLOUT ? PP_CURL_CSELECT_OUT : 0) |
                           (events[i].events & (EPOLLERR | EPOLLHUP) ? PP_CURL_CSELECT_ERR : 0);
                curl_multi_socket_action(multi, events[i].data.fd, mask, &running);
            }
        }
        Message *message;
        int left;
        while ((message = curl_multi_info_read(multi, &left))) {
            void *easy = message->easy;
            int code = message->data.result;
            long status = 0;
            curl_easy_getinfo(easy, PP_CURLINFO_RESPONSE_CODE, &status);
            Exchange *exchange;
            curl_easy_getinfo(easy, PP_CURLINFO_PRIVATE, &exchange);
            if (code != 0 || status != 200 || exchange->received != expected) {
                fprintf(stderr, "code %d status %ld length %zu\n", code, status, exchange->received);
                exit(1);
            }
            curl_multi_remove_handle(multi, easy);
            idle[free_handles++] = exchange;
            finished++;
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 5) return 2;
    int in_flight = atoi(argv[1]);
    double seconds = atof(argv[2]);
    expected = strtoul(argv[3], NULL, 10);
    int is_secure = strncmp(argv[4], "https", 5) == 0, offers_http2 = getenv("HTTP2") != NULL;
    int max_connections = getenv("CONNECTIONS") ? atoi(getenv("CONNECTIONS")) : 0;
    int posted = getenv("POST") ? atoi(getenv("POST")) : 0;
    char *body = calloc(1, posted + 1);
    memset(body, 'x', posted);
    curl_global_init(PP_CURL_GLOBAL_DEFAULT);
    multi = curl_multi_init();
    poller = epoll_create1(0);
    curl_multi_setopt(multi, PP_CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(multi, PP_CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(multi, PP_CURLMOPT_MAXCONNECTS, 512L);
    if (max_connections) curl_multi_setopt(multi, PP_CURLMOPT_MAX_HOST_CONNECTIONS, (long)max_connections);
    Exchange *exchanges = calloc(in_flight, sizeof(Exchange)), **idle = calloc(in_flight, sizeof(Exchange *));
    for (int i = 0; i < in_flight; i++) {
        idle[i] = &exchanges[i];
        void *easy = idle[i]->easy = curl_easy_init();
        curl_easy_setopt(easy, PP_CURLOPT_PRIVATE, idle[i]);
        curl_easy_setopt(easy, PP_CURLOPT_URL, argv[4]);
        curl_easy_setopt(easy, PP_CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(easy, PP_CURLOPT_WRITEFUNCTION, on_body);
        curl_easy_setopt(easy, PP_CURLOPT_WRITEDATA, &idle[i]->received);
        curl_easy_setopt(easy, PP_CURLOPT_HEADERFUNCTION, on_head);
        if (posted) {
            curl_easy_setopt(easy, PP_CURLOPT_POSTFIELDSIZE_LARGE, (int64_t)posted);
            curl_easy_setopt(easy, PP_CURLOPT_COPYPOSTFIELDS, body);
        }
        if (is_secure && argc > 5) curl_easy_setopt(easy, PP_CURLOPT_CAINFO, argv[5]);
        if (offers_http2) {
            curl_easy_setopt(easy, PP_CURLOPT_PIPEWAIT, 1L);
        } else {
            curl_easy_setopt(easy, PP_CURLOPT_HTTP_VERSION, (long)PP_CURL_HTTP_VERSION_1_1);
        }
    }
    run(idle, in_flight, seconds / 4 < 0.25 ? seconds / 4 : 0.25);
    double wall = now(), time = cpu();
    long total = run(idle, in_flight, seconds);
    wall = now() - wall;
    time = cpu() - time;
    printf("{\"client\":\"C loop\",\"count\":%ld,\"rate\":%.0f,\"latency_us\":%.1f,\"cpu_us\":%.2f}\n",
           total, total / wall, wall / total * in_flight * 1e6, time / total * 1e6);
    return 0;
}
