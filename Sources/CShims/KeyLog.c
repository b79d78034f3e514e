#if defined(__linux__)

#define _GNU_SOURCE
#include "KeyLog.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

static int file = -1;

static void open_file(void) {
    // Ignores the variable in programs with more rights than the user who started them.
    const char *path = secure_getenv("SSLKEYLOGFILE");
    if (path && *path) file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

// Writes a line in one call, so that lines of several threads don't mix.
static void write_line(const cs_SSL *ssl, const char *line) {
    (void)ssl;
    struct iovec parts[] = {{(void *)line, strlen(line)}, {(void *)"\n", 1}};
    ssize_t written;
    do written = writev(file, parts, 2);
    while (written < 0 && errno == EINTR);
}

void cs_log_keys(cs_SSL_CTX *context) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_file);
    if (file >= 0) cs_SSL_CTX_set_keylog_callback(context, write_line);
}

#else

// An empty translation unit is not allowed.
typedef int cs_key_log_is_for_linux_only;

#endif
