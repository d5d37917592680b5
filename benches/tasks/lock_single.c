// One lock, taken and released by the conditions that the inputs decide: never released when free, never taken twice.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int held = 0;

static void acquire(void) {
  if (held)
    reach_error(); // expect: unreachable
  held = 1;
}

static void release(void) {
  if (!held)
    reach_error(); // expect: reachable
  held = 0;
}

int main(void) {
  int work = __VERIFIER_nondet_int();
  int retries = 0;
  do {
    acquire();
    int request = __VERIFIER_nondet_int();
    if (request > 0) {
      release();
      retries++;
    }
    if (retries == 3 || request <= 0)
      break;
  } while (retries < 5);
  if (work != retries) // it should ask whether the lock is held
    release();
  return 0;
}
