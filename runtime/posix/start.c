/* The start of a program: its arguments, environment and inputs as the specification says, then libc's start, main. */

#include "model.h"

enum { ITEMS = 1024 };

int main(int argc, char **argv, char **envp);
NORETURN void exit(int status);
/* In the archive of the C library; a program that is run without it has the engine's functions, which need no start. */
__attribute__((weak)) NORETURN void __espalier_libc_start(int (*program)(int, char **, char **), int argc, char **argv,
                                                          char **envp);

static char *arguments[ITEMS], *environment[ITEMS];
static char **program_arguments, **program_environment;
static int argument_count, environment_count, symbolic_arguments;

bool __espalier_short_reads, __espalier_terminal, __espalier_as_klee;
unsigned __espalier_failures_left;

static NORETURN void wrong(const char *item) {
    klee_report_error("specification", 1, item, "user");
}

static void add(char **list, int *count, char *text) {
    if (*count + 1 >= ITEMS)
        wrong("more than 1000 arguments or variables");
    list[(*count)++] = text;
}

/* Reads a number and what must follow it. */
static unsigned number(const char **text, char end, const char *item) {
    unsigned value = 0;
    const char *at = *text;
    if (*at < '0' || *at > '9')
        wrong(item);
    for (; *at >= '0' && *at <= '9' && value < 1 << 24; at++)
        value = value * 10 + (unsigned)(*at - '0');
    if (*at != end)
        wrong(item);
    *text = at + (end != 0);
    return value;
}

/* Two digits, as many as are needed beyond. */
static void numbered(char *name, unsigned value) {
    unsigned unit = 10;
    while (value / unit >= 10)
        unit *= 10;
    for (; unit; unit /= 10)
        *name++ = (char)('0' + value / unit % 10);
    *name = 0;
}

/* Printable characters are preferred in tests, but for what follows the first `shown` bytes. */
static void make_symbolic(void *object, size_t size, size_t shown, const char *name) {
    klee_make_symbolic(object, size, name);
    unsigned char *bytes = object;
    for (size_t i = 0; i < shown; i++)
        klee_prefer_cex(object, (bytes[i] >= 32) & (bytes[i] < 127));
}

static char *symbolic_text(unsigned length, const char *name) {
    char *text = malloc(length + 1);
    make_symbolic(text, length + 1, length, name);
    text[length] = 0;
    return text;
}

static void symbolic_argument(unsigned length) {
    char name[16] = "arg";
    numbered(name + 3, (unsigned)symbolic_arguments++);
    char *text = symbolic_text(length, name);
    klee_mark_global(text);
    add(arguments, &argument_count, text);
}

/* How many there are is an input of its own, and a fork for each number. */
static void symbolic_arguments_between(unsigned min, unsigned max, unsigned length) {
    unsigned count = max;
    if (min != max) {
        klee_make_symbolic(&count, sizeof count, "n_args");
        klee_assume((count >= min) & (count <= max));
    }
    for (unsigned i = 0; i < max; i++) {
        if (i >= min && i >= count)
            return;
        symbolic_argument(length);
    }
}

static void argument_item(const char *item) {
    const char *at = item + 1;
    if (*item == '=') {
        add(arguments, &argument_count, (char *)at);
    } else if (*item == 'a') {
        symbolic_argument(number(&at, 0, item));
    } else if (*item == 'A') {
        unsigned min = number(&at, ',', item), max = number(&at, ',', item), length = number(&at, 0, item);
        if (min > max)
            wrong(item);
        symbolic_arguments_between(min, max, length);
    }
}

static void environment_item(const char *item) {
    if (*item == 'E') {
        add(environment, &environment_count, (char *)item + 1);
        return;
    }
    if (*item != 'e')
        return;
    size_t name = 0;
    while (item[1 + name] && item[1 + name] != '=')
        name++;
    if (!item[1 + name])
        wrong(item);
    const char *at = item + 2 + name;
    unsigned length = number(&at, 0, item);
    char *object_name = malloc(name + 5);
    memcpy(object_name, "env_", 4);
    memcpy(object_name + 4, item + 1, name);
    object_name[name + 4] = 0;
    char *value = symbolic_text(length, object_name);
    char *text = malloc(name + length + 2);
    memcpy(text, item + 1, name + 1);
    memcpy(text + name + 1, value, length + 1);
    add(environment, &environment_count, text);
    free(object_name);
    free(value);
}

