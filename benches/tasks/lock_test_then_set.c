// Two threads that test a flag and then set it, as two steps: the interleaving of 12 steps lets both in.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

enum place { TEST, SET, CRITICAL, DONE };

static enum place place[2] = {TEST, TEST};
static int busy = 0;
static int entered[2];

static void step(int me) {
  switch (place[me]) {
  case TEST:
    if (!busy)
      place[me] = SET;
    break;
  case SET:
    busy = 1;
    entered[me]++;
    place[me] = CRITICAL;
    break;
  case CRITICAL:
    busy = 0;
    place[me] = entered[me] < 2 ? TEST : DONE;
    break;
  case DONE:
    break;
  }
}

int main(void) {
  for (int i = 0; i < 12; i++) {
    step(__VERIFIER_nondet_bool() ? 1 : 0);
    if (entered[0] > 2 || entered[1] > 2)
      reach_error(); // expect: unreachable
    if (place[0] == CRITICAL && place[1] == CRITICAL)
      reach_error(); // expect: reachable
    if (place[0] == CRITICAL && !busy)
      reach_error(); // expect: unreachable
  }
  if (place[0] == DONE && place[1] == DONE)
    reach_error(); // expect: reachable
  return 0;
}
