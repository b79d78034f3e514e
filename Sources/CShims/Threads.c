#if defined(__linux__)

#define _GNU_SOURCE
#include "Threads.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

typedef struct cs_thread {
    char name[16];
    void *context;
    void (*body)(void *);
} cs_thread;

static void *run_thread(void *argument) {
    cs_thread thread = *(cs_thread *)argument;
    free(argument);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_setname_np(pthread_self(), thread.name);
    thread.body(thread.context);
    return NULL;
}

int cs_start_thread(const char *name, void *context, void (*body)(void *)) {
    cs_thread *thread = calloc(1, sizeof(cs_thread));
    if (!thread) return ENOMEM;
    strncpy(thread->name, name, sizeof(thread->name) - 1);
    thread->context = context;
    thread->body = body;
    pthread_t identity;
    int code = pthread_create(&identity, NULL, run_thread, thread);
    if (code == 0) pthread_detach(identity);
    else free(thread);
    return code;
}

#else

// An empty translation unit is not allowed.
typedef int cs_threads_are_for_linux_only;

#endif
