/* Calls that change or read directories. */

#include "model.h"

enum { RENAME_NOREPLACE = 1 };

/* ---- Creating ---- */

/* A place where something new may be put. */
static long resolve_new(int directory, const char *path, bool is_directory, struct place *place) {
    long error = __espalier_resolve(directory, path, false, place);
    if (error)
        return error;
    if (place->node)
        return -EEXIST;
    if (place->slash && !is_directory)
        return -ENOENT;
    return __espalier_permitted(place->directory, 3);
}

static long put(const struct place *place, struct inode *node) {
    if (!node)
        return -ENOMEM;
    long error = __espalier_link(place->directory, place->name, place->length, node);
    if (error)
        __espalier_release(node);
    return error;
}

static unsigned masked(unsigned mode) {
    unsigned mask = __espalier_umask(0);
    __espalier_umask(mask);
    return mode & ~mask;
}

long __espalier_mkdirat(int directory, const char *path, unsigned mode) {
    struct place place;
    long error = resolve_new(directory, path, true, &place);
    return error ? error : put(&place, __espalier_new_node(S_IFDIR | masked(mode & 01777)));
}

/* Devices are not for users, but the one without a number is. */
long __espalier_mknodat(int directory, const char *path, unsigned mode, unsigned long device) {
    unsigned type = mode & S_IFMT ? mode & S_IFMT : (unsigned)S_IFREG;
    if (type == S_IFDIR)
        return -EPERM;
    bool is_device = type == S_IFBLK || (type == S_IFCHR && device);
    if (type != S_IFREG && type != S_IFIFO && !is_device)
        return -ENOSYS;
    struct place place;
    long error = resolve_new(directory, path, false, &place);
    if (error)
        return error;
    if (is_device) {
        __espalier_approximate("process");
        return -EPERM;
    }
    return put(&place, __espalier_new_node(type | masked(mode & 07777)));
}

long __espalier_symlinkat(const char *target, int directory, const char *path) {
    size_t length = 0;
    while (target[length])
        length++;
    if (!length)
        return -ENOENT;
    if (length >= PATH_LIMIT)
        return -ENAMETOOLONG;
    struct place place;
    long error = resolve_new(directory, path, false, &place);
    if (error)
        return error;
    struct inode *node = __espalier_new_node(S_IFLNK | 0777);
    if (!node)
        return -ENOMEM;
    error = __espalier_resize(node, length);
    if (error)
        return error;
    memcpy(node->data, target, length);
    return put(&place, node);
}

long __espalier_linkat(int from_directory, const char *from, int to_directory, const char *to, int flags) {
    if (flags & ~AT_SYMLINK_FOLLOW)
        return -EINVAL;
    struct inode *node;
    long error = __espalier_find(from_directory, from, flags & AT_SYMLINK_FOLLOW, &node);
    if (error)
        return error;
    struct place place;
    error = resolve_new(to_directory, to, false, &place);
    if (error)
        return error;
    if (is_type(node, S_IFDIR) || node->user != USER)
        return -EPERM;
    error = put(&place, node);
    if (!error)
        node->changed = stamp_now();
    return error;
}

long __espalier_readlinkat(int directory, const char *path, char *buffer, size_t size) {
    if (!size || size > INT_MAX)
        return -EINVAL;
    struct inode *node;
    long error = __espalier_find(directory, path, false, &node);
    if (error)
        return error;
    if (!is_type(node, S_IFLNK))
        return -EINVAL;
    size_t count = __espalier_concrete(size < node->size ? size : node->size);
    memcpy(buffer, node->data, count);
    return (long)count;
}

/* ---- Removing ---- */

/* May this entry be taken out of its directory? */
static long removable(const struct place *place) {
    long error = __espalier_permitted(place->directory, 3);
    if (error)
        return error;
    if (place->node->mounted)
        return -EROFS;
    return place->node == __espalier_root || place->node->device != NO_DEVICE ? -EBUSY : 0;
}

