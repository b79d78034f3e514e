#if defined(__linux__)

#include "ContentCoding.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

// MARK: The libraries' own numbers, layouts and functions, as their headers declare them

enum {
    PP_Z_NO_FLUSH = 0,
    PP_Z_SYNC_FLUSH = 2,
    PP_Z_FINISH = 4,
    PP_Z_DEFAULT_STRATEGY = 0,
    PP_Z_DEFLATED = 8,
    PP_Z_OK = 0,
    PP_Z_STREAM_END = 1,
    PP_Z_MEM_ERROR = -4,
    PP_Z_BUF_ERROR = -5,
    PP_BROTLI_DECODER_RESULT_SUCCESS = 1,
    PP_BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT = 2,
    PP_BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT = 3,
    PP_BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES = -21,
    PP_BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES = -30,
    PP_ZSTD_d_windowLogMax = 100,
    PP_ZSTD_error_memory_allocation = 64,
};

// `z_stream`.
typedef struct PPZStream {
    const unsigned char *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *(*zalloc)(void *opaque, unsigned int items, unsigned int size);
    void (*zfree)(void *opaque, void *address);
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
} PPZStream;

typedef struct PPBrotli PPBrotli;
typedef struct PPZstd PPZstd;

// `ZSTD_inBuffer`.
typedef struct PPZstdInput {
    const void *src;
    size_t size;
    size_t pos;
} PPZstdInput;

// `ZSTD_outBuffer`.
typedef struct PPZstdOutput {
    void *dst;
    size_t size;
    size_t pos;
} PPZstdOutput;

// These are not linked: they only provide the types for the tables below.
extern int inflateInit2_(PPZStream *stream, int windowBits, const char *version, int size);
extern int inflate(PPZStream *stream, int flush);
extern int inflateReset2(PPZStream *stream, int windowBits);
extern int inflateResetKeep(PPZStream *stream);
extern int inflateEnd(PPZStream *stream);
extern int deflateInit2_(PPZStream *stream, int level, int method, int windowBits, int memoryLevel, int strategy,
                         const char *version, int size);
extern int deflate(PPZStream *stream, int flush);
extern int deflateReset(PPZStream *stream);
extern int deflateEnd(PPZStream *stream);
extern const char *zlibVersion(void);
extern PPBrotli *BrotliDecoderCreateInstance(void *(*allocate)(void *opaque, size_t size),
                                             void (*release)(void *opaque, void *address), void *opaque);
extern void BrotliDecoderDestroyInstance(PPBrotli *brotli);
extern int BrotliDecoderDecompressStream(PPBrotli *brotli, size_t *inputCount, const uint8_t **input, size_t *roomCount,
                                         uint8_t **room, size_t *total);
extern int BrotliDecoderHasMoreOutput(const PPBrotli *brotli);
extern int BrotliDecoderGetErrorCode(const PPBrotli *brotli);
extern PPZstd *ZSTD_createDStream(void);
extern size_t ZSTD_freeDStream(PPZstd *zstd);
extern size_t ZSTD_initDStream(PPZstd *zstd);
extern size_t ZSTD_DCtx_setParameter(PPZstd *zstd, int parameter, int value);
extern size_t ZSTD_decompressStream(PPZstd *zstd, PPZstdOutput *output, PPZstdInput *input);
extern unsigned int ZSTD_isError(size_t code);
extern int ZSTD_getErrorCode(size_t code);

// MARK: Opening

#define PP_ZLIB_FUNCTIONS(each) \
    each(inflateInit2_) each(inflate) each(inflateReset2) each(inflateResetKeep)        \
    each(inflateEnd) each(deflateInit2_) each(deflate) each(deflateReset)               \
    each(deflateEnd) each(zlibVersion)
#define PP_BROTLI_FUNCTIONS(each)                                                       \
    each(BrotliDecoderCreateInstance) each(BrotliDecoderDestroyInstance)                \
    each(BrotliDecoderDecompressStream) each(BrotliDecoderHasMoreOutput)                \
    each(BrotliDecoderGetErrorCode)
#define PP_ZSTD_FUNCTIONS(each)                                                         \
    each(ZSTD_createDStream) each(ZSTD_freeDStream) each(ZSTD_initDStream)              \
    each(ZSTD_DCtx_setParameter) each(ZSTD_decompressStream) each(ZSTD_isError)         \
    each(ZSTD_getErrorCode)

#define PP_POINTER(name) __typeof__(name) *name;
#define PP_FIND(name) (functions.name = (__typeof__(name) *)dlsym(library, #name)) &&

// A library's functions, found at the first use and kept for the lifetime of the process.
static struct { PP_ZLIB_FUNCTIONS(PP_POINTER) bool isLoaded; } zlib;
static struct { PP_BROTLI_FUNCTIONS(PP_POINTER) bool isLoaded; } brotli;
static struct { PP_ZSTD_FUNCTIONS(PP_POINTER) bool isLoaded; } zstd;

