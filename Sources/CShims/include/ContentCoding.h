// Decompression with zlib, brotli and zstd, and compression with zlib. The libraries are opened at run time, because a system
// may lack one of them and need not have their headers. `ContentCoding.c` declares the stable part of their ABI.
#ifndef PIUPIU_CONTENT_CODING_H
#define PIUPIU_CONTENT_CODING_H

#if defined(__linux__)

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

// A compressed format.
typedef enum PPFormat {
    // One member of RFC 1952.
    PP_FORMAT_GZIP,
    // RFC 1950.
    PP_FORMAT_ZLIB,
    // RFC 1951, without a wrapper.
    PP_FORMAT_RAW_DEFLATE,
    // RFC 7932.
    PP_FORMAT_BROTLI,
    // Frames of RFC 8878 with a window of at most 8 MiB (RFC 9659).
    PP_FORMAT_ZSTD,
} PPFormat;

// The result of a step.
typedef enum PPStep {
    // There is no more output before there is more input.
    PP_STEP_NEEDS_INPUT,
    // The room is full, and there may be more output.
    PP_STEP_NEEDS_ROOM,
    // The compressed stream, or one frame of zstd, ended, and all of its output is written. The input after it was not
    // consumed.
    PP_STEP_ENDED,
    PP_STEP_MALFORMED,
    PP_STEP_OUT_OF_MEMORY,
} PPStep;

// The state of a decompression. It must not be used from two threads at the same time.
typedef struct PPDecompressor PPDecompressor;

// Whether the library of a format is on this system. The first call opens it; calls are allowed from any thread.
bool pp_format_is_available(PPFormat format);
// Begins a decompression; `NULL` if the library is missing or there is no memory.
PPDecompressor *_Nullable pp_decompressor_create(PPFormat format);
// Starts over with a format of the same library, in the same memory. Returns `false` if that is impossible: with brotli it
// always is.
bool pp_decompressor_reset(PPDecompressor *decompressor, PPFormat format);
void pp_decompressor_destroy(PPDecompressor *decompressor);
// Decompresses until the input is used up, the room is full, or the compressed stream ends. After the end of a frame, zstd
// continues with the next frame; after any other end, and after an error, a reset is needed.
PPStep pp_decompressor_step(PPDecompressor *decompressor, const void *_Nullable input, size_t inputCount, void *room,
                            size_t roomCount, size_t *consumed, size_t *produced);

// Begins to decompress the messages of a connection, raw deflate with a window of up to 2^`windowBits` bytes, from 8 to 15;
// `NULL` if the library is missing or there is no memory. The steps are those of `pp_decompressor_step`.
PPDecompressor *_Nullable pp_raw_inflater_create(int windowBits);
// Starts over with an empty window.
bool pp_raw_inflater_reset(PPDecompressor *inflater, int windowBits);
// Begins another stream after the end of one, with the window as it is.
bool pp_raw_inflater_continue(PPDecompressor *inflater);
// Whether the last step ended after a whole block that is not the last of its stream, and at the end of a byte.
bool pp_raw_inflater_is_between_blocks(const PPDecompressor *inflater);

// The state of a compression. It must not be used from two threads at the same time.
typedef struct PPCompressor PPCompressor;

// Begins a compression to one member of RFC 1952, at a level of zlib from 1 to 9; `NULL` if the library is missing or
// there is no memory.
PPCompressor *_Nullable pp_gzip_compressor_create(int level);
void pp_compressor_destroy(PPCompressor *compressor);
// Compresses until the input is used up or the room is full; with `isLast`, until all of the output is written. No step may
// follow the end.
PPStep pp_compressor_step(PPCompressor *compressor, const void *_Nullable input, size_t inputCount, bool isLast,
                          void *room, size_t roomCount, size_t *consumed, size_t *produced);

// Begins to compress the messages of a connection to raw deflate, with a window of 2^`windowBits` bytes, from 9 to 15, at a
// level from 1 to 9 and a memory level from 1 to 9; `NULL` if the library is missing or there is no memory.
PPCompressor *_Nullable pp_raw_deflater_create(int level, int windowBits, int memoryLevel);
// Starts over with an empty window.
bool pp_raw_deflater_reset(PPCompressor *deflater);
// Compresses a message, and ends it with an empty block (a "sync flush"). It needs input if all is written, unless the
// room is full. The room must have more than six bytes, or the empty block may be written twice.
PPStep pp_raw_deflater_step(PPCompressor *deflater, const void *_Nullable input, size_t inputCount, void *room,
                            size_t roomCount, size_t *consumed, size_t *produced);

#pragma clang assume_nonnull end

#endif
#endif
