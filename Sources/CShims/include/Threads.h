// Detached threads.
#ifndef PIUPIU_THREADS_H
#define PIUPIU_THREADS_H

#if defined(__linux__)

// Starts a detached thread, in which SIGPIPE is blocked. The name is cut off after 15 bytes. Returns 0 or an error number.
int cs_start_thread(const char *_Nonnull name, void *_Nullable context, void (*_Nonnull body)(void *_Nullable context));

#endif
#endif