static void pp_load_zlib(void) {
    void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    __typeof__(zlib) functions = {0};
    // The first digit of the version changes with the layout of `z_stream`.
    functions.isLoaded = PP_ZLIB_FUNCTIONS(PP_FIND) functions.zlibVersion()[0] == '1';
    zlib = functions;
}

static void pp_load_brotli(void) {
    void *library = dlopen("libbrotlidec.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    __typeof__(brotli) functions = {0};
    functions.isLoaded = PP_BROTLI_FUNCTIONS(PP_FIND) true;
    brotli = functions;
}

static void pp_load_zstd(void) {
    void *library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    __typeof__(zstd) functions = {0};
    functions.isLoaded = PP_ZSTD_FUNCTIONS(PP_FIND) true;
    zstd = functions;
}

bool pp_format_is_available(PPFormat format) {
    static pthread_once_t zlibOnce = PTHREAD_ONCE_INIT;
    static pthread_once_t brotliOnce = PTHREAD_ONCE_INIT;
    static pthread_once_t zstdOnce = PTHREAD_ONCE_INIT;
    switch (format) {
    case PP_FORMAT_GZIP:
    case PP_FORMAT_ZLIB:
    case PP_FORMAT_RAW_DEFLATE:
        pthread_once(&zlibOnce, pp_load_zlib);
        return zlib.isLoaded;
    case PP_FORMAT_BROTLI:
        pthread_once(&brotliOnce, pp_load_brotli);
        return brotli.isLoaded;
    case PP_FORMAT_ZSTD:
        pthread_once(&zstdOnce, pp_load_zstd);
        return zstd.isLoaded;
    }
    return false;
}

// MARK: Decompressing

struct PPDecompressor {
    PPFormat format;
    // zlib keeps the address of its stream.
    PPZStream stream;
    PPBrotli *brotli;
    PPZstd *zstd;
};

// zlib's number for a format: the logarithm of the largest window, negative for raw deflate, with 16 added for gzip.
static int pp_window_bits(PPFormat format) {
    switch (format) {
    case PP_FORMAT_GZIP: return 15 + 16;
    case PP_FORMAT_RAW_DEFLATE: return -15;
    default: return 15;
    }
}

static bool pp_begin_zlib(PPDecompressor *decompressor) {
    int bits = pp_window_bits(decompressor->format);
    // zlib compares only the first digit of the version.
    return zlib.inflateInit2_(&decompressor->stream, bits, "1", (int)sizeof(PPZStream)) == PP_Z_OK;
}

static bool pp_begin_zstd(PPDecompressor *decompressor) {
    decompressor->zstd = zstd.ZSTD_createDStream();
    if (!decompressor->zstd) return false;
    return !zstd.ZSTD_isError(zstd.ZSTD_initDStream(decompressor->zstd))
        // The largest window of the content coding, 2^23 bytes (RFC 9659 §3).
        && !zstd.ZSTD_isError(zstd.ZSTD_DCtx_setParameter(decompressor->zstd, PP_ZSTD_d_windowLogMax, 23));
}

PPDecompressor *pp_decompressor_create(PPFormat format) {
    if (!pp_format_is_available(format)) return NULL;
    PPDecompressor *decompressor = calloc(1, sizeof(PPDecompressor));
    if (!decompressor) return NULL;
    decompressor->format = format;
    bool hasBegun;
    switch (format) {
    case PP_FORMAT_BROTLI:
        // The extension for large windows, which is not part of the content coding, is off by default.
        decompressor->brotli = brotli.BrotliDecoderCreateInstance(NULL, NULL, NULL);
        hasBegun = decompressor->brotli != NULL;
        break;
    case PP_FORMAT_ZSTD: hasBegun = pp_begin_zstd(decompressor); break;
    default: hasBegun = pp_begin_zlib(decompressor); break;
    }
    if (hasBegun) return decompressor;
    pp_decompressor_destroy(decompressor);
    return NULL;
}

void pp_decompressor_destroy(PPDecompressor *decompressor) {
    if (decompressor->brotli) brotli.BrotliDecoderDestroyInstance(decompressor->brotli);
    if (decompressor->zstd) zstd.ZSTD_freeDStream(decompressor->zstd);
    if (decompressor->stream.state) zlib.inflateEnd(&decompressor->stream);
    free(decompressor);
}

bool pp_decompressor_reset(PPDecompressor *decompressor, PPFormat format) {
    if (decompressor->brotli || format == PP_FORMAT_BROTLI) return false;
    if ((decompressor->zstd != NULL) != (format == PP_FORMAT_ZSTD)) return false;
    decompressor->format = format;
    if (decompressor->zstd) return !zstd.ZSTD_isError(zstd.ZSTD_initDStream(decompressor->zstd));
    return zlib.inflateReset2(&decompressor->stream, pp_window_bits(format)) == PP_Z_OK;
}

static PPStep pp_step_zlib(PPZStream *stream, const void *input, size_t inputCount, void *room, size_t roomCount,
                           size_t *consumed, size_t *produced) {
    unsigned int inputOffered = inputCount < UINT32_MAX ? (unsigned int)inputCount : UINT32_MAX;
    unsigned int roomOffered = roomCount < UINT32_MAX ? (unsigned int)roomCount : UINT32_MAX;
    stream->next_in = input;
    stream->avail_in = inputOffered;
    stream->next_out = room;
    stream->avail_out = roomOffered;
    int code = zlib.inflate(stream, PP_Z_NO_FLUSH);
    *consumed = inputOffered - stream->avail_in;
    *produced = roomOffered - stream->avail_out;
    switch (code) {
    case PP_Z_STREAM_END: return PP_STEP_ENDED;
    case PP_Z_OK:
    case PP_Z_BUF_ERROR: return stream->avail_out == 0 ? PP_STEP_NEEDS_ROOM : PP_STEP_NEEDS_INPUT;
    case PP_Z_MEM_ERROR: return PP_STEP_OUT_OF_MEMORY;
    // This includes a request for a dictionary, which content codings do not have.
    default: return PP_STEP_MALFORMED;
    }
}

static PPStep pp_step_brotli(PPBrotli *state, const void *input, size_t inputCount, void *room, size_t roomCount,
                             size_t *consumed, size_t *produced) {
    const uint8_t *nextInput = input;
    uint8_t *nextRoom = room;
    size_t inputLeft = inputCount, roomLeft = roomCount;
    int result = brotli.BrotliDecoderDecompressStream(state, &inputLeft, &nextInput, &roomLeft, &nextRoom, NULL);
    *consumed = inputCount - inputLeft;
    *produced = roomCount - roomLeft;
    switch (result) {
    case PP_BROTLI_DECODER_RESULT_SUCCESS: return PP_STEP_ENDED;
    case PP_BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: return PP_STEP_NEEDS_ROOM;
    case PP_BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
        return brotli.BrotliDecoderHasMoreOutput(state) ? PP_STEP_NEEDS_ROOM : PP_STEP_NEEDS_INPUT;
    default: break;
    }
    int code = brotli.BrotliDecoderGetErrorCode(state);
    bool isMemory = code <= PP_BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES
        && code >= PP_BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES;
    return isMemory ? PP_STEP_OUT_OF_MEMORY : PP_STEP_MALFORMED;
}

static PPStep pp_step_zstd(PPZstd *state, const void *input, size_t inputCount, void *room, size_t roomCount,
                           size_t *consumed, size_t *produced) {
    PPZstdInput offered = {input, inputCount, 0};
    PPZstdOutput taken = {room, roomCount, 0};
    size_t code = zstd.ZSTD_decompressStream(state, &taken, &offered);
    *consumed = offered.pos;
    *produced = taken.pos;
    if (zstd.ZSTD_isError(code)) {
        bool isMemory = zstd.ZSTD_getErrorCode(code) == PP_ZSTD_error_memory_allocation;
        return isMemory ? PP_STEP_OUT_OF_MEMORY : PP_STEP_MALFORMED;
    }
    if (code == 0) return PP_STEP_ENDED;
    return taken.pos == roomCount ? PP_STEP_NEEDS_ROOM : PP_STEP_NEEDS_INPUT;
}

PPStep pp_decompressor_step(PPDecompressor *decompressor, const void *input, size_t inputCount, void *room,
                            size_t roomCount, size_t *consumed, size_t *produced) {
    switch (decompressor->format) {
    case PP_FORMAT_BROTLI:
        return pp_step_brotli(decompressor->brotli, input, inputCount, room, roomCount, consumed, produced);
    case PP_FORMAT_ZSTD:
        return pp_step_zstd(decompressor->zstd, input, inputCount, room, roomCount, consumed, produced);
    default:
        return pp_step_zlib(&decompressor->stream, input, inputCount, room, roomCount, consumed, produced);
    }
}

// MARK: Decompressing messages of WebSocket

PPDecompressor *pp_raw_inflater_create(int windowBits) {
    if (!pp_format_is_available(PP_FORMAT_RAW_DEFLATE)) return NULL;
    PPDecompressor *inflater = calloc(1, sizeof(PPDecompressor));
    if (!inflater) return NULL;
    inflater->format = PP_FORMAT_RAW_DEFLATE;
    int code = zlib.inflateInit2_(&inflater->stream, -windowBits, "1", (int)sizeof(PPZStream));
    if (code == PP_Z_OK) return inflater;
    pp_decompressor_destroy(inflater);
    return NULL;
}

bool pp_raw_inflater_reset(PPDecompressor *inflater, int windowBits) {
    return zlib.inflateReset2(&inflater->stream, -windowBits) == PP_Z_OK;
}

bool pp_raw_inflater_continue(PPDecompressor *inflater) {
    return zlib.inflateResetKeep(&inflater->stream) == PP_Z_OK;
}

bool pp_raw_inflater_is_between_blocks(const PPDecompressor *inflater) {
    // The number of bits left of the last byte, 64 in the last block of the stream, 128 after the end of a block.
    return inflater->stream.data_type == 128;
}

// MARK: Compressing

struct PPCompressor {
    // zlib keeps the address of its stream.
    PPZStream stream;
};

PPCompressor *pp_gzip_compressor_create(int level) {
    if (!pp_format_is_available(PP_FORMAT_GZIP)) return NULL;
    PPCompressor *compressor = calloc(1, sizeof(PPCompressor));
    if (!compressor) return NULL;
    // 8 is zlib's default memory level, which is 256 KiB with the window.
    int code = zlib.deflateInit2_(&compressor->stream, level, PP_Z_DEFLATED, pp_window_bits(PP_FORMAT_GZIP), 8,
                                  PP_Z_DEFAULT_STRATEGY, "1", (int)sizeof(PPZStream));
    if (code == PP_Z_OK) return compressor;
    pp_compressor_destroy(compressor);
    return NULL;
}

void pp_compressor_destroy(PPCompressor *compressor) {
    if (compressor->stream.state) zlib.deflateEnd(&compressor->stream);
    free(compressor);
}

// Compresses, and does what `flush` says after the last byte of the input.
static PPStep pp_deflate(PPZStream *stream, const void *input, size_t inputCount, int flush, void *room,
                         size_t roomCount, size_t *consumed, size_t *produced) {
    unsigned int inputOffered = inputCount < UINT32_MAX ? (unsigned int)inputCount : UINT32_MAX;
    unsigned int roomOffered = roomCount < UINT32_MAX ? (unsigned int)roomCount : UINT32_MAX;
    bool isAllOffered = inputOffered == inputCount;
    stream->next_in = input;
    stream->avail_in = inputOffered;
    stream->next_out = room;
    stream->avail_out = roomOffered;
    int code = zlib.deflate(stream, isAllOffered ? flush : PP_Z_NO_FLUSH);
    *consumed = inputOffered - stream->avail_in;
    *produced = roomOffered - stream->avail_out;
    // The stream must not point to the caller's memory between two steps.
    stream->next_in = NULL;
    stream->next_out = NULL;
    switch (code) {
    case PP_Z_STREAM_END: return PP_STEP_ENDED;
    case PP_Z_OK:
    case PP_Z_BUF_ERROR:
        return *produced == roomCount || (flush == PP_Z_FINISH && isAllOffered) ? PP_STEP_NEEDS_ROOM
                                                                               : PP_STEP_NEEDS_INPUT;
    default: return PP_STEP_MALFORMED;
    }
}

PPStep pp_compressor_step(PPCompressor *compressor, const void *input, size_t inputCount, bool isLast, void *room,
                          size_t roomCount, size_t *consumed, size_t *produced) {
    return pp_deflate(&compressor->stream, input, inputCount, isLast ? PP_Z_FINISH : PP_Z_NO_FLUSH, room, roomCount,
                      consumed, produced);
}

PPCompressor *pp_raw_deflater_create(int level, int windowBits, int memoryLevel) {
    if (!pp_format_is_available(PP_FORMAT_RAW_DEFLATE)) return NULL;
    PPCompressor *deflater = calloc(1, sizeof(PPCompressor));
    if (!deflater) return NULL;
    int code = zlib.deflateInit2_(&deflater->stream, level, PP_Z_DEFLATED, -windowBits, memoryLevel,
                                  PP_Z_DEFAULT_STRATEGY, "1", (int)sizeof(PPZStream));
    if (code == PP_Z_OK) return deflater;
    pp_compressor_destroy(deflater);
    return NULL;
}

bool pp_raw_deflater_reset(PPCompressor *deflater) {
    return zlib.deflateReset(&deflater->stream) == PP_Z_OK;
}

PPStep pp_raw_deflater_step(PPCompressor *deflater, const void *input, size_t inputCount, void *room,
                            size_t roomCount, size_t *consumed, size_t *produced) {
    return pp_deflate(&deflater->stream, input, inputCount, PP_Z_SYNC_FLUSH, room, roomCount, consumed, produced);
}

#else

// An empty translation unit is not allowed.
typedef int PPContentCodingIsForLinuxOnly;

#endif