static void status_of(struct inode *node, char *name, size_t length);

static void input_item(const char *item) {
    const char *at = item + 1;
    struct inode *input = __espalier_standard_stream(INPUT);
    if (*item == 'I') {
        size_t size = 0;
        while (at[size])
            size++;
        if (!__espalier_resize(input, size))
            memcpy(input->data, at, size);
    }
    if (*item != 'i')
        return;
    unsigned size = number(&at, 0, item);
    if (size && !__espalier_resize(input, size))
        make_symbolic(input->data, size, size, "stdin");
    if (size && __espalier_as_klee) {
        char name[16] = "stdin";
        status_of(input, name, 5);
    }
}

/* In KLEE's place: what is known of a file is symbolic too, and mostly what one expects. The object is called as the
 * file's, with _stat behind. */
static void status_of(struct inode *node, char *name, size_t length) {
    struct status *told = malloc(sizeof *told);
    memcpy(name + length, "_stat", 6);
    klee_make_symbolic(told, sizeof *told, name);
    klee_assume((told->number & 0x7fffffff) != 0);
    klee_assume((told->block_size & ~0xffffl) == 0);
    klee_prefer_cex(told, !(told->mode & ~(S_IFMT | 0777u)));
    klee_prefer_cex(told, (told->mode & 0777) == 0644);
    klee_prefer_cex(told, (told->mode & S_IFMT) == S_IFREG);
    klee_prefer_cex(told, told->links == 1);
    klee_prefer_cex(told, told->user == USER);
    klee_prefer_cex(told, told->group == USER);
    klee_prefer_cex(told, told->block_size == PAGE);
    told->size = (long)node->size;
    told->blocks = 8;
    node->told = told;
}

static void files_item(const char *item) {
    const char *at = item + 1;
    if (*item != 'f')
        return;
    unsigned count = number(&at, ',', item), size = number(&at, 0, item);
    if (count > 26)
        wrong(item);
    for (unsigned i = 0; i < count; i++) {
        char name[] = "A_data";
        name[0] = (char)(name[0] + (int)i);
        struct inode *node = __espalier_new_node(S_IFREG | 0644);
        if (size && !__espalier_resize(node, size))
            make_symbolic(node->data, size, size, name);
        if (__espalier_as_klee) {
            char status[16];
            memcpy(status, name, 6);
            status_of(node, status, 6);
        }
        if (__espalier_link(__espalier_cwd, name, 1, node))
            wrong(item);
    }
}

static bool is_one_of(char c, const char *kinds) {
    while (*kinds && *kinds != c)
        kinds++;
    return *kinds;
}

static void setting_item(const char *item) {
    const char *at = item + 1;
    if (*item == 'F')
        __espalier_failures_left = number(&at, 0, item);
    else if (*item == 'r')
        __espalier_short_reads = true;
    else if (*item == 't')
        __espalier_terminal = true;
    else if (*item == 'k')
        __espalier_as_klee = true;
    else if (!is_one_of(*item, "=aAeEiIfo"))
        wrong(item);
}

/* Calls that KLEE lets fail, and which one of each does. */
enum { READ, WRITE, CLOSE = 3, READV = 19, WRITEV, FTRUNCATE = 77, GETCWD = 79 };
static struct {
    long number;
    const char *name;
    unsigned which, calls;
} failing[] = {
    {READ, "read_fail", 0, 0},           {WRITE, "write_fail", 0, 0},   {CLOSE, "close_fail", 0, 0},
    {FTRUNCATE, "ftruncate_fail", 0, 0}, {GETCWD, "getcwd_fail", 0, 0},
};

bool __espalier_fails_as_klee(long number) {
    number = number == READV ? READ : number == WRITEV ? WRITE : number;
    for (size_t i = 0; i < sizeof failing / sizeof *failing; i++) {
        if (failing[i].number != number)
            continue;
        if (failing[i].which != ++failing[i].calls)
            return false;
        __espalier_failures_left--;
        return true;
    }
    return false;
}

