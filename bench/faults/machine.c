/* Preloaded into each process of the service: a clock that can be wrong and a disk that can be slow.

   All processes map the file that CARTULARY_FAULTS_MACHINE names. Its first 8 bytes are the offset
   of the wall clock in nanoseconds, so that all clocks jump together, as after a correction of the
   time; the next 8 bytes are the nanoseconds that each sync of a file takes longer. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *machine;

__attribute__((constructor)) static void map_machine(void)
{
    const char *name = getenv("CARTULARY_FAULTS_MACHINE");
    int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *found = mmap(NULL, 2 * sizeof *machine, PROT_READ, MAP_SHARED, file, 0);
    if (found != MAP_FAILED)
        machine = found;
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && machine && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        int64_t moved = (int64_t)now->tv_sec * 1000000000 + now->tv_nsec + machine[0];
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

static void wait_for_disk(void)
{
    int64_t longer = machine ? machine[1] : 0;
    struct timespec pause = {longer / 1000000000, longer % 1000000000};
    if (longer > 0)
        nanosleep(&pause, NULL);
}

int fdatasync(int file)
{
    wait_for_disk();
    return syscall(SYS_fdatasync, file);
}

int fsync(int file)
{
    wait_for_disk();
    return syscall(SYS_fsync, file);
}
