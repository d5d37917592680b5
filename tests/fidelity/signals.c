/* Inexact: a handler may be called by a signal from outside. */

#include "cases.h"
#include <signal.h>

static void handle(int number) {
    (void)number;
}

/* What was there before, in words. */
static void before(void (*handler)(int)) {
    word(handler == SIG_ERR ? " error" : handler == SIG_DFL ? " default" : handler == SIG_IGN ? " ignored" : " handler");
    line();
}

void (*__sysv_signal(int, void (*)(int)))(int);

#define SIGNAL(name)                                                                                                   \
    CASES(name) {                                                                                                      \
        static const int numbers[] = {SIGUSR1, SIGKILL, SIGSTOP, 0, -1, 65, 66, INT_MAX, INT_MIN};                     \
        EACH(number, numbers) {                                                                                        \
            before(name(number, handle));                                                                              \
            before(name(number, SIG_IGN));                                                                             \
            before(name(number, SIG_DFL));                                                                             \
        }                                                                                                              \
    }

SIGNAL(signal)
SIGNAL(__sysv_signal)
