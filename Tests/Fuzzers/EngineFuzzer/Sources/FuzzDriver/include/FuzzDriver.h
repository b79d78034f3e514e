// libFuzzer as a library: https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Runs until the time is over or something is found, and ends the process then.
int LLVMFuzzerRunDriver(int *_Nonnull count, char *_Nonnull *_Nonnull *_Nonnull arguments,
                        int (*_Nonnull check)(const uint8_t *_Nullable bytes, size_t count));

/// Changes an input in place, and returns its new size.
size_t LLVMFuzzerMutate(uint8_t *_Nonnull bytes, size_t count, size_t capacity);
