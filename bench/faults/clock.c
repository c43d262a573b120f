/* Preloaded into each process of the service: the wall clock of the system plus an offset.

   The offset, in nanoseconds, is the first 8 bytes of the file that CARTULARY_FAULTS_CLOCK names;
   all processes map the file, so their clocks jump together, as after a correction of the time. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *offset;

__attribute__((constructor)) static void map_offset(void)
{
    const char *name = getenv("CARTULARY_FAULTS_CLOCK");
    int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *found = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
    if (found != MAP_FAILED)
        offset = found;
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && offset && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        int64_t moved = (int64_t)now->tv_sec * 1000000000 + now->tv_nsec + *offset;
        now->tv_sec = moved / 1000000000;
        now->tv_nsec = moved % 1000000000;
    }
    return result;
}

int gettimeofday(struct timeval *now, void *zone)
{
    struct timespec found;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &found);
    now->tv_sec = found.tv_sec;
    now->tv_usec = found.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *now)
{
    struct timespec found;
    clock_gettime(CLOCK_REALTIME, &found);
    if (now)
        *now = found.tv_sec;
    return found.tv_sec;
}
