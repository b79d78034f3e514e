// nghttp2's stable ABI, declared here and found at run time: a bare toolchain has the library, but not its headers.
//
// nghttp2's function `nghttp2_submit_ping` is `cs_nghttp2_submit_ping` here, and so on. None of them may be called before
// cs_nghttp2_load has succeeded.
#ifndef PIUPIU_NGHTTP2_H
#define PIUPIU_NGHTTP2_H

#if defined(__linux__)

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

typedef struct cs_h2_session cs_h2_session;
typedef struct cs_h2_callbacks cs_h2_callbacks;
typedef struct cs_h2_options cs_h2_options;

// nghttp2_frame_hd
typedef struct cs_h2_frame_head {
    size_t length;
    int32_t stream;
    uint8_t type;
    uint8_t flags;
    uint8_t reserved;
} cs_h2_frame_head;

// The beginning of nghttp2_frame, with the parts that the engine uses.
typedef struct cs_h2_frame {
    cs_h2_frame_head head;
    union {
        // Of RST_STREAM.
        uint32_t reset_error;
        // Of GOAWAY.
        struct {
            int32_t last_stream;
            uint32_t error;
        } goaway;
    };
} cs_h2_frame;

// nghttp2_nv
typedef struct cs_h2_field {
    const uint8_t *_Nullable name;
    const uint8_t *_Nullable value;
    size_t name_count, value_count;
    uint8_t flags;
} cs_h2_field;

// nghttp2_settings_entry
typedef struct cs_h2_setting {
    int32_t id;
    uint32_t value;
} cs_h2_setting;

// nghttp2_data_source
typedef union cs_h2_source {
    int descriptor;
    void *_Nullable pointer;
} cs_h2_source;

typedef ssize_t (*cs_h2_read)(
    cs_h2_session *session, int32_t stream, uint8_t *buffer, size_t count, uint32_t *flags, cs_h2_source *source,
    void *_Nullable context);

// nghttp2_data_provider
typedef struct cs_h2_provider {
    cs_h2_source source;
    cs_h2_read _Nullable read;
} cs_h2_provider;

typedef int (*cs_h2_on_begin_frame)(cs_h2_session *session, const cs_h2_frame_head *head, void *_Nullable context);
typedef int (*cs_h2_on_frame)(cs_h2_session *session, const cs_h2_frame *frame, void *_Nullable context);
typedef int (*cs_h2_on_frame_fault)(
    cs_h2_session *session, const cs_h2_frame *frame, int error, void *_Nullable context);
typedef int (*cs_h2_on_header)(
    cs_h2_session *session, const cs_h2_frame *frame, const uint8_t *name, size_t name_count, const uint8_t *value,
    size_t value_count, uint8_t flags, void *_Nullable context);
typedef int (*cs_h2_on_data)(
    cs_h2_session *session, uint8_t flags, int32_t stream, const uint8_t *bytes, size_t count,
    void *_Nullable context);
typedef int (*cs_h2_on_close)(cs_h2_session *session, int32_t stream, uint32_t error, void *_Nullable context);

// The numbers of nghttp2's headers and of RFC 9113.
enum {
    CS_H2_DATA = 0,
    CS_H2_HEADERS = 1,
    CS_H2_PRIORITY = 2,
    CS_H2_RST_STREAM = 3,
    CS_H2_SETTINGS = 4,
    CS_H2_GOAWAY = 7,
    CS_H2_WINDOW_UPDATE = 8,

    CS_H2_END_STREAM = 1,
    CS_H2_ACK = 1,
    CS_H2_END_HEADERS = 4,

    CS_H2_ENABLE_PUSH = 2,
    CS_H2_MAX_CONCURRENT_STREAMS = 3,
    CS_H2_INITIAL_WINDOW_SIZE = 4,
    CS_H2_ENABLE_CONNECT_PROTOCOL = 8,

    CS_H2_NO_ERROR = 0,
    CS_H2_REFUSED_STREAM = 7,
    CS_H2_CANCEL = 8,
    CS_H2_ENHANCE_YOUR_CALM = 11,
    CS_H2_HTTP_1_1_REQUIRED = 13,

    // Flags of a producer of content.
    CS_H2_EOF = 1,
    CS_H2_NO_END_STREAM = 2,
    // A field that must not be in a compression table (RFC 7541 §7.1.3).
    CS_H2_NEVER_INDEXED = 1,

    CS_H2_ERROR_DEFERRED = -508,
    CS_H2_ERROR_STREAM_CLOSING = -511,
    CS_H2_ERROR_NOT_ALLOWED = -516,
    CS_H2_ERROR_TEMPORAL = -521,
    CS_H2_ERROR_COMPRESSION = -523,
    CS_H2_ERROR_SESSION_CLOSING = -530,
    CS_H2_ERROR_CALLBACK = -902,
    CS_H2_ERROR_FLOODED = -904,
};

// The list has its own pragma, because files are not included inside one.
#pragma clang assume_nonnull end

#define H2_CALLS(result, name, parameters, arguments) \
    extern result(*_Nullable cs_pointer_##name) parameters; \
    static inline result cs_##name parameters { return cs_pointer_##name arguments; }
#define H2_MAY_SET(name, parameters, arguments) \
    extern void (*_Nullable cs_pointer_##name) parameters; \
    static inline void cs_##name parameters { \
        if (cs_pointer_##name) cs_pointer_##name arguments; \
    }
#include "NGHTTP2Functions.def"
#undef H2_CALLS
#undef H2_MAY_SET

#pragma clang assume_nonnull begin

// Finds nghttp2: the one that the whole process sees, or otherwise the system's. Returns `NULL` on success, or otherwise the
// missing part. Call it once.
const char *_Nullable cs_nghttp2_load(const char *_Nullable path);
// The version as a number, such as 0x013400 for 1.52.0; 0 before it was loaded.
int cs_nghttp2_version_number(void);
// The version as text, such as "1.52.0"; `NULL` before it was loaded.
const char *_Nullable cs_nghttp2_version_text(void);

#pragma clang assume_nonnull end

#endif
#endif
