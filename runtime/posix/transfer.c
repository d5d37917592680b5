/* Reading, writing and positions. Offsets may be symbolic where files are read; where they are written, and for counts,
 * each value is a path of its own. */

#include "model.h"

enum { VECTORS = 1024 };
enum { SEEK_SET, SEEK_CUR, SEEK_END, SEEK_DATA, SEEK_HOLE };

static bool readable(const struct description *open) {
    return (open->flags & O_ACCMODE) != O_WRONLY;
}

static bool writable(const struct description *open) {
    return (open->flags & O_ACCMODE) != O_RDONLY;
}

/* ---- Reading ---- */

static long read_pipe(struct inode *node, void *buffer, size_t count) {
    size_t available = node->size - node->position;
    if (count > available)
        count = available;
    count = __espalier_concrete(count);
    if (__espalier_short_reads && count > 1)
        count = __espalier_short_count(count);
    if (!buffer && count)
        return -EFAULT;
    memcpy(buffer, node->data + node->position, count);
    node->position += count;
    return (long)count;
}

static long read_file(struct inode *node, void *buffer, size_t count, unsigned long offset) {
    if (offset >= node->size || !count)
        return 0;
    size_t available = node->size - offset;
    if (count > available)
        count = available;
    count = __espalier_concrete(count);
    if (__espalier_short_reads && count > 1)
        count = __espalier_short_count(count);
    if (!buffer)
        return -EFAULT;
    memcpy(buffer, node->data + offset, count);
    node->accessed = stamp_now();
    return (long)count;
}

static long read_device(enum device device, void *buffer, size_t count) {
    if (device == NULL_DEVICE)
        return 0;
    count = __espalier_concrete(count);
    if (!buffer && count)
        return -EFAULT;
    if (device == RANDOM_DEVICE)
        __espalier_random_bytes(buffer, count);
    else
        memset(buffer, 0, count);
    return (long)count;
}

static long read_at(struct inode *node, void *buffer, size_t count, unsigned long offset) {
    if (count > LONG_MAX)
        return -EINVAL;
    if (is_type(node, S_IFDIR))
        return -EISDIR;
    if (is_type(node, S_IFCHR))
        return read_device(node->device, buffer, count);
    return is_type(node, S_IFIFO) ? read_pipe(node, buffer, count) : read_file(node, buffer, count, offset);
}

long __espalier_read(int fd, void *buffer, size_t count) {
    struct description *open = __espalier_opened(fd);
    if (!open || !readable(open))
        return -EBADF;
    long got = read_at(open->node, buffer, count, open->offset);
    if (got > 0)
        open->offset += (unsigned long)got;
    return got;
}

long __espalier_pread(int fd, void *buffer, size_t count, long offset) {
    struct description *open = __espalier_opened(fd);
    if (!open || !readable(open))
        return -EBADF;
    if (offset < 0)
        return -EINVAL;
    if (is_type(open->node, S_IFIFO))
        return -ESPIPE;
    return read_at(open->node, buffer, count, (unsigned long)offset);
}

long __espalier_readv(int fd, const struct vector *vectors, int count) {
    if (count < 0 || count > VECTORS)
        return -EINVAL;
    long total = 0;
    for (int i = 0; i < count; i++) {
        if (!vectors[i].length)
            continue;
        long got = __espalier_read(fd, vectors[i].base, vectors[i].length);
        if (got < 0)
            return total ? total : got;
        total += got;
        if ((size_t)got < vectors[i].length)
            break;
    }
    return total;
}

/* ---- Writing ---- */

static long write_file(struct inode *node, const void *buffer, size_t count, unsigned long offset) {
    if (node->mounted)
        return -EROFS;
    if (!buffer)
        return -EFAULT;
    if (offset > FILE_LIMIT || count > FILE_LIMIT - offset)
        return -EFBIG;
    offset = __espalier_concrete(offset);
    if (offset + count > node->size) {
        long error = __espalier_resize(node, offset + count);
        if (error)
            return error;
    }
    memcpy(node->data + offset, buffer, count);
    node->modified = node->changed = stamp_now();
    return (long)count;
}

static long write_special(const struct inode *node, const void *buffer, size_t count) {
    switch (node->device) {
    case OUTPUT:
        if (!buffer && count)
            return -EFAULT;
        __espalier_output(1, buffer, count);
        return (long)count;
    case ERROR_OUTPUT:
        if (!buffer && count)
            return -EFAULT;
        __espalier_output(2, buffer, count);
        return (long)count;
    case NULL_DEVICE:
    case ZERO_DEVICE:
    case RANDOM_DEVICE:
        return (long)count;
    case FULL_DEVICE:
        return -ENOSPC;
    default:
        return -EBADF;
    }
}

