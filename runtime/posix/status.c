/* What is known about files, and its changes. */

#include "model.h"

enum { AT_EACCESS = 0x200 };
enum { FILE_SYSTEM = 1, PIPES = 2, UTIME_NOW = 0x3fffffff, UTIME_OMIT = 0x3ffffffe };

/* The kernel's struct stat for x86_64. */
struct status {
    unsigned long device, number, links;
    unsigned mode, user, group, padding;
    unsigned long special_device;
    long size, block_size, blocks;
    struct moment accessed, modified, changed;
    long unused[3];
};

/* Linux' numbers of its character devices. */
static unsigned long device_number(enum device device) {
    switch (device) {
    case NULL_DEVICE:
        return 1 << 8 | 3;
    case ZERO_DEVICE:
        return 1 << 8 | 5;
    case FULL_DEVICE:
        return 1 << 8 | 7;
    case RANDOM_DEVICE:
        return 1 << 8 | 8;
    case TTY_DEVICE:
        return 5 << 8;
    default:
        return 0;
    }
}

static void describe(const struct inode *node, struct status *status) {
    bool pipe = is_type(node, S_IFIFO);
    long size = pipe ? 0 : is_type(node, S_IFDIR) ? PAGE : (long)node->size;
    *status = (struct status){
        .device = pipe ? PIPES : FILE_SYSTEM,
        .number = node->number,
        .links = node->links,
        .mode = node->mode,
        .user = node->user,
        .group = node->group,
        .special_device = device_number(node->device),
        .size = size,
        .block_size = PAGE,
        .blocks = is_type(node, S_IFREG) ? (size + PAGE - 1) / PAGE * (PAGE / 512) : 0,
        .accessed = node->accessed,
        .modified = node->modified,
        .changed = node->changed,
    };
}

/* The node of a descriptor if the path is empty and that is allowed, and the path's otherwise. */
static long node_at(int directory, const char *path, int flags, struct inode **node) {
    if (path && (path[0] || !(flags & AT_EMPTY_PATH)))
        return __espalier_find(directory, path, !(flags & AT_SYMLINK_NOFOLLOW), node);
    if (directory == AT_FDCWD) {
        *node = __espalier_cwd;
        return 0;
    }
    struct description *open = path ? __espalier_description(directory) : __espalier_opened(directory);
    if (!open)
        return -EBADF;
    *node = open->node;
    return 0;
}

long __espalier_fstatat(int directory, const char *path, struct status *status, int flags) {
    if (flags & ~(AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_EMPTY_PATH))
        return -EINVAL;
    struct inode *node;
    long error = node_at(directory, path, flags, &node);
    if (!error)
        describe(node, status);
    return error;
}

long __espalier_fstat(int fd, struct status *status) {
    struct description *open = __espalier_description(fd);
    if (!open)
        return -EBADF;
    describe(open->node, status);
    return 0;
}

/* The real and the effective user are the same. */
long __espalier_faccessat(int directory, const char *path, unsigned wanted, int flags) {
    if (wanted > 7 || flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH | AT_EACCESS))
        return -EINVAL;
    struct inode *node;
    long error = node_at(directory, path, flags, &node);
    return error ? error : __espalier_permitted(node, wanted);
}

static long set_mode(struct inode *node, unsigned mode) {
    if (node->mounted)
        return -EROFS;
    if (node->user != USER)
        return -EPERM;
    node->mode = (node->mode & S_IFMT) | (mode & 07777);
    node->changed = __espalier_now();
    return 0;
}

long __espalier_fchmodat(int directory, const char *path, unsigned mode) {
    struct inode *node;
    long error = __espalier_find(directory, path, true, &node);
    return error ? error : set_mode(node, mode);
}

long __espalier_fchmod(int fd, unsigned mode) {
    struct description *open = __espalier_opened(fd);
    return open ? set_mode(open->node, mode) : -EBADF;
}

/* The user owns his files and is in one group: nothing can be given away. */
static long set_owner(struct inode *node, unsigned user, unsigned group) {
    if (node->mounted)
        return -EROFS;
    if (node->user != USER || (user != -1u && user != USER) || (group != -1u && group != USER))
        return -EPERM;
    node->changed = __espalier_now();
    return 0;
}

long __espalier_fchownat(int directory, const char *path, unsigned user, unsigned group, int flags) {
    if (flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH))
        return -EINVAL;
    struct inode *node;
    long error = node_at(directory, path, flags, &node);
    return error ? error : set_owner(node, user, group);
}

long __espalier_fchown(int fd, unsigned user, unsigned group) {
    struct description *open = __espalier_opened(fd);
    return open ? set_owner(open->node, user, group) : -EBADF;
}

static void set_moment(struct moment *moment, const struct moment *wanted) {
    if (!wanted || wanted->nanoseconds == UTIME_NOW)
        *moment = __espalier_now();
    else if (wanted->nanoseconds != UTIME_OMIT)
        *moment = *wanted;
}

static bool valid_moment(const struct moment *moment) {
    unsigned long n = (unsigned long)moment->nanoseconds;
    return n < 1000000000 || n == UTIME_NOW || n == UTIME_OMIT;
}

/* Without a path, the times of the open file `directory`. */
long __espalier_utimensat(int directory, const char *path, const struct moment *times, int flags) {
    if (flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH))
        return -EINVAL;
    if (times && !(valid_moment(&times[0]) && valid_moment(&times[1])))
        return -EINVAL;
    struct inode *node;
    long error = node_at(directory, path, flags, &node);
    if (error)
        return error;
    if (node->mounted)
        return -EROFS;
    if (node->user != USER)
        return times ? -EPERM : -EACCES;
    set_moment(&node->accessed, times ? &times[0] : NULL);
    set_moment(&node->modified, times ? &times[1] : NULL);
    node->changed = __espalier_now();
    return 0;
}
