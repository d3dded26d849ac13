/* Records every call that changes a file below a folder, in order and with its data: preloaded into a command by a test.
 *
 * `trace_start(folder, file)` begins. Each record in the file is a line "CALL INODE NUMBER PATH OTHER DATA" (the last
 * three are lengths) and the bytes of the path, the other path and the data. Calls:
 *
 *   create, mkdir        a new file, a new folder
 *   write                data, at the offset NUMBER
 *   size                 the file has the size NUMBER
 *   content              the whole file: before it is synced, when it is closed, after it was copied into; shows what was
 *                        written through stdio (NumPy) or a mapping (the arrays of a graph)
 *   sync                 of a file, or of the names in a folder (NUMBER is 1)
 *   rename, swap, link   from the path to the other
 *   unlink, rmdir
 *
 * A lock is held from a call to its record, so that they have one order.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))

static char folder[PATH_MAX];
static int trace = -1;
static pthread_mutex_t order = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void trace_start(const char *path, const char *file)
{
    if (!realpath(path, folder))
        abort();
    trace = (int)syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (trace < 0)
        abort();
}

static int below(const char *path)
{
    size_t length = strlen(folder);
    return trace >= 0 && !strncmp(path, folder, length) && (path[length] == '/' || !path[length]);
}

static void put(const void *data, size_t size)
{
    for (const char *at = data; size;) {
        ssize_t done = syscall(SYS_write, trace, at, size);
        if (done < 0)
            abort();
        at += done;
        size -= (size_t)done;
    }
}

static void tell(const char *call, unsigned long inode, long number, const char *path, const char *other,
                 const void *data, size_t size)
{
    char line[128];
    int failed = errno;
    int length = snprintf(line, sizeof line, "%s %lu %ld %zu %zu %zu\n", call, inode, number, strlen(path),
                          strlen(other), size);
    put(line, (size_t)length);
    put(path, strlen(path));
    put(other, strlen(other));
    put(data, size);
    errno = failed;
}

/* The path of an open file; 0 where it is not below the folder. */
static int path_of(int file, char *path)
{
    char name[64];
    int failed = errno;
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    ssize_t length = trace < 0 || file == trace ? -1 : readlink(name, path, PATH_MAX - 1);
    errno = failed;
    if (length < 0)
        return 0;
    path[length] = 0;
    return below(path);
}

/* An absolute path; 0 where it is not below the folder. */
static int resolve(int at, const char *given, char *path)
{
    char base[PATH_MAX] = "";
    if (trace < 0)
        return 0;
    if (given[0] == '/') {
        snprintf(path, PATH_MAX, "%s", given);
        return below(path);
    }
    if (at == AT_FDCWD ? !getcwd(base, sizeof base) : !path_of(at, base))
        return 0;
    if (strlen(base) + strlen(given) + 2 > PATH_MAX)
        abort();
    strcat(strcat(strcpy(path, base), "/"), given);
    return below(path);
}

static void tell_size(int file)
{
    char path[PATH_MAX];
    struct stat found;
    if (path_of(file, path) && !fstat(file, &found))
        tell("size", found.st_ino, found.st_size, path, "", "", 0);
}

static void tell_content(int file)
{
    char name[64], path[PATH_MAX];
    struct stat found;
    int failed = errno;
    if (!path_of(file, path) || fstat(file, &found) || !S_ISREG(found.st_mode))
        return;
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    int again = (int)syscall(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC);
    char *data = malloc((size_t)found.st_size + 1);
    if (again < 0 || !data)
        abort();
    ssize_t size = 0, got = 1;
    while (got > 0 && size < found.st_size) {
        got = syscall(SYS_pread64, again, data + size, found.st_size - size, size);
        size += got > 0 ? got : 0;
    }
    tell("content", found.st_ino, 0, path, "", data, (size_t)size);
    free(data);
    syscall(SYS_close, again);
    errno = failed;
}

/* -- opening */

