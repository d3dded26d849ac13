/* Kills the process, or fails its writes, at the n-th call that changes a file: preloaded into a command by a test.
 *
 *   FAULT_PREFIX   only files whose path begins with this count
 *   FAULT_LOG      a file that gets one line a call: its number, its name, its path (count mode: give this alone)
 *   FAULT_AT       number of the call, from 1
 *   FAULT_MODE     kill (SIGKILL before the call), torn (half of a write is made first), enospc or eio (that call and
 *                  all later ones of its kind fail)
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum mode { NONE, KILL, TORN, FULL, BROKEN };
/* What a full disk refuses, what a broken one refuses too, and what works on both. */
enum kind { GROWS, SYNCS, TIDIES };

static char prefix[PATH_MAX], resolved[PATH_MAX];
static long at;
static enum mode mode;
static int record = -1;
static atomic_long calls;

/* Called by the child of a process that runs many commands; the others are armed by their environment. */
void fault_arm(const char *path, const char *log, long number, const char *name)
{
    snprintf(prefix, sizeof prefix, "%s", path);
    /* A file is known by its descriptor, and so by its path without symbolic links. */
    if (!realpath(prefix, resolved))
        snprintf(resolved, sizeof resolved, "%s", path);
    at = number;
    mode = !strcmp(name, "kill") ? KILL : !strcmp(name, "torn") ? TORN : !strcmp(name, "enospc") ? FULL
         : !strcmp(name, "eio") ? BROKEN : NONE;
    if (*log)
        record = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    atomic_store(&calls, 0);
}

__attribute__((constructor)) static void start(void)
{
    const char *path = getenv("FAULT_PREFIX"), *log = getenv("FAULT_LOG"), *number = getenv("FAULT_AT");
    const char *name = getenv("FAULT_MODE");
    if (path)
        fault_arm(path, log ? log : "", number ? atol(number) : 0, name ? name : "");
}

static int ours(const char *path)
{
    return *prefix && (!strncmp(path, prefix, strlen(prefix)) || !strncmp(path, resolved, strlen(resolved)));
}

static void die(void)
{
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;)
        pause();
}

/* Returns 0 to go on, 1 to fail with errno set, 2 to write one half and die. */
static int meet(const char *call, const char *path, enum kind kind)
{
    if (!ours(path))
        return 0;
    long number = atomic_fetch_add(&calls, 1) + 1;
    if (record >= 0) {
        char line[PATH_MAX + 64];
        int length = snprintf(line, sizeof line, "%ld %s %s\n", number, call, path);
        if (syscall(SYS_write, record, line, length) < 0)
            die();
    }
    if (!at || number < at)
        return 0;
    if (number == at && mode == TORN && kind == GROWS)
        return 2;
    if (number == at && (mode == KILL || mode == TORN))
        die();
    if ((mode == FULL && kind == GROWS) || (mode == BROKEN && kind != TIDIES)) {
        errno = mode == FULL ? ENOSPC : EIO;
        return 1;
    }
    return 0;
}

static int meet_file(const char *call, int file, enum kind kind)
{
    char name[64], path[PATH_MAX];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    ssize_t length = readlink(name, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    return meet(call, path, kind);
}

#define REAL(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void *data, size_t size)
{
    int fate = meet_file("write", file, GROWS);
    if (fate == 1)
        return -1;
    if (fate == 2) {
        syscall(SYS_write, file, data, size / 2);
        die();
    }
    return REAL(write)(file, data, size);
}

ssize_t pwrite(int file, const void *data, size_t size, off_t offset)
{
    int fate = meet_file("pwrite", file, GROWS);
    if (fate == 1)
        return -1;
    if (fate == 2) {
        syscall(SYS_pwrite64, file, data, size / 2, offset);
        die();
    }
    return REAL(pwrite)(file, data, size, offset);
}

ssize_t pwrite64(int file, const void *data, size_t size, off_t offset)
{
    int fate = meet_file("pwrite", file, GROWS);
    if (fate == 1)
        return -1;
    if (fate == 2) {
        syscall(SYS_pwrite64, file, data, size / 2, offset);
        die();
    }
    return REAL(pwrite64)(file, data, size, offset);
}

/* The rest: refused or made, never half made. */
#define BY_FILE(type, name, kind, declared, given)              \
    type name declared                                          \
    {                                                           \
        int fate = meet_file(#name, file, kind);                \
        if (fate == 2)                                          \
            die();                                              \
        return fate ? -1 : REAL(name) given;                    \
    }

#define BY_PATH(name, declared, given)                          \
    int name declared                                           \
    {                                                           \
        return meet(#name, path, TIDIES) ? -1 : REAL(name) given; \
    }

BY_FILE(ssize_t, writev, GROWS, (int file, const struct iovec *parts, int count), (file, parts, count))
BY_FILE(int, ftruncate, GROWS, (int file, off_t size), (file, size))
BY_FILE(int, ftruncate64, GROWS, (int file, off_t size), (file, size))
BY_FILE(int, fallocate, GROWS, (int file, int flags, off_t offset, off_t size), (file, flags, offset, size))
BY_FILE(int, fsync, SYNCS, (int file), (file))
BY_FILE(int, fdatasync, SYNCS, (int file), (file))
BY_FILE(ssize_t, copy_file_range, GROWS,
        (int source, off64_t *from, int file, off64_t *to, size_t size, unsigned flags),
        (source, from, file, to, size, flags))
BY_FILE(ssize_t, sendfile, GROWS, (int file, int source, off_t *offset, size_t size), (file, source, offset, size))

/* Returns its error instead of setting errno. */
int posix_fallocate(int file, off_t offset, off_t size)
{
    int fate = meet_file("posix_fallocate", file, GROWS);
    if (fate == 2)
        die();
    return fate ? errno : REAL(posix_fallocate)(file, offset, size);
}

BY_PATH(truncate, (const char *path, off_t size), (path, size))
BY_PATH(unlink, (const char *path), (path))
BY_PATH(remove, (const char *path), (path))
BY_PATH(rename, (const char *path, const char *target), (path, target))
BY_PATH(link, (const char *path, const char *target), (path, target))
