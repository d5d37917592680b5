#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t count, last;

static void handler(int number) {
    count++;
    last = number;
}

static void with_information(int number, siginfo_t *information, void *context) {
    (void)context;
    last = number + information->si_signo;
}

int main(void) {
    struct sigaction action = {.sa_handler = handler}, old;
    sigaction(SIGUSR1, &action, &old);
    printf("%d\n", old.sa_handler == SIG_DFL);
    raise(SIGUSR1);
    printf("%d %d\n", count, last == SIGUSR1);
    sigset_t set, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    kill(getpid(), SIGUSR1);
    kill(getpid(), SIGUSR1);
    sigpending(&pending);
    printf("%d %d\n", count, sigismember(&pending, SIGUSR1));
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    printf("%d\n", count);
    action.sa_flags = SA_SIGINFO | SA_RESETHAND;
    action.sa_sigaction = with_information;
    sigaction(SIGUSR2, &action, NULL);
    raise(SIGUSR2);
    printf("%d\n", last == 2 * SIGUSR2);
    sigaction(SIGUSR2, NULL, &old);
    printf("%d\n", old.sa_handler == SIG_DFL);
    signal(SIGTERM, SIG_IGN);
    printf("%d\n", raise(SIGTERM));
    printf("%d\n", kill(getpid(), 0));
    printf("%d %d\n", kill(getpid(), 999), errno);
    printf("%d\n", signal(SIGKILL, SIG_IGN) == SIG_ERR);
    return 0;
}
