/* There is one thread; its block is an object of start.c. */

extern char __espalier_thread[];

static inline uintptr_t __get_tp(void) {
    return (uintptr_t)__espalier_thread;
}

#define MC_PC gregs[REG_RIP]
