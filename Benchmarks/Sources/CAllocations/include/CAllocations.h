#ifndef PIUPIU_C_ALLOCATIONS_H
#define PIUPIU_C_ALLOCATIONS_H

// How often memory was asked for since the process began, from every thread and every library. A program that has this
// module is slower, so only the gate has it.
long ca_count(void);
// How many bytes were asked for.
long ca_bytes(void);

#endif
