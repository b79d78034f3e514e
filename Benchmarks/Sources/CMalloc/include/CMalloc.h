#ifndef PIUPIU_C_MALLOC_H
#define PIUPIU_C_MALLOC_H

#include <stddef.h>

// Gives memory that is free back to the system.
void cm_trim(void);
// How many bytes are allocated now, large blocks included.
size_t cm_allocated(void);

#endif
