/* Paths: from names to nodes. Bytes of a name may be symbolic. Whether a name is another one is then one decision, and
 * so is whether a path has a slash; only where it has one is decided byte by byte. */

#include "model.h"

enum { LINKS_FOLLOWED = 40 };

bool __espalier_same_name(const char *left, const char *right, size_t length) {
    unsigned difference = 0;
    for (size_t i = 0; i < length; i++)
        difference |= (unsigned)(left[i] ^ right[i]);
    return !difference;
}

static size_t component_length(const char *path, size_t length) {
    unsigned any = 0;
    for (size_t i = 0; i < length; i++)
        any |= path[i] == '/';
    if (!any)
        return length;
    size_t n = 0;
    while (path[n] != '/')
        n++;
    return n;
}

static struct inode *entry_named(const struct inode *directory, const char *name, size_t length) {
    for (size_t i = 0; i < directory->entry_count; i++) {
        const struct entry *entry = &directory->entries[i];
        if (entry->length == length && __espalier_same_name(entry->name, name, length))
            return entry->node;
    }
    return NULL;
}

/* What a real system has outside of the directory in which the program works is not known. */
static long absent(const char *path, bool last) {
    if (path[0] == '/')
        __espalier_approximate("files");
    return last ? 0 : -ENOENT;
}

static long walk(struct inode *from, const char *path, size_t length, bool follow, unsigned *links,
                 struct place *place) {
    struct inode *at = from;
    size_t i = 0;
    if (!length)
        return -ENOENT;
    while (i < length && path[i] == '/') {
        at = __espalier_root;
        i++;
    }
    *place = (struct place){.directory = at, .node = at, .last = LAST_ROOT, .slash = i == length};
    while (i < length) {
        if (!is_type(at, S_IFDIR))
            return -ENOTDIR;
        long error = __espalier_permitted(at, 1);
        if (error)
            return error;
        const char *name = path + i;
        size_t n = component_length(name, length - i);
        i += n;
        size_t end = i;
        while (i < length && path[i] == '/')
            i++;
        if (n > NAME_LIMIT)
            return -ENAMETOOLONG;
        bool last = i == length;
        *place = (struct place){.directory = at, .name = name, .length = n, .slash = i > end};
        if (n == 1 && name[0] == '.') {
            place->last = LAST_DOT;
            place->node = at;
        } else if (n == 2 && __espalier_same_name(name, "..", 2)) {
            place->last = LAST_DOT_DOT;
            /* The parent of a removed directory is itself: there is no way out by names. */
            place->node = at->parent ? at->parent : at;
        } else {
            place->node = entry_named(at, name, n);
        }
        if (!place->node)
            return absent(path, last);
        if (is_type(place->node, S_IFLNK) && (!last || follow || place->slash)) {
            if (++*links > LINKS_FOLLOWED)
                return -ELOOP;
            bool slash = place->slash;
            error = walk(at, (const char *)place->node->data, place->node->size, true, links, place);
            if (error)
                return error;
            place->slash |= slash;
            if (!place->node)
                return absent(path, last);
        }
        at = place->node;
    }
    return place->slash && !is_type(place->node, S_IFDIR) ? -ENOTDIR : 0;
}

static long start_of(int directory, const char *path, struct inode **start) {
    *start = __espalier_cwd;
    if (directory == AT_FDCWD || path[0] == '/')
        return 0;
    struct description *open = __espalier_description(directory);
    if (!open)
        return -EBADF;
    if (!is_type(open->node, S_IFDIR))
        return -ENOTDIR;
    *start = open->node;
    return 0;
}

long __espalier_resolve(int directory, const char *path, bool follow, struct place *place) {
    size_t length = 0;
    while (path[length])
        length++;
    if (length >= PATH_LIMIT)
        return -ENAMETOOLONG;
    if (!length)
        return -ENOENT;
    struct inode *start;
    long error = start_of(directory, path, &start);
    if (error)
        return error;
    unsigned links = 0;
    return walk(start, path, length, follow, &links, place);
}

long __espalier_find(int directory, const char *path, bool follow, struct inode **node) {
    struct place place;
    long error = __espalier_resolve(directory, path, follow, &place);
    if (error)
        return error;
    *node = place.node;
    return place.node ? 0 : -ENOENT;
}

/* ---- Entries ---- */

static void touch(struct inode *directory) {
    directory->modified = directory->changed = stamp_now();
}

long __espalier_link(struct inode *directory, const char *name, size_t length, struct inode *node) {
    /* Nothing is put into a removed directory. */
    if (!directory->parent)
        return -ENOENT;
    if (directory->entry_count == directory->entry_capacity) {
        size_t capacity = directory->entry_capacity ? 2 * directory->entry_capacity : 8;
        struct entry *entries = realloc(directory->entries, capacity * sizeof *entries);
        if (!entries)
            return -ENOMEM;
        directory->entries = entries;
        directory->entry_capacity = capacity;
    }
    char *copy = malloc(length);
    if (!copy)
        return -ENOMEM;
    memcpy(copy, name, length);
    directory->entries[directory->entry_count++] = (struct entry){copy, length, node, ++directory->last_cookie};
    node->links++;
    if (node->file_system != PIPES)
        node->file_system = directory->file_system;
    if (is_type(node, S_IFDIR)) {
        /* Its own "." and the parent's name for it; the parent gets a "..". */
        node->links = node->links < 2 ? 2 : node->links;
        node->parent = directory;
        directory->links++;
    }
    touch(directory);
    return 0;
}

void __espalier_unlink(struct inode *directory, struct inode *node, const char *name, size_t length) {
    for (size_t i = 0; i < directory->entry_count; i++) {
        struct entry *entry = &directory->entries[i];
        if (entry->node != node || entry->length != length || !__espalier_same_name(entry->name, name, length))
            continue;
        free(entry->name);
        for (size_t j = i + 1; j < directory->entry_count; j++)
            directory->entries[j - 1] = directory->entries[j];
        directory->entry_count--;
        break;
    }
    node->links--;
    node->changed = stamp_now();
    if (is_type(node, S_IFDIR))
        directory->links--;
    touch(directory);
}