static long write_at(struct inode *node, const void *buffer, size_t count, unsigned long offset) {
    if (count > LONG_MAX)
        return -EINVAL;
    count = __espalier_concrete(count);
    if (!is_type(node, S_IFREG))
        return write_special(node, buffer, count);
    return count ? write_file(node, buffer, count, offset) : 0;
}

long __espalier_write(int fd, const void *buffer, size_t count) {
    struct description *open = __espalier_opened(fd);
    if (!open || !writable(open))
        return -EBADF;
    if (open->flags & O_APPEND)
        open->offset = open->node->size;
    long put = write_at(open->node, buffer, count, open->offset);
    if (put > 0)
        open->offset += (unsigned long)put;
    return put;
}

long __espalier_pwrite(int fd, const void *buffer, size_t count, long offset) {
    struct description *open = __espalier_opened(fd);
    if (!open || !writable(open))
        return -EBADF;
    if (offset < 0)
        return -EINVAL;
    if (is_type(open->node, S_IFIFO))
        return -ESPIPE;
    /* As Linux does: appending wins over the offset. */
    return write_at(open->node, buffer, count, open->flags & O_APPEND ? open->node->size : (unsigned long)offset);
}

long __espalier_writev(int fd, const struct vector *vectors, int count) {
    if (count < 0 || count > VECTORS)
        return -EINVAL;
    struct description *open = __espalier_opened(fd);
    if (!open || !writable(open))
        return -EBADF;
    long total = 0;
    for (int i = 0; i < count; i++) {
        if (!vectors[i].length)
            continue;
        long put = __espalier_write(fd, vectors[i].base, vectors[i].length);
        if (put < 0)
            return total ? total : put;
        total += put;
    }
    return total;
}

/* ---- Positions and sizes ---- */

/* A file is data up to its end, where the only hole begins. */
static long seek_target(const struct description *open, long offset, int whence) {
    long size = (long)open->node->size, base = 0;
    switch (whence) {
    case SEEK_SET:
        break;
    case SEEK_CUR:
        base = (long)open->offset;
        break;
    case SEEK_END:
        base = size;
        break;
    case SEEK_DATA:
    case SEEK_HOLE:
        if (offset < 0 || offset >= size)
            return -ENXIO;
        return whence == SEEK_DATA ? offset : size;
    default:
        return -EINVAL;
    }
    long target;
    if (__builtin_add_overflow(base, offset, &target) || target < 0)
        return -EINVAL;
    return target;
}

long __espalier_lseek(int fd, long offset, int whence) {
    struct description *open = __espalier_opened(fd);
    if (!open)
        return -EBADF;
    if (is_type(open->node, S_IFIFO))
        return -ESPIPE;
    if (is_type(open->node, S_IFCHR))
        return 0;
    /* A directory is read from the position that an earlier entry gave, or from the start. */
    if (is_type(open->node, S_IFDIR) && whence != SEEK_SET && whence != SEEK_CUR) {
        __espalier_approximate("file systems differ in where a directory ends");
        return -EINVAL;
    }
    if (is_type(open->node, S_IFDIR))
        offset = (long)__espalier_unfixed((unsigned long)offset);
    long target = seek_target(open, offset, whence);
    if (target >= 0)
        open->offset = (unsigned long)target;
    return target;
}

static long set_size(struct inode *node, long size) {
    if (node->mounted)
        return -EROFS;
    if (size > FILE_LIMIT)
        return -EFBIG;
    long error = __espalier_resize(node, __espalier_concrete((unsigned long)size));
    if (!error)
        node->modified = node->changed = stamp_now();
    return error;
}

long __espalier_ftruncate(int fd, long size) {
    struct description *open = __espalier_opened(fd);
    if (!open)
        return -EBADF;
    if (size < 0 || !writable(open) || !is_type(open->node, S_IFREG))
        return -EINVAL;
    return set_size(open->node, size);
}

long __espalier_truncate(const char *path, long size) {
    if (size < 0)
        return -EINVAL;
    struct inode *node;
    long error = __espalier_find(AT_FDCWD, path, true, &node);
    if (error)
        return error;
    if (is_type(node, S_IFDIR))
        return -EISDIR;
    if (!is_type(node, S_IFREG))
        return -EINVAL;
    error = __espalier_permitted(node, 2);
    return error ? error : set_size(node, size);
}

long __espalier_fallocate(int fd, int mode, long offset, long size) {
    struct description *open = __espalier_opened(fd);
    if (!open || !writable(open))
        return -EBADF;
    if (mode)
        return -EOPNOTSUPP;
    if (offset < 0 || size <= 0)
        return -EINVAL;
    if (is_type(open->node, S_IFIFO))
        return -ESPIPE;
    if (!is_type(open->node, S_IFREG))
        return -ENODEV;
    long end;
    if (__builtin_add_overflow(offset, size, &end))
        return -EFBIG;
    return (size_t)end > open->node->size ? set_size(open->node, end) : 0;
}
