#if defined(__linux__)

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "MemoryFile.h"

int pp_memory_file(const void *bytes, size_t count) {
    int descriptor = memfd_create("piupiu", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) return -1;
    size_t position = 0;
    while (position < count) {
        ssize_t written = write(descriptor, (const char *)bytes + position, count - position);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            close(descriptor);
            return -1;
        }
        position += (size_t)written;
    }
    if (fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

#endif