/* What KLEE's model makes last: which calls fail, symbolic output, and the version of the model. */
static void klee_item(const char *item) {
    if (!__espalier_as_klee)
        return;
    if (*item == 'F')
        for (size_t i = 0; i < sizeof failing / sizeof *failing; i++)
            klee_make_symbolic(&failing[i].which, sizeof failing[i].which, failing[i].name);
    if (*item == 'o') {
        static unsigned char printed[1024];
        char name[16] = "stdout";
        klee_make_symbolic(printed, sizeof printed, name);
        status_of(__espalier_standard_stream(OUTPUT), name, 6);
    }
}

static void model_version(void) {
    static unsigned version;
    klee_make_symbolic(&version, sizeof version, "model_version");
    klee_assume(version == 1);
}

/* An array that ends where its last null pointer does, so that a step beyond is found. */
static char **exact(char **list, int count) {
    size_t size = ((size_t)count + 1) * sizeof *list;
    char **copy = malloc(size);
    memcpy(copy, list, size);
    klee_mark_global(copy);
    return copy;
}

/* From the engine: calls the program's constructors with these. */
void __espalier_run_constructors(int argc, char **argv, char **envp);

/* Constructors see the variables of the environment: libc is ready. */
static int constructors_and_main(int argc, char **argv, char **envp) {
    __espalier_run_constructors(argc, argv, envp);
    return main(argc, argv, envp);
}

/* argv[0] is the program's name, and each further string an item of the specification; its first character says what:
 *     =TEXT        an argument
 *     aN           an unknown argument of at most N characters
 *     AMIN,MAX,N   MIN to MAX of those
 *     ENAME=TEXT   a variable of the environment, which is empty otherwise
 *     eNAME=N      the same with an unknown value of at most N characters
 *     ITEXT        standard input, which is empty otherwise
 *     iN           N unknown bytes of standard input
 *     fCOUNT,SIZE  files A, B, ... of SIZE unknown bytes in the working directory
 *     FN           at most N system calls fail
 *     r            reads may give less than they could
 *     t            standard output is a terminal
 *     o            what standard output is, is unknown; in KLEE's place
 *     k            in KLEE's place: as its model of POSIX makes unknown objects
 * Unknown objects are made in the order of these loops. */
int __espalier_posix_main(int argc, char **argv, char **envp) {
    (void)envp;
    __espalier_make_file_system();
    add(arguments, &argument_count, argc > 0 ? argv[0] : "program");
    static void (*const kinds[])(const char *) = {
        setting_item, argument_item, environment_item, input_item, files_item,
    };
    static void (*const kinds_as_klee[])(const char *) = {
        setting_item, argument_item, environment_item, files_item, input_item, klee_item,
    };
    size_t count = sizeof kinds / sizeof *kinds;
    for (size_t kind = 0; kind < count; kind++) {
        for (int i = 1; i < argc; i++)
            (__espalier_as_klee ? kinds_as_klee[kind] : kinds[kind])(argv[i]);
        if (!kind && __espalier_as_klee)
            count = sizeof kinds_as_klee / sizeof *kinds_as_klee;
    }
    if (__espalier_as_klee)
        model_version();
    program_arguments = exact(arguments, argument_count);
    program_environment = exact(environment, environment_count);
    if (__espalier_libc_start)
        __espalier_libc_start(constructors_and_main, argument_count, program_arguments, program_environment);
    exit(constructors_and_main(argument_count, program_arguments, program_environment));
}

/* ---- Choices that calls make later ---- */

bool __espalier_fails(void) {
    static unsigned decisions;
    char name[16] = "fail_";
    numbered(name + 5, decisions++);
    unsigned char fail;
    klee_make_symbolic(&fail, sizeof fail, name);
    klee_assume(fail <= 1);
    if (!fail)
        return false;
    __espalier_failures_left--;
    return true;
}

size_t __espalier_short_count(size_t available) {
    static unsigned decisions;
    char name[16] = "read_";
    numbered(name + 5, decisions++);
    unsigned count;
    klee_make_symbolic(&count, sizeof count, name);
    klee_assume((count >= 1) & (count <= available));
    return __espalier_concrete(count);
}
