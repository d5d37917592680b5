/* What musl's start-up code in assembly and its thread set-up do: the parts that are not data from the beginning. */

#include <elf.h>
#include <stdlib.h>
#include <unistd.h>
#include "libc.h"
#include "pthread_impl.h"

/* Only there if the program prints: scripts/libc.sh adds it to the file with standard output. */
extern weak void __espalier_start_stdout(void);

/* The block of the only thread. It is ready before any code runs, so that constructors may use errno and the locale. */
struct pthread espalier_thread __asm__("__espalier_thread") = {
    .self = &espalier_thread,
    .prev = &espalier_thread,
    .next = &espalier_thread,
    .tid = 1000,
    .detach_state = DT_JOINABLE,
    .robust_list.head = &espalier_thread.robust_list.head,
    .locale = &libc.global_locale,
};

volatile int __thread_list_lock;

static size_t auxiliary[] = {AT_PAGESZ, 4096, AT_UID, 1000, AT_EUID, 1000, AT_GID, 1000, AT_EGID, 1000, AT_NULL, 0};

_Noreturn void __espalier_libc_start(int (*program)(int, char **, char **), int argc, char **argv, char **envp) {
    __environ = envp;
    libc.auxv = auxiliary;
    libc.page_size = 4096;
    char *name = argc > 0 ? argv[0] : "";
    __progname = __progname_full = name;
    for (; *name; name++)
        if (*name == '/')
            __progname = name + 1;
    if (__espalier_start_stdout)
        __espalier_start_stdout();
    exit(program(argc, argv, envp));
}

/* Destructors are the engine's: there are no arrays of them in bitcode. */
void __espalier_run_destructors(void);

void __libc_exit_fini(void) {
    __espalier_run_destructors();
}