static void remove_entry(const struct place *place) {
    struct inode *node = place->node;
    __espalier_unlink(place->directory, node, place->name, place->length);
    if (is_type(node, S_IFDIR)) {
        node->links = 0;
        node->parent = NULL;
    }
    __espalier_release(node);
}

static long remove_directory(const struct place *place) {
    if (place->last != LAST_NAME)
        return place->last == LAST_ROOT ? -EBUSY : place->last == LAST_DOT ? -EINVAL : -ENOTEMPTY;
    if (!place->node)
        return -ENOENT;
    if (!is_type(place->node, S_IFDIR))
        return -ENOTDIR;
    long error = removable(place);
    if (error)
        return error;
    if (place->node->entry_count)
        return -ENOTEMPTY;
    remove_entry(place);
    return 0;
}

long __espalier_unlinkat(int directory, const char *path, int flags) {
    if (flags & ~AT_REMOVEDIR)
        return -EINVAL;
    struct place place;
    long error = __espalier_resolve(directory, path, false, &place);
    if (error)
        return error;
    if (flags & AT_REMOVEDIR)
        return remove_directory(&place);
    if (place.last != LAST_NAME)
        return -EISDIR;
    if (!place.node)
        return -ENOENT;
    if (is_type(place.node, S_IFDIR))
        return -EISDIR;
    error = removable(&place);
    if (!error)
        remove_entry(&place);
    return error;
}

/* ---- Renaming ---- */

static bool is_inside(const struct inode *inner, const struct inode *outer) {
    for (; inner; inner = inner->parent) {
        if (inner == outer)
            return true;
        if (inner == __espalier_root)
            return false;
    }
    return false;
}

/* May what is at `to` be replaced by what is at `from`? */
static long replaceable(const struct place *from, const struct place *to) {
    bool directory = is_type(from->node, S_IFDIR);
    if (is_type(to->node, S_IFDIR) != directory)
        return directory ? -ENOTDIR : -EISDIR;
    if (to->node->entry_count)
        return -ENOTEMPTY;
    return removable(to);
}

long __espalier_renameat(int from_directory, const char *from_path, int to_directory, const char *to_path,
                         unsigned flags) {
    if (flags & ~(unsigned)RENAME_NOREPLACE)
        return -EINVAL;
    struct place from, to;
    long error = __espalier_resolve(from_directory, from_path, false, &from);
    if (!error)
        error = __espalier_resolve(to_directory, to_path, false, &to);
    if (error)
        return error;
    if (from.last != LAST_NAME || to.last != LAST_NAME)
        return -EBUSY;
    if (!from.node)
        return -ENOENT;
    if (to.node && flags & RENAME_NOREPLACE)
        return -EEXIST;
    bool directory = is_type(from.node, S_IFDIR);
    if (!directory && (from.slash || to.slash))
        return -ENOTDIR;
    if (directory && is_inside(to.directory, from.node))
        return -EINVAL;
    if (to.node && is_type(to.node, S_IFDIR) && is_inside(from.directory, to.node))
        return -ENOTEMPTY;
    error = removable(&from);
    if (!error)
        error = __espalier_permitted(to.directory, 3);
    if (error || to.node == from.node)
        return error;
    if (to.node) {
        error = replaceable(&from, &to);
        if (error)
            return error;
        remove_entry(&to);
    }
    error = put(&to, from.node);
    if (!error)
        __espalier_unlink(from.directory, from.node, from.name, from.length);
    return error;
}

/* ---- Reading ---- */

struct record {
    unsigned long number;
    long next;
    unsigned short size;
    unsigned char type;
    char name[];
};

