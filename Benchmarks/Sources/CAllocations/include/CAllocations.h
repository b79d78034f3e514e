#ifndef PIUPIU_C_ALLOCATIONS_H
#define PIUPIU_C_ALLOCATIONS_H

// How often memory was asked for since the process began, from every thread and every library. A program that has this
// module is slower, so only the gate has it.
long ca_count(void);
// How many bytes were asked for.
long ca_bytes(void);
// Counts no more what libcurl itself asks for: what it needs depends on its version, and whether it keeps what it knows
// of a socket until the next request on which thread is faster.
void ca_leave_out_libcurl(void);
// Keeps this thread, and those it starts from now on, on the first processor it may use.
void ca_use_one_processor(void);

#endif
