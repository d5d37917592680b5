/* Descriptors and the open files behind them. */

#include "model.h"

enum { F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_DUPFD_CLOEXEC = 1030 };
enum { FD_CLOEXEC = 1, F_UNLCK = 2 };
enum { POLLIN = 1, POLLOUT = 4, POLLNVAL = 32 };
/* Flags that a file keeps and F_GETFL shows. */
enum {
    KEPT = O_ACCMODE | O_APPEND | O_NONBLOCK | O_DSYNC | O_SYNC | O_LARGEFILE | O_DIRECTORY | O_NOFOLLOW | O_NOATIME |
           O_PATH,
    KNOWN = KEPT | O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC | O_CLOEXEC,
};

static struct description *table[DESCRIPTORS];
static bool closed_by_exec[DESCRIPTORS];
static unsigned creation_mask = 022;

struct description *__espalier_description(int fd) {
    return fd >= 0 && fd < DESCRIPTORS ? table[fd] : NULL;
}

struct description *__espalier_opened(int fd) {
    struct description *open = __espalier_description(fd);
    return open && !(open->flags & O_PATH) ? open : NULL;
}

static long free_descriptor(int from) {
    for (int fd = from; fd < DESCRIPTORS; fd++)
        if (!table[fd])
            return fd;
    return -EMFILE;
}

static long install(struct description *open, int from, bool close_on_exec) {
    long fd = free_descriptor(from);
    if (fd < 0)
        return fd;
    table[fd] = open;
    closed_by_exec[fd] = close_on_exec;
    open->references++;
    return fd;
}

long __espalier_new_descriptor(struct inode *node, unsigned flags) {
    long fd = free_descriptor(0);
    if (fd < 0)
        return fd;
    struct description *open = malloc(sizeof *open);
    if (!open)
        return -ENOMEM;
    *open = (struct description){.node = node, .flags = flags & KEPT};
    node->holders++;
    return install(open, (int)fd, flags & O_CLOEXEC);
}

long __espalier_close(int fd) {
    struct description *open = __espalier_description(fd);
    if (!open)
        return -EBADF;
    table[fd] = NULL;
    if (--open->references)
        return 0;
    open->node->holders--;
    __espalier_release(open->node);
    free(open);
    return 0;
}

unsigned __espalier_umask(unsigned mask) {
    unsigned old = creation_mask;
    creation_mask = mask & 0777;
    return old;
}

/* ---- Opening ---- */

/* May a node be opened so? A pipe only at its own end, a terminal not at all. */
static long open_allowed(const struct inode *node, unsigned flags) {
    unsigned access = flags & O_ACCMODE;
    if (is_type(node, S_IFLNK))
        return -ELOOP;
    if (is_type(node, S_IFDIR) ? access != O_RDONLY || flags & O_CREAT : flags & O_DIRECTORY)
        return is_type(node, S_IFDIR) ? -EISDIR : -ENOTDIR;
    long error = __espalier_permitted(node, (access != O_WRONLY ? 4u : 0) | (access != O_RDONLY ? 2u : 0));
    if (error)
        return error;
    /* As KLEE has it: only writing is not always allowed. */
    if (node->told && access != O_RDONLY && !(node->told->mode & 0222))
        return -EACCES;
    if (node->device == TTY_DEVICE)
        return -ENXIO;
    if (node->device == INPUT)
        return access == O_RDONLY ? 0 : -ENXIO;
    if (node->device == OUTPUT || node->device == ERROR_OUTPUT)
        return access == O_WRONLY ? 0 : -ENXIO;
    return 0;
}

static long create(const struct place *place, unsigned mode, struct inode **node) {
    long error = __espalier_permitted(place->directory, 3);
    if (error)
        return error;
    *node = __espalier_new_node(S_IFREG | (mode & 07777 & ~creation_mask));
    if (!*node)
        return -ENOMEM;
    error = __espalier_link(place->directory, place->name, place->length, *node);
    if (error)
        __espalier_release(*node);
    return error;
}

long __espalier_openat(int directory, const char *path, unsigned flags, unsigned mode) {
    if (flags & ~(unsigned)KNOWN || (flags & O_ACCMODE) == O_ACCMODE)
        return -ENOSYS;
    /* All else means nothing then. */
    if (flags & O_PATH)
        flags &= O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    bool exclusive = (flags & O_CREAT) && (flags & O_EXCL);
    struct place place;
    long error = __espalier_resolve(directory, path, !exclusive && !(flags & O_NOFOLLOW), &place);
    if (error)
        return error;
    if (free_descriptor(0) < 0)
        return -EMFILE;
    struct inode *node = place.node;
    if (!node) {
        if (!(flags & O_CREAT))
            return -ENOENT;
        if (flags & O_DIRECTORY)
            return -EINVAL;
        if (place.slash)
            return -EISDIR;
        error = create(&place, mode, &node);
    } else if (exclusive) {
        return -EEXIST;
    } else if (flags & O_PATH) {
        error = flags & O_DIRECTORY && !is_type(node, S_IFDIR) ? -ENOTDIR : 0;
    } else {
        error = open_allowed(node, flags);
        /* A pipe with a name waits for another process. */
        if (!error && is_type(node, S_IFIFO) && node->device == NO_DEVICE)
            return -ENOSYS;
        if (!error && (flags & O_TRUNC) && is_type(node, S_IFREG)) {
            error = __espalier_permitted(node, 2);
            if (!error && node->size) {
                error = __espalier_resize(node, 0);
                node->modified = node->changed = stamp_now();
            }
        }
    }
    return error ? error : __espalier_new_descriptor(node, flags);
}

