/* The process and its machine: signals to itself, memory maps, time, and questions with a fixed answer. */

#include "model.h"

/* ---- Time ---- */

static struct moment clock_now;

static void pass(long seconds, long nanoseconds) {
    clock_now.nanoseconds += nanoseconds;
    clock_now.seconds += seconds + clock_now.nanoseconds / 1000000000;
    clock_now.nanoseconds %= 1000000000;
}

struct moment __espalier_now(void) {
    pass(0, 1000);
    return clock_now;
}

long __espalier_clock_gettime(int clock, struct moment *now) {
    if (clock < 0 || clock > 7)
        return -EINVAL;
    *now = __espalier_now();
    return 0;
}

long __espalier_sleep(const struct moment *time, bool until) {
    if (time->seconds < 0 || (unsigned long)time->nanoseconds >= 1000000000)
        return -EINVAL;
    /* More than a thousand years are as good as forever. */
    if (time->seconds > 1l << 35)
        return -ENOSYS;
    if (!until)
        pass(time->seconds, time->nanoseconds);
    else if (time->seconds > clock_now.seconds ||
             (time->seconds == clock_now.seconds && time->nanoseconds > clock_now.nanoseconds))
        clock_now = *time;
    return 0;
}

/* ---- Signals. Only the process itself sends any, so they are handled within a call: kill, or the one that lets a
 * pending signal through. ---- */

enum { SIGNALS = 64, SIG_BLOCK = 0, SIG_UNBLOCK = 1, SIG_SETMASK = 2 };
enum { SIGABRT = 6, SIGKILL = 9, SIGCHLD = 17, SIGCONT = 18, SIGSTOP = 19, SIGTTOU = 22, SIGURG = 23, SIGWINCH = 28 };
#define SA_SIGINFO 4u
#define SA_NODEFER 0x40000000u
#define SA_RESETHAND 0x80000000u

