#include "CMalloc.h"

#include <malloc.h>

void cm_trim(void) { malloc_trim(0); }

size_t cm_allocated(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
