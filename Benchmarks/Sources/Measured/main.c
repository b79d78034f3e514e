// Runs a command and writes what it took to a file as a line of JSON: the same from outside for every program.
// A process of its own, because what a process was before it became the command counts as the command's memory.
//
// Usage: Measured REPORT COMMAND [ARGUMENT …]
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
}

static double milliseconds(struct timeval time) { return time.tv_sec * 1e3 + time.tv_usec * 1e-3; }

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    double start = now();
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    int status = 0;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) != child) return 126;
    double wall = now() - start;
    FILE *report = fopen(argv[1], "w");
    if (!report) return 126;
    fprintf(report, "{\"wall_ms\":%.1f,\"cpu_ms\":%.1f,\"peak_mib\":%.2f}\n", wall,
            milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime), usage.ru_maxrss / 1024.0);
    fclose(report);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}
