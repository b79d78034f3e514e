#if defined(__linux__)

#define _GNU_SOURCE
#include "NGHTTP2.h"

#include <dlfcn.h>

#define H2_CALLS(result, name, parameters, arguments) result(*_Nullable cs_pointer_##name) parameters;
#define H2_MAY_SET(name, parameters, arguments) void (*_Nullable cs_pointer_##name) parameters;
#include "NGHTTP2Functions.def"
#undef H2_CALLS
#undef H2_MAY_SET

// nghttp2_info
typedef struct info {
    int age;
    int number;
    const char *text;
    const char *protocol;
} info;

static const info *version;

// Finds a function of a candidate. Another nghttp2 in the process may have functions that the first one lacks, for other
// structures.
static void *find(void *candidate, const char *name) {
    Dl_info first, own;
    void *function = dlsym(candidate, name);
    if (!function || !dladdr(dlsym(candidate, "nghttp2_version"), &first) || !dladdr(function, &own)) return NULL;
    return first.dli_fbase == own.dli_fbase ? function : NULL;
}

// Returns the first part that a candidate lacks; `NULL` if it has everything.
static const char *missing_from(void *candidate) {
#define H2_CALLS(result, name, parameters, arguments) \
    if (!(*(void **)&cs_pointer_##name = find(candidate, #name))) return #name;
#define H2_MAY_SET(name, parameters, arguments) *(void **)&cs_pointer_##name = find(candidate, #name);
#include "NGHTTP2Functions.def"
#undef H2_CALLS
#undef H2_MAY_SET
    const info *(*get_version)(int) = (const info *(*)(int))dlsym(candidate, "nghttp2_version");
    const info *found = get_version ? get_version(0) : NULL;
    // 1.33.0; the next major version has another ABI.
    if (!found || found->number < 0x012100 || found->number >> 16 != 1) return "a version that is known, 1.33 or later";
    version = found;
    return NULL;
}

const char *cs_nghttp2_load(const char *path) {
    const char *missing = "libnghttp2.so.14";
    // Prefer an nghttp2 that the process already sees, because a second one would call its functions.
    if (dlsym(RTLD_DEFAULT, "nghttp2_session_client_new2")) return missing_from(RTLD_DEFAULT);
    void *candidate = dlopen(path ? path : missing, RTLD_NOW | RTLD_LOCAL);
    return candidate ? missing_from(candidate) : missing;
}

int cs_nghttp2_version_number(void) { return version ? version->number : 0; }

const char *cs_nghttp2_version_text(void) { return version ? version->text : NULL; }

#else

// An empty translation unit is not allowed.
typedef int cs_nghttp2_is_for_linux_only;

#endif
