// A disk driver's life: probe, start, 14 requests, suspend and remove, with errors of the hardware on the way.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum { ABSENT, PRESENT, STARTED, SUSPENDED, REMOVED };

static int state = ABSENT;
static int irq = 0, dma = 0, clock_on = 0;

static int probe(void) {
  if (__VERIFIER_nondet_int() < 0)
    return -1;
  state = PRESENT;
  return 0;
}

static int start(void) {
  irq = 1;
  if (__VERIFIER_nondet_int() == 0) { // no channel
    irq = 0;
    return -1;
  }
  dma = 1;
  clock_on = 1;
  state = STARTED;
  return 0;
}

static void stop(void) {
  clock_on = 0;
  dma = 0;
  irq = 0;
}

int main(void) {
  if (probe() != 0)
    return 1;
  for (int i = 0; i < 14; i++) {
    int request = __VERIFIER_nondet_int();
    if (request == 1 && state == PRESENT) {
      start();
    } else if (request == 2 && state == STARTED) {
      clock_on = 0;
      state = SUSPENDED;
    } else if (request == 3 && state == SUSPENDED) {
      clock_on = 1;
      state = STARTED;
    } else if (request == 4 && (state == STARTED || state == SUSPENDED)) {
      stop();
      state = PRESENT;
    } else if (request == 5 && state != REMOVED) {
      if (state == STARTED)
        stop();
      state = REMOVED;
    }
    if (clock_on && !irq)
      reach_error(); // expect: unreachable
    if (state == PRESENT && dma)
      reach_error(); // expect: unreachable
    if (state == REMOVED && clock_on)
      reach_error(); // expect: unreachable
    if (state == REMOVED && dma) // removed while suspended
      reach_error(); // expect: reachable
  }
  if (state == STARTED && !clock_on)
    reach_error(); // expect: unreachable
  if (state == SUSPENDED)
    reach_error(); // expect: reachable
  if (state == STARTED)
    reach_error(); // expect: reachable
  return 0;
}
