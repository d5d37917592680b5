/* The environment: what the program set is known, what it was given is not. */

#include "libc.h"

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

/* `environ` is another name of it, so that the engine can tell whether the program looks at the table itself. */
static char *empty[1];
char **__espalier_environ = empty;
extern char **environ __attribute__((__weak__, alias(TEXT(__espalier_environ))));
extern char **__environ __attribute__((__weak__, alias(TEXT(__espalier_environ))));

/* The table if it is one of ours, which may then be made larger. */
static char **own_table;

/* What setenv made is kept: a pointer that getenv gave may be in use. */
static struct made {
    struct made *next;
    char text[];
} *made_definitions;

/* Names of which it is known that they are not set. */
static struct removed {
    struct removed *next;
    char name[];
} *removed_names;

static int all_removed;

static unsigned is_definition_of(const char *definition, const char *name, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (definition[i] != name[i])
            return 0;
    return definition[n] == '=';
}

static char **find(const char *name, size_t n) {
    for (char **at = __espalier_environ; at && *at; at++)
        if (is_definition_of(*at, name, n))
            return at;
    return NULL;
}

static unsigned is_removed(const char *name, size_t n) {
    if (all_removed)
        return 1;
    for (struct removed *other = removed_names; other; other = other->next) {
        size_t i = 0;
        while (i < n && other->name[i] == name[i])
            i++;
        if (i == n && !other->name[n])
            return 1;
    }
    return 0;
}

static char *value_of(const char *name) {
    size_t n = length(name);
    char **found = find(name, n);
    if (found)
        return *found + n + 1;
    if (!is_removed(name, n))
        __espalier_approximate("environment");
    return NULL;
}

API char *getenv(const char *name) {
    return value_of(name);
}

API char *secure_getenv(const char *name) {
    return value_of(name);
}

/* Adds a definition, or puts it in the place of another one. */
static int define(char *definition, size_t name_length) {
    char **found = find(definition, name_length);
    if (found) {
        *found = definition;
        return 0;
    }
    size_t n = 0;
    while (__espalier_environ && __espalier_environ[n])
        n++;
    char **larger = realloc(own_table, (n + 2) * sizeof *larger);
    if (!larger)
        return -1;
    if (__espalier_environ != own_table && n)
        memcpy(larger, __espalier_environ, n * sizeof *larger);
    larger[n] = definition;
    larger[n + 1] = NULL;
    __espalier_environ = own_table = larger;
    return 0;
}

/* The length of a name; SIZE_MAX, and EINVAL, if it is none. */
static size_t name_length(const char *name) {
    size_t n = 0;
    while (name && name[n] && name[n] != '=')
        n++;
    if (n && !name[n])
        return n;
    errno = EINVAL;
    return SIZE_MAX;
}

API int setenv(const char *name, const char *value, int overwrite) {
    size_t n = name_length(name), size = length(value);
    if (n == SIZE_MAX)
        return -1;
    if (!overwrite) {
        if (find(name, n))
            return 0;
        if (!is_removed(name, n))
            __espalier_approximate("environment");
    }
    struct made *made = malloc(sizeof *made + n + size + 2);
    if (!made)
        return -1;
    made->next = made_definitions;
    made_definitions = made;
    memcpy(made->text, name, n);
    made->text[n] = '=';
    memcpy(made->text + n + 1, value, size + 1);
    return define(made->text, n);
}

static int forget(const char *name, size_t n) {
    for (char **at = find(name, n); at; at = find(name, n))
        do
            at[0] = at[1];
        while (*at++);
    if (is_removed(name, n))
        return 0;
    struct removed *removed = malloc(sizeof *removed + n + 1);
    if (!removed)
        return -1;
    memcpy(removed->name, name, n);
    removed->name[n] = 0;
    removed->next = removed_names;
    removed_names = removed;
    return 0;
}

API int unsetenv(const char *name) {
    size_t n = name_length(name);
    return n == SIZE_MAX ? -1 : forget(name, n);
}

/* The text becomes part of the environment; without an equals sign, it is a name to be removed. */
API int putenv(char *definition) {
    size_t n = 0;
    while (definition[n] && definition[n] != '=')
        n++;
    return definition[n] ? define(definition, n) : forget(definition, n);
}

API int clearenv(void) {
    __espalier_environ = NULL;
    all_removed = 1;
    return 0;
}