struct action {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

static struct action actions[SIGNALS + 1];
static uint64_t blocked, pending;

static uint64_t bit(int signal) {
    return 1ul << (signal - 1);
}

static bool ignored_by_default(int signal) {
    return signal == SIGCHLD || signal == SIGCONT || signal == SIGURG || signal == SIGWINCH;
}

static void handle(int signal) {
    struct action action = actions[signal];
    uintptr_t kind = (uintptr_t)action.handler;
    if (kind == 1 || (kind == 0 && ignored_by_default(signal)))
        return;
    if (kind == 0) {
        if (signal == SIGABRT)
            abort();
        __espalier_killed(signal);
        /* What a shell shows of such an end. */
        __espalier_end(128 + signal);
    }
    if (action.flags & SA_RESETHAND)
        actions[signal].handler = 0;
    uint64_t before = blocked;
    blocked |= action.mask | (action.flags & SA_NODEFER ? 0 : bit(signal));
    if (action.flags & SA_SIGINFO) {
        /* siginfo_t: the number, no error, sent by kill, and by whom. */
        int information[32] = {signal, 0, 0, 0, PROCESS, USER};
        ((void (*)(int, void *, void *))kind)(signal, information, NULL);
    } else {
        action.handler(signal);
    }
    blocked = before;
}

/* Is there a handler for any signal? */
int __espalier_handles;

/* Called by the engine when the program does what raises a signal. If it returns, the program is over. */
void __espalier_run_handler(int signal) {
    static unsigned char running[SIGNALS + 1];
    if ((uintptr_t)actions[signal].handler <= 1)
        return;
    if (running[signal]) {
        __espalier_approximate("the handler of a signal causes the same signal again");
        return;
    }
    running[signal] = 1;
    handle(signal);
    running[signal] = 0;
}

static void deliver(void) {
    for (int signal = 1; signal <= SIGNALS; signal++)
        if (pending & ~blocked & bit(signal)) {
            pending &= ~bit(signal);
            handle(signal);
        }
}

long __espalier_sigaction(int signal, const void *new, void *old, size_t set_size) {
    if (set_size != sizeof(uint64_t) || signal < 1 || signal > SIGNALS)
        return -EINVAL;
    if (new && (signal == SIGKILL || signal == SIGSTOP))
        return -EINVAL;
    if (old)
        memcpy(old, &actions[signal], sizeof(struct action));
    if (new)
        memcpy(&actions[signal], new, sizeof(struct action));
    if (new && (uintptr_t)actions[signal].handler > 1) {
        __espalier_handles = 1;
        __espalier_approximate("signals");
    }
    return 0;
}

long __espalier_sigprocmask(int how, const uint64_t *new, uint64_t *old, size_t set_size) {
    if (set_size != sizeof(uint64_t))
        return -EINVAL;
    uint64_t before = blocked;
    if (new) {
        if (how == SIG_BLOCK)
            blocked |= *new;
        else if (how == SIG_UNBLOCK)
            blocked &= ~*new;
        else if (how == SIG_SETMASK)
            blocked = *new;
        else
            return -EINVAL;
        blocked &= ~(bit(SIGKILL) | bit(SIGSTOP));
    }
    if (old)
        *old = before;
    deliver();
    return 0;
}

long __espalier_sigpending(uint64_t *set) {
    *set = pending & blocked;
    return 0;
}

long __espalier_kill(int process, int signal) {
    if (signal < 0 || signal > SIGNALS)
        return -EINVAL;
    if (process != PROCESS && process != 0 && process != -PROCESS)
        return process == -1 ? -EPERM : -ESRCH;
    if (!signal)
        return 0;
    /* Nobody could continue a stopped process. */
    if (signal >= SIGSTOP && signal <= SIGTTOU && !actions[signal].handler)
        return -ENOSYS;
    pending |= bit(signal);
    deliver();
    return 0;
}

/* ---- Memory ---- */

enum { PROT_READ = 1, PROT_WRITE = 2, PROT_EXEC = 4, MAP_PRIVATE = 2, MAP_FIXED = 16, MAP_ANONYMOUS = 32, MAPS = 256 };

static struct map {
    void *base;
    size_t length;
} maps[MAPS];

/* Private maps only, at an address of the model's choice: a copy of the file, zeros up to the page's end. */
long __espalier_mmap(size_t length, unsigned protection, unsigned flags, int fd, long offset) {
    if (!length || offset < 0 || offset % PAGE)
        return -EINVAL;
    if (!(flags & MAP_PRIVATE) || flags & MAP_FIXED || !(protection & PROT_READ) || protection & PROT_EXEC)
        return -ENOSYS;
    if (length > FILE_LIMIT)
        return -ENOMEM;
    if (!(protection & PROT_WRITE))
        __espalier_approximate("memory that is mapped to be read can be written too");
    struct map *map = maps;
    while (map < maps + MAPS && map->base)
        map++;
    if (map == maps + MAPS)
        return -ENOMEM;
    length = (length + PAGE - 1) / PAGE * PAGE;
    struct inode *node = NULL;
    if (!(flags & MAP_ANONYMOUS)) {
        struct description *open = __espalier_opened(fd);
        if (!open)
            return -EBADF;
        node = open->node;
        if ((open->flags & O_ACCMODE) == O_WRONLY)
            return -EACCES;
        if (!is_type(node, S_IFREG))
            return -ENODEV;
        /* Pages beyond the file's end exist, but may not be touched. */
        if ((size_t)offset + length >= node->size + PAGE)
            return -ENOSYS;
    }
    char *base = aligned_alloc(PAGE, length);
    if (!base)
        return -ENOMEM;
    memset(base, 0, length);
    if (node) {
        size_t rest = node->size - (size_t)offset;
        memcpy(base, node->data + offset, rest < length ? rest : length);
    }
    *map = (struct map){base, length};
    return (long)base;
}

long __espalier_munmap(void *address, size_t length) {
    length = (length + PAGE - 1) / PAGE * PAGE;
    for (struct map *map = maps; map < maps + MAPS; map++)
        if (map->base && map->base == address) {
            if (map->length != length)
                return -ENOSYS;
            free(address);
            map->base = NULL;
            return 0;
        }
    return -EINVAL;
}

/* There is no other thread: one that waits waits forever. */
long __espalier_futex(const int *word, int operation, int value) {
    enum { WAIT = 0, WAKE = 1, PRIVATE = 128 };
    if ((operation & ~PRIVATE) == WAKE)
        return 0;
    if ((operation & ~PRIVATE) != WAIT)
        return -ENOSYS;
    if (*word != value)
        return -EAGAIN;
    klee_report_error("futex", 0, "deadlock: the only thread waits for another", "exec");
}

/* ---- Fixed answers ---- */

static void copy_text(char *to, const char *from) {
    while ((*to++ = *from++))
        ;
}

long __espalier_uname(void *buffer) {
    enum { FIELD = 65 };
    static const char *const fields[] = {"Linux", "espalier", "6.1.0", "#1", "x86_64", "(none)"};
    char *at = buffer;
    memset(at, 0, 6 * FIELD);
    for (int i = 0; i < 6; i++)
        copy_text(at + i * FIELD, fields[i]);
    return 0;
}

long __espalier_sysinfo(void *buffer) {
    struct {
        long uptime;
        unsigned long loads[3], memory, free_memory, shared, buffers, swap, free_swap;
        unsigned short processes, padding;
        unsigned long high, free_high;
        unsigned unit;
    } answer = {.memory = 1ul << 30, .free_memory = 1ul << 29, .processes = 1, .unit = 1};
    memcpy(buffer, &answer, sizeof answer);
    return 0;
}

long __espalier_prlimit(int process, int resource, const void *new, void *old) {
    enum { STACK = 3, CORE = 4, FILES = 7, RESOURCES = 16 };
    if (process != 0 && process != PROCESS)
        return -ESRCH;
    if (resource < 0 || resource >= RESOURCES)
        return -EINVAL;
    if (new)
        return -EPERM;
    unsigned long limit = resource == STACK   ? 8ul << 20
                          : resource == CORE  ? 0
                          : resource == FILES ? DESCRIPTORS
                                              : ULONG_MAX;
    if (old) {
        ((unsigned long *)old)[0] = limit;
        ((unsigned long *)old)[1] = limit;
    }
    return 0;
}

/* The same bytes in every run. */
void __espalier_random_bytes(void *buffer, size_t count) {
    static uint64_t state = 1;
    unsigned char *bytes = buffer;
    for (size_t i = 0; i < count; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        bytes[i] = (unsigned char)(state >> 56);
    }
}