/* Adds a record if there is space; its size, or 0. */
static size_t add_record(char *buffer, size_t space, const struct inode *node, const char *name, size_t length,
                         unsigned long next) {
    size_t header = offsetof(struct record, name);
    size_t size = (header + length + 1 + 7) / 8 * 8;
    if (size > space)
        return 0;
    struct record *record = (struct record *)buffer;
    record->number = __espalier_node_number(node);
    record->next = (long)__espalier_fixed(next, "status", "position", next);
    record->size = (unsigned short)size;
    record->type = (unsigned char)(node->mode >> 12);
    memcpy(buffer + header, name, length);
    memset(buffer + header + length, 0, size - header - length);
    return size;
}

/* The position 0 stands before ".", 1 before "..", and others are those of entries. */
long __espalier_getdents(int fd, void *buffer, size_t space) {
    struct description *open = __espalier_opened(fd);
    if (!open)
        return -EBADF;
    struct inode *directory = open->node;
    if (!is_type(directory, S_IFDIR))
        return -ENOTDIR;
    if (!directory->parent)
        return -ENOENT;
    char *at = buffer;
    size_t used = 0, size = 1;
    if (open->offset == 0) {
        size = add_record(at, space, directory, ".", 1, 1);
        used += size;
        open->offset = size ? 1 : 0;
    }
    if (open->offset == 1 && size) {
        size = add_record(at + used, space - used, directory->parent, "..", 2, 2);
        used += size;
        open->offset = size ? 2 : 1;
    }
    /* File systems differ in the order, and systems in what they have elsewhere. */
    if (directory->entry_count > 1)
        __espalier_approximate("status");
    if (directory->file_system != WORKING)
        __espalier_approximate("files");
    for (size_t i = 0; i < directory->entry_count && size; i++) {
        const struct entry *entry = &directory->entries[i];
        if (entry->cookie <= open->offset)
            continue;
        size = add_record(at + used, space - used, entry->node, entry->name, entry->length, entry->cookie);
        used += size;
        if (size)
            open->offset = entry->cookie;
    }
    return !used && !size ? -EINVAL : (long)used;
}

/* ---- The working directory ---- */

static long enter(struct inode *node) {
    if (!is_type(node, S_IFDIR))
        return -ENOTDIR;
    long error = __espalier_permitted(node, 1);
    if (error)
        return error;
    node->holders++;
    __espalier_cwd->holders--;
    __espalier_release(__espalier_cwd);
    __espalier_cwd = node;
    return 0;
}

long __espalier_chdir(const char *path) {
    struct inode *node;
    long error = __espalier_find(AT_FDCWD, path, true, &node);
    return error ? error : enter(node);
}

long __espalier_fchdir(int fd) {
    struct description *open = __espalier_description(fd);
    return open ? enter(open->node) : -EBADF;
}

/* Only root may. */
long __espalier_chroot(const char *path) {
    struct inode *node;
    long error = __espalier_find(AT_FDCWD, path, true, &node);
    if (error)
        return error;
    if (!is_type(node, S_IFDIR))
        return -ENOTDIR;
    error = __espalier_permitted(node, 1);
    __espalier_approximate("process");
    return error ? error : -EPERM;
}

static const struct entry *entry_of(const struct inode *node) {
    for (size_t i = 0; i < node->parent->entry_count; i++)
        if (node->parent->entries[i].node == node)
            return &node->parent->entries[i];
    return NULL;
}

long __espalier_getcwd(char *buffer, size_t size) {
    size_t length = 0;
    const struct inode *at;
    for (at = __espalier_cwd; at != __espalier_root; at = at->parent) {
        if (!at->parent)
            return -ENOENT;
        length += entry_of(at)->length + 1;
    }
    length += !length;
    if (length + 1 > size)
        return -ERANGE;
    buffer[0] = '/';
    buffer[length] = 0;
    size_t end = length;
    for (at = __espalier_cwd; at != __espalier_root; at = at->parent) {
        const struct entry *entry = entry_of(at);
        end -= entry->length;
        memcpy(buffer + end, entry->name, entry->length);
        buffer[--end] = '/';
    }
    return (long)length + 1;
}
