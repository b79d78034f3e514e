#include "TestProcess.h"
#include <stdlib.h>

// Swift Testing begins every test at once. Thousands of them then share two processors: a request that takes a millisecond
// takes seconds, and time limits measure how busy the machine is. It takes the most tests at a time from this variable, which
// nothing but the process itself can set for a plain `swift test`. A value that is set outside stays.
__attribute__((constructor)) static void boundTheTestsAtATime(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
}
