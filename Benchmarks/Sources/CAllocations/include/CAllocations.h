#ifndef PIUPIU_C_ALLOCATIONS_H
#define PIUPIU_C_ALLOCATIONS_H

// How often memory was asked for since the process began, from every thread and every library. A program that has this
// module is slower, so only the gate has it.
long ca_count(void);
// How many bytes were asked for.
long ca_bytes(void);
// Counts no more what libcurl and libdispatch themselves ask for: what they need depends on their version, and what they
// keep from one request to the next on which thread is faster.
void ca_leave_out_libraries(void);
// Keeps this thread, and those it starts from now on, on the first processor it may use.
void ca_use_one_processor(void);

#endif
