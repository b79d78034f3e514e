#define _GNU_SOURCE
#include "CAllocations.h"

#include <errno.h>
#include <link.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>

// What glibc calls its own functions, so that ours can stand in front of them.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static long count, bytes;
// The address ranges of the code whose allocations do not count.
static struct { const char *start, *end; } left_out[4];
static int left_out_count;

static int look(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size; (void)context;
    const char *name = object->dlpi_name;
    if (!name || (!strstr(name, "libcurl") && !strstr(name, "libdispatch"))) return 0;
    for (int i = 0; i < object->dlpi_phnum && left_out_count < 4; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        left_out[left_out_count].start = (const char *)object->dlpi_addr + part->p_vaddr;
        left_out[left_out_count].end = left_out[left_out_count].start + part->p_memsz;
        left_out_count++;
    }
    return 0;
}

void ca_leave_out_libraries(void) { dl_iterate_phdr(look, NULL); }

static void note(size_t size, const char *caller) {
    for (int i = 0; i < left_out_count; i++) {
        if (caller >= left_out[i].start && caller < left_out[i].end) return;
    }
    __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&bytes, (long)size, __ATOMIC_RELAXED);
}

long ca_count(void) { return __atomic_load_n(&count, __ATOMIC_RELAXED); }

long ca_bytes(void) { return __atomic_load_n(&bytes, __ATOMIC_RELAXED); }

void ca_use_one_processor(void) {
    cpu_set_t allowed, one;
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &allowed)) continue;
        CPU_SET(cpu, &one);
        sched_setaffinity(0, sizeof one, &one);
        return;
    }
}

void *malloc(size_t size) {
    note(size, __builtin_return_address(0));
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    note(number * size, __builtin_return_address(0));
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    note(size, __builtin_return_address(0));
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    note(size, __builtin_return_address(0));
    return __libc_memalign(alignment, size);
}

// glibc's would call malloc itself, so that the caller that wants the copy could not be told.
char *strdup(const char *text) {
    size_t size = strlen(text) + 1;
    note(size, __builtin_return_address(0));
    char *copy = __libc_malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **place, size_t alignment, size_t size) {
    void *memory = memalign(alignment, size);
    if (!memory) return ENOMEM;
    *place = memory;
    return 0;
}