/* ---- Copies ---- */

long __espalier_dup(int fd) {
    struct description *open = __espalier_description(fd);
    return open ? install(open, 0, false) : -EBADF;
}

static long duplicate_to(struct description *open, int to, bool close_on_exec) {
    if (to < 0 || to >= DESCRIPTORS)
        return -EBADF;
    open->references++;
    __espalier_close(to);
    open->references--;
    return install(open, to, close_on_exec);
}

long __espalier_dup2(int from, int to) {
    struct description *open = __espalier_description(from);
    if (!open)
        return -EBADF;
    return from == to ? to : duplicate_to(open, to, false);
}

long __espalier_dup3(int from, int to, unsigned flags) {
    if (from == to || flags & ~(unsigned)O_CLOEXEC)
        return -EINVAL;
    struct description *open = __espalier_description(from);
    return open ? duplicate_to(open, to, flags & O_CLOEXEC) : -EBADF;
}

/* ---- Control ---- */

struct lock {
    short type, whence;
    long start, length;
    int process;
};

long __espalier_fcntl(int fd, int command, long argument) {
    struct description *open = __espalier_description(fd);
    if (!open)
        return -EBADF;
    switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        if (argument < 0 || argument >= DESCRIPTORS)
            return -EINVAL;
        return install(open, (int)argument, command == F_DUPFD_CLOEXEC);
    case F_GETFD:
        return closed_by_exec[fd] ? FD_CLOEXEC : 0;
    case F_SETFD:
        closed_by_exec[fd] = argument & FD_CLOEXEC;
        return 0;
    case F_GETFL:
        return open->flags;
    case F_SETFL: {
        if (open->flags & O_PATH)
            return -EBADF;
        unsigned changeable = O_APPEND | O_NONBLOCK | O_NOATIME;
        open->flags = (open->flags & ~changeable) | ((unsigned)argument & changeable);
        return 0;
    }
    /* There is no other process to hold a lock. */
    case F_GETLK:
        if (open->flags & O_PATH)
            return -EBADF;
        ((struct lock *)argument)->type = F_UNLCK;
        return 0;
    case F_SETLK:
    case F_SETLKW: {
        if (open->flags & O_PATH)
            return -EBADF;
        short type = ((const struct lock *)argument)->type;
        return type >= 0 && type <= F_UNLCK ? 0 : -EINVAL;
    }
    default:
        return -ENOSYS;
    }
}

/* Nothing here is a terminal. */
/* C libraries ask for the size of the window to find out whether something is a terminal. */
long __espalier_ioctl(int fd, unsigned long request, void *result) {
    enum { TCGETS = 0x5401, TIOCGWINSZ = 0x5413, ROWS = 24, COLUMNS = 80 };
    enum { TERMINAL_SETTINGS = 36 };
    struct description *description = __espalier_opened(fd);
    if (!description)
        return -EBADF;
    const struct inode *node = description->node;
    if (node->told && (request == TCGETS || request == TIOCGWINSZ)) {
        if ((node->told->mode & S_IFMT) != S_IFCHR)
            return -ENOTTY;
        if (request == TCGETS) {
            memset(result, 0, TERMINAL_SETTINGS);
            return 0;
        }
    }
    enum device device = node->device;
    if (node->told && request == TIOCGWINSZ)
        device = OUTPUT;
    else if (!__espalier_terminal || request != TIOCGWINSZ || (device != OUTPUT && device != ERROR_OUTPUT))
        return -ENOTTY;
    unsigned short *size = result;
    size[0] = ROWS;
    size[1] = COLUMNS;
    size[2] = size[3] = 0;
    return 0;
}

/* Files are always ready, and so are the pipes, each in its direction: at the end of input, reading gives the end.
 * A call that would wait forever is not done. */
long __espalier_poll(void *list, unsigned long count, bool forever) {
    struct {
        int fd;
        short events, results;
    } *polled = list;
    long ready = 0;
    for (unsigned long i = 0; i < count; i++) {
        polled[i].results = 0;
        if (polled[i].fd < 0)
            continue;
        const struct description *open = __espalier_opened(polled[i].fd);
        unsigned access = open ? open->flags & O_ACCMODE : 0;
        int possible = (access != O_WRONLY ? POLLIN : 0) | (access != O_RDONLY ? POLLOUT : 0);
        polled[i].results = (short)(open ? polled[i].events & possible : POLLNVAL);
        ready += polled[i].results != 0;
    }
    return !ready && forever ? -ENOSYS : ready;
}
