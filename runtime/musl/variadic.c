/* Functions of musl that read arguments which their caller may not have passed: here only those that the call has. */

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include "syscall.h"

int fcntl(int fd, int command, ...) {
    unsigned long argument = 0;
    switch (command) {
    case F_GETFD:
    case F_GETFL:
    case F_GETOWN:
    case F_GETSIG:
        break;
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
    case F_SETFD:
    case F_SETFL: {
        va_list list;
        va_start(list, command);
        argument = (unsigned long)(long)va_arg(list, int);
        va_end(list);
        break;
    }
    default: {
        va_list list;
        va_start(list, command);
        argument = (unsigned long)va_arg(list, void *);
        va_end(list);
    }
    }
    if (command == F_SETFL)
        argument |= O_LARGEFILE;
    return syscall(SYS_fcntl, fd, command, argument);
}

weak_alias(fcntl, fcntl64);

/* The model knows no request that uses the argument. */
int ioctl(int fd, int request, ...) {
    return syscall(SYS_ioctl, fd, request);
}

int prctl(int operation, ...) {
    return syscall(SYS_prctl, operation);
}

#undef syscall

/* Only calls for which programs go this way because their library has no function. */
long syscall(long number, ...) {
    int count = number == SYS_gettid      ? 0
                : number == SYS_getrandom ? 3
                : number == SYS_tgkill    ? 3
                : number == SYS_renameat2 ? 5
                                          : -1;
    if (count < 0)
        return __syscall_ret(-ENOSYS);
    long arguments[5] = {0};
    va_list list;
    va_start(list, number);
    for (int i = 0; i < count; i++)
        arguments[i] = va_arg(list, long);
    va_end(list);
    return __syscall_ret(__syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4]));
}