static int opened(int at, const char *given, int flags, mode_t mode)
{
    char path[PATH_MAX];
    struct stat found;
    int (*real)(int, const char *, int, ...) = REAL(openat);
    if (!(flags & (O_CREAT | O_TRUNC)) || !resolve(at, given, path))
        return real(at, given, flags, mode);
    pthread_mutex_lock(&order);
    int was_there = !fstatat(at, given, &found, 0);
    int file = real(at, given, flags, mode);
    if (file >= 0 && !was_there && !fstat(file, &found) && path_of(file, path))
        tell("create", found.st_ino, 0, path, "", "", 0);
    else if (file >= 0 && flags & O_TRUNC)
        tell_size(file);
    pthread_mutex_unlock(&order);
    return file;
}

#define OPENS(name, declared, at, given)                        \
    int name declared                                           \
    {                                                           \
        va_list rest;                                           \
        va_start(rest, flags);                                  \
        mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                           \
        return opened(at, given, flags, mode);                  \
    }

OPENS(open, (const char *given, int flags, ...), AT_FDCWD, given)
OPENS(open64, (const char *given, int flags, ...), AT_FDCWD, given)
OPENS(openat, (int at, const char *given, int flags, ...), at, given)
OPENS(openat64, (int at, const char *given, int flags, ...), at, given)

