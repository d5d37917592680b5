/* What is known about files, and its changes. */

#include "model.h"

enum { AT_EACCESS = 0x200 };
enum { UTIME_NOW = 0x3fffffff, UTIME_OMIT = 0x3ffffffe };

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

/* What a file system decides. */
static unsigned long told(unsigned long value, const char *what, const struct inode *node) {
    return __espalier_fixed(value, "status", what, node->number);
}

static unsigned told_owner(unsigned owner, const char *what) {
    return (unsigned)__espalier_fixed(owner, "process", what, owner);
}

static struct moment told_time(const struct stamp *stamp, const char *seconds, const char *nanoseconds) {
    struct moment at = stamp->moment;
    if (stamp->is_set)
        return at;
    /* The clock never stands still. */
    unsigned long when = (unsigned long)at.seconds * 1000000000 + (unsigned long)at.nanoseconds;
    return (struct moment){
        .seconds = (long)__espalier_fixed((unsigned long)at.seconds, "status", seconds, when),
        .nanoseconds = (long)__espalier_fixed((unsigned long)at.nanoseconds, "status", nanoseconds, when),
    };
}

/* The working directory is not on the device of pipes; which others are one is not known. */
static unsigned long told_device(const struct inode *node) {
    unsigned long kind = node->file_system == PIPES ? WORKING : node->file_system;
    return __espalier_fixed_name(1 + (unsigned long)node->file_system, "status", "device", kind);
}

unsigned long __espalier_node_number(const struct inode *node) {
    unsigned long kind = node->gone_before << 3 | node->file_system;
    return __espalier_fixed_name(node->number, "status", "inode", kind);
}

static void describe(const struct inode *node, struct status *status) {
    /* A descriptor may depend on the input. */
    node = (const struct inode *)__espalier_concrete((unsigned long)node);
    if (node->told) {
        *status = *node->told;
        status->size = (long)node->size;
        return;
    }
    bool is_directory = is_type(node, S_IFDIR), is_file = is_type(node, S_IFREG);
    unsigned long size = is_type(node, S_IFIFO) ? 0 : is_directory ? PAGE : node->size;
    unsigned long blocks = is_file ? (size + PAGE - 1) / PAGE * (PAGE / 512) : 0;
    bool is_stored = node->file_system != PIPES && !is_type(node, S_IFCHR);
    *status = (struct status){
        .device = told_device(node),
        .number = __espalier_node_number(node),
        .links = is_directory ? told(node->links, "links", node) : node->file_system == PIPES ? 1 : node->links,
        .mode = node->mode,
        .user = told_owner(node->user, "user"),
        .group = told_owner(node->group, "group"),
        .special_device = device_number(node->device),
        .size = (long)(is_directory ? told(size, "size", node) : size),
        .block_size = (long)(is_stored ? told(PAGE, "block size", node) : PAGE),
        .blocks = (long)(is_stored ? told(blocks, "blocks", node) : 0),
        .accessed = told_time(&node->accessed, "accessed", "accessed, nanoseconds"),
        .modified = told_time(&node->modified, "modified", "modified, nanoseconds"),
        .changed = told_time(&node->changed, "changed", "changed, nanoseconds"),
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

/* There is nothing to say about file systems. */
long __espalier_statfs(const char *path) {
    struct inode *node;
    long error = __espalier_find(AT_FDCWD, path, true, &node);
    return error ? error : -ENOSYS;
}

/* There are no other programs: a file cannot be run. */
long __espalier_execve(const char *path) {
    struct inode *node;
    long error = __espalier_find(AT_FDCWD, path, true, &node);
    if (error)
        return error;
    return !is_type(node, S_IFREG) || __espalier_permitted(node, 1) ? -EACCES : -ENOSYS;
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
    node->changed = stamp_now();
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

/* The user owns his files and is in one group: nothing can be given away. Everybody may change nothing. */
static long set_owner(struct inode *node, unsigned user, unsigned group) {
    if (node->mounted)
        return -EROFS;
    bool changes = user != -1u || group != -1u;
    if ((changes && node->user != USER) || (user != -1u && user != USER) || (group != -1u && group != USER))
        return -EPERM;
    node->changed = stamp_now();
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

/* Those of another file's time are neither too many nor a wish. */
static unsigned long nanoseconds_of(const struct moment *moment) {
    return __espalier_unfixed((unsigned long)moment->nanoseconds);
}

static void set_stamp(struct stamp *stamp, const struct moment *wanted) {
    if (!wanted || nanoseconds_of(wanted) == UTIME_NOW)
        *stamp = stamp_now();
    else if (nanoseconds_of(wanted) != UTIME_OMIT)
        *stamp = (struct stamp){*wanted, true};
}

static bool valid_moment(const struct moment *moment) {
    unsigned long n = nanoseconds_of(moment);
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
    bool is_now = !times || (nanoseconds_of(&times[0]) == UTIME_NOW && nanoseconds_of(&times[1]) == UTIME_NOW);
    if (node->user != USER && !is_now)
        return -EPERM;
    /* Who may write may say that it is so now. */
    if (node->user != USER && __espalier_permitted(node, 2))
        return -EACCES;
    set_stamp(&node->accessed, times ? &times[0] : NULL);
    set_stamp(&node->modified, times ? &times[1] : NULL);
    node->changed = stamp_now();
    return 0;
}
