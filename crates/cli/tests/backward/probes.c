// Calls each function in many random states, and tells which claims it came to: a line with its
// name and a bit for each.

#include <signal.h>

enum { PROBES = 1000 };

static unsigned long long random_state = 1;

static int any(void) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  unsigned bits = random_state >> 32;
  switch (bits >> 28) {
  case 0:
    return (int)(bits * 2654435761u);
  case 1:
    return bits & 1 ? INT_MAX : INT_MIN;
  default:
    return (int)(bits >> 8 & 0xffff) % 13 - 3;
  }
}

// A null pointer, or too many calls.
static void crashed(int number) {
  longjmp(driver->out, 1);
}

int main(void) {
  extern char __data_start, _end;
  size_t size = &_end - &__data_start;
  struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_NODEFER | SA_ONSTACK};
  stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
  sigaltstack(&stack, 0);
  sigaction(SIGSEGV, &action, 0);
  struct driver *d = calloc(1, sizeof *d);
  char *data = malloc(size);
  for (int number = 0; number < (int)(sizeof probes / sizeof *probes); number++) {
    driver = d;
    d->hits = 0;
    memcpy(data, &__data_start, size);
    for (int turn = 0; turn < PROBES; turn++) {
      unsigned long long now = random_state;
      memcpy(&__data_start, data, size);
      random_state = now;
      d->asked = d->registered = 0;
      d->ended = -1;
      d->given = MOST_INPUTS;
      for (int i = 0; i < MOST_INPUTS; i++)
        d->choice[i] = d->range[i] > 0 ? (unsigned)any() % d->range[i] : 0;
      if (!setjmp(d->out))
        probes[number].run();
      if (d->ended >= 0)
        d->hits |= 1u << d->ended;
    }
    printf("%s %u\n", probes[number].name, d->hits);
  }
  return 0;
}
