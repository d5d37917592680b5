/* Nodes, and the files that every program finds: /, /work (the working directory), /tmp, /dev, and what is mounted. */

#include "model.h"

struct inode *__espalier_root, *__espalier_cwd;

static struct inode *input, *output, *error_output, *first_directory;

static unsigned long nodes_gone;

struct inode *__espalier_new_node(unsigned mode) {
    static unsigned long numbers;
    struct inode *node = malloc(sizeof *node);
    if (!node)
        return NULL;
    struct stamp now = stamp_now();
    *node = (struct inode){.number = ++numbers, .gone_before = nodes_gone, .mode = mode, .user = USER, .group = USER};
    node->accessed = node->modified = node->changed = now;
    if ((mode & S_IFMT) == S_IFDIR)
        node->last_cookie = 2;
    return node;
}

/* Frees a node that neither a name nor a description leads to. */
void __espalier_release(struct inode *node) {
    if (node->links || node->holders)
        return;
    nodes_gone++;
    if (!node->mounted)
        free(node->data);
    free(node->entries);
    free(node);
}

long __espalier_resize(struct inode *node, size_t size) {
    if (size > FILE_LIMIT)
        return -EFBIG;
    if (size > node->capacity) {
        size_t capacity = 2 * node->capacity > size ? 2 * node->capacity : size;
        unsigned char *data = realloc(node->data, capacity);
        if (!data)
            return -ENOSPC;
        node->data = data;
        node->capacity = capacity;
    }
    if (size > node->size)
        memset(node->data + node->size, 0, size - node->size);
    node->size = size;
    return 0;
}

long __espalier_permitted(const struct inode *node, unsigned wanted) {
    if ((wanted & 2) && node->mounted)
        return -EROFS;
    unsigned granted = node->user == USER ? node->mode >> 6 : node->group == USER ? node->mode >> 3 : node->mode;
    return (granted & wanted) == wanted ? 0 : -EACCES;
}

struct inode *__espalier_standard_stream(enum device device) {
    return device == INPUT ? input : device == OUTPUT ? output : error_output;
}

static size_t length(const char *text) {
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

static struct inode *add(struct inode *directory, const char *name, unsigned mode, enum device device) {
    struct inode *node = __espalier_new_node(mode);
    node->device = device;
    __espalier_link(directory, name, length(name), node);
    return node;
}

static struct inode *pipe_node(enum device device) {
    struct inode *node = __espalier_new_node(S_IFIFO | 0600);
    node->device = device;
    node->file_system = PIPES;
    node->links = 1;
    return node;
}

/* Makes the directories that a mounted file's path needs, and puts it there. */
static void mount(const struct __espalier_mount *given) {
    const char *name = given->path;
    struct inode *directory = *name == '/' ? __espalier_root : __espalier_cwd;
    while (*name == '/')
        name++;
    while (*name) {
        size_t n = 0, after;
        while (name[n] && name[n] != '/')
            n++;
        for (after = n; name[after] == '/'; after++)
            ;
        struct inode *node = NULL;
        for (size_t i = 0; i < directory->entry_count; i++)
            if (directory->entries[i].length == n && __espalier_same_name(directory->entries[i].name, name, n))
                node = directory->entries[i].node;
        bool last = !name[after];
        bool wants_directory = !last || (given->mode & S_IFMT) == S_IFDIR;
        if (node && !(wants_directory && is_type(node, S_IFDIR))) {
            __espalier_unlink(directory, node, name, n);
            node = NULL;
        }
        if (!node) {
            node = __espalier_new_node(last ? given->mode : S_IFDIR | 0755u);
            node->mounted = true;
            node->user = node->group = 0;
            if (!wants_directory) {
                node->data = (unsigned char *)given->data;
                node->size = given->size;
            }
            __espalier_link(directory, name, n, node);
        }
        directory = node;
        name += after;
    }
}

void __espalier_make_file_system(void) {
    if (__espalier_root)
        return;
    __espalier_root = __espalier_new_node(S_IFDIR | 0755);
    __espalier_root->user = __espalier_root->group = 0;
    __espalier_root->links = 2;
    __espalier_root->parent = __espalier_root;
    __espalier_root->file_system = ROOT;
    __espalier_cwd = add(__espalier_root, "work", S_IFDIR | 0755, NO_DEVICE);
    __espalier_cwd->holders = 2;
    __espalier_cwd->file_system = WORKING;
    first_directory = __espalier_cwd;
    struct inode *tmp = add(__espalier_root, "tmp", S_IFDIR | 0777, NO_DEVICE);
    tmp->user = tmp->group = 0;
    tmp->file_system = TEMPORARY;
    input = pipe_node(INPUT);
    output = pipe_node(OUTPUT);
    error_output = pipe_node(ERROR_OUTPUT);
    struct inode *dev = add(__espalier_root, "dev", S_IFDIR | 0755, NO_DEVICE);
    dev->file_system = DEVICES;
    add(dev, "null", S_IFCHR | 0666, NULL_DEVICE);
    add(dev, "zero", S_IFCHR | 0666, ZERO_DEVICE);
    add(dev, "full", S_IFCHR | 0666, FULL_DEVICE);
    add(dev, "random", S_IFCHR | 0666, RANDOM_DEVICE);
    add(dev, "urandom", S_IFCHR | 0666, RANDOM_DEVICE);
    add(dev, "tty", S_IFCHR | 0666, TTY_DEVICE);
    __espalier_link(dev, "stdin", 5, input);
    __espalier_link(dev, "stdout", 6, output);
    __espalier_link(dev, "stderr", 6, error_output);
    dev->user = dev->group = 0;
    __espalier_new_descriptor(input, O_RDONLY);
    __espalier_new_descriptor(output, O_WRONLY);
    __espalier_new_descriptor(error_output, O_WRONLY);
    for (unsigned long i = 0; i < __espalier_mount_count; i++)
        mount(&__espalier_mounts[i]);
}

static void tell(const struct inode *directory, unsigned depth) {
    for (size_t i = 0; i < directory->entry_count; i++) {
        const struct entry *entry = &directory->entries[i];
        const struct inode *node = entry->node;
        if (node->mounted)
            continue;
        bool has_data = is_type(node, S_IFREG) || is_type(node, S_IFLNK);
        __espalier_file(depth, node->mode, entry->name, entry->length, node->data, has_data ? node->size : 0);
        if (is_type(node, S_IFDIR))
            tell(node, depth + 1);
    }
}

void __espalier_end(int status) {
    if (__espalier_begin_files())
        tell(first_directory, 0);
    _exit(status);
}
