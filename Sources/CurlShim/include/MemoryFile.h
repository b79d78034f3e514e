// Files in memory, without a name in the file system.
#ifndef PIUPIU_MEMORY_FILE_H
#define PIUPIU_MEMORY_FILE_H

#if defined(__linux__)

#include <stddef.h>

// Copies bytes into memory and seals it against changes. Returns a descriptor that child processes do not inherit, or -1 with
// errno.
int pp_memory_file(const void *_Nullable bytes, size_t count);

#endif
#endif
