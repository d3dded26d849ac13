/* Writes to files whose path contains FAIL_PATH fail with the error number FAIL_WITH; preloaded into a command. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static int fails(int file)
{
    const char *part = getenv("FAIL_PATH"), *number = getenv("FAIL_WITH");
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (!part || !number || length < 0)
        return 0;
    path[length] = 0;
    if (!strstr(path, part))
        return 0;
    errno = atoi(number);
    return 1;
}

#define NEXT(name, ...) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))(__VA_ARGS__)

ssize_t write(int file, const void *bytes, size_t size)
{
    return fails(file) ? -1 : NEXT(write, file, bytes, size);
}

ssize_t writev(int file, const struct iovec *parts, int count)
{
    return fails(file) ? -1 : NEXT(writev, file, parts, count);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at)
{
    return fails(file) ? -1 : NEXT(pwrite, file, bytes, size, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at)
{
    return fails(file) ? -1 : NEXT(pwrite64, file, bytes, size, at);
}