int creat(const char *given, mode_t mode)
{
    return opened(AT_FDCWD, given, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

int close(int file)
{
    char path[PATH_MAX];
    if (!path_of(file, path) || (fcntl(file, F_GETFL) & O_ACCMODE) == O_RDONLY)
        return REAL(close)(file);
    pthread_mutex_lock(&order);
    tell_content(file);
    int result = REAL(close)(file);
    pthread_mutex_unlock(&order);
    return result;
}

/* -- writing */

static void tell_write(int file, const char *path, const void *data, ssize_t size, off_t offset)
{
    struct stat found;
    if (size > 0 && !fstat(file, &found))
        tell("write", found.st_ino, offset, path, "", data, (size_t)size);
}

ssize_t write(int file, const void *data, size_t size)
{
    char path[PATH_MAX];
    if (!path_of(file, path))
        return REAL(write)(file, data, size);
    pthread_mutex_lock(&order);
    ssize_t done = REAL(write)(file, data, size);
    tell_write(file, path, data, done, lseek(file, 0, SEEK_CUR) - done);
    pthread_mutex_unlock(&order);
    return done;
}

#define WRITES_AT(name)                                                     \
    ssize_t name(int file, const void *data, size_t size, off_t offset)     \
    {                                                                       \
        char path[PATH_MAX];                                                \
        if (!path_of(file, path))                                           \
            return REAL(name)(file, data, size, offset);                    \
        pthread_mutex_lock(&order);                                         \
        ssize_t done = REAL(name)(file, data, size, offset);                \
        tell_write(file, path, data, done, offset);                               \
        pthread_mutex_unlock(&order);                                       \
        return done;                                                        \
    }

WRITES_AT(pwrite)
WRITES_AT(pwrite64)

/* Those whose effect is read back: from the file's size, or from all of it. */
#define BY_FILE(type, name, effect, declared, given)            \
    type name declared                                          \
    {                                                           \
        char path[PATH_MAX];                                    \
        if (!path_of(file, path))                               \
            return REAL(name) given;                            \
        pthread_mutex_lock(&order);                             \
        type done = REAL(name) given;                           \
        effect(file);                                           \
        pthread_mutex_unlock(&order);                           \
        return done;                                            \
    }

BY_FILE(ssize_t, writev, tell_content, (int file, const struct iovec *parts, int count), (file, parts, count))
BY_FILE(ssize_t, pwritev, tell_content, (int file, const struct iovec *parts, int count, off_t offset),
        (file, parts, count, offset))
BY_FILE(ssize_t, sendfile, tell_content, (int file, int source, off_t *offset, size_t size),
        (file, source, offset, size))
BY_FILE(ssize_t, copy_file_range, tell_content,
        (int source, off64_t *from, int file, off64_t *to, size_t size, unsigned flags),
        (source, from, file, to, size, flags))
BY_FILE(int, ftruncate, tell_size, (int file, off_t size), (file, size))
BY_FILE(int, ftruncate64, tell_size, (int file, off_t size), (file, size))
BY_FILE(int, fallocate, tell_content, (int file, int flags, off_t offset, off_t size), (file, flags, offset, size))
BY_FILE(int, posix_fallocate, tell_size, (int file, off_t offset, off_t size), (file, offset, size))

int ioctl(int file, unsigned long request, ...)
{
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    char path[PATH_MAX];
    int (*real)(int, unsigned long, ...) = REAL(ioctl);
    if ((request != FICLONE && request != FICLONERANGE) || !path_of(file, path))
        return real(file, request, argument);
    pthread_mutex_lock(&order);
    int done = real(file, request, argument);
    tell_content(file);
    pthread_mutex_unlock(&order);
    return done;
}

/* -- syncing */

static int synced(int file, int (*real)(int))
{
    char path[PATH_MAX];
    struct stat found;
    if (!path_of(file, path))
        return real(file);
    pthread_mutex_lock(&order);
    tell_content(file);
    int done = real(file);
    if (!done && !fstat(file, &found))
        tell("sync", found.st_ino, S_ISDIR(found.st_mode), path, "", "", 0);
    pthread_mutex_unlock(&order);
    return done;
}

int fsync(int file) { return synced(file, REAL(fsync)); }
int fdatasync(int file) { return synced(file, REAL(fdatasync)); }

/* -- names */

static int named(const char *call, int at, const char *given, int (*real)(int, const char *, int), int flags)
{
    char path[PATH_MAX];
    if (!resolve(at, given, path))
        return real(at, given, flags);
    pthread_mutex_lock(&order);
    int done = real(at, given, flags);
    if (!done)
        tell(call, 0, 0, path, "", "", 0);
    pthread_mutex_unlock(&order);
    return done;
}

static int make(int at, const char *path, int mode) { return REAL(mkdirat)(at, path, (mode_t)mode); }
static int drop(int at, const char *path, int flags) { return REAL(unlinkat)(at, path, flags); }

int mkdir(const char *path, mode_t mode) { return named("mkdir", AT_FDCWD, path, make, (int)mode); }
int mkdirat(int at, const char *path, mode_t mode) { return named("mkdir", at, path, make, (int)mode); }
int unlink(const char *path) { return named("unlink", AT_FDCWD, path, drop, 0); }
int rmdir(const char *path) { return named("rmdir", AT_FDCWD, path, drop, AT_REMOVEDIR); }
int unlinkat(int at, const char *path, int flags)
{
    return named(flags & AT_REMOVEDIR ? "rmdir" : "unlink", at, path, drop, flags);
}
int remove(const char *path)
{
    struct stat found;
    return !lstat(path, &found) && S_ISDIR(found.st_mode) ? rmdir(path) : unlink(path);
}

static int moved(int at, const char *given, int to, const char *target, unsigned flags)
{
    char path[PATH_MAX], other[PATH_MAX];
    int inside = resolve(at, given, path), arrives = resolve(to, target, other);
    if (!inside && !arrives)
        return (int)syscall(SYS_renameat2, at, given, to, target, flags);
    if (!inside || !arrives)
        abort(); /* into or out of the folder: the model has no name for that */
    pthread_mutex_lock(&order);
    int done = (int)syscall(SYS_renameat2, at, given, to, target, flags);
    if (!done)
        tell(flags & RENAME_EXCHANGE ? "swap" : "rename", 0, 0, path, other, "", 0);
    pthread_mutex_unlock(&order);
    return done;
}

int rename(const char *path, const char *target) { return moved(AT_FDCWD, path, AT_FDCWD, target, 0); }
int renameat(int at, const char *path, int to, const char *target) { return moved(at, path, to, target, 0); }
int renameat2(int at, const char *path, int to, const char *target, unsigned flags)
{
    return moved(at, path, to, target, flags);
}

static int linked(int at, const char *given, int to, const char *target, int flags)
{
    char path[PATH_MAX], other[PATH_MAX];
    int (*real)(int, const char *, int, const char *, int) = REAL(linkat);
    if (!resolve(at, given, path) || !resolve(to, target, other))
        return real(at, given, to, target, flags);
    pthread_mutex_lock(&order);
    int done = real(at, given, to, target, flags);
    if (!done)
        tell("link", 0, 0, path, other, "", 0);
    pthread_mutex_unlock(&order);
    return done;
}

int link(const char *path, const char *target) { return linked(AT_FDCWD, path, AT_FDCWD, target, 0); }
int linkat(int at, const char *path, int to, const char *target, int flags)
{
    return linked(at, path, to, target, flags);
}
