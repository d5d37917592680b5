// Peterson's algorithm as two threads that a scheduler interleaves step by step, forever: never both in the critical section.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

enum place { IDLE, RAISE, YIELD, WAIT, CRITICAL };

static enum place place[2] = {IDLE, IDLE};
static int flag[2] = {0, 0};
static int turn = 0;

static void step(int me) {
  int other = 1 - me;
  switch (place[me]) {
  case IDLE:
    place[me] = RAISE;
    break;
  case RAISE:
    flag[me] = 1;
    place[me] = YIELD;
    break;
  case YIELD:
    turn = other;
    place[me] = WAIT;
    break;
  case WAIT:
    if (!flag[other] || turn == me)
      place[me] = CRITICAL;
    break;
  case CRITICAL:
    flag[me] = 0;
    place[me] = IDLE;
    break;
  }
}

int main(void) {
  while (1) {
    if (__VERIFIER_nondet_bool())
      step(0);
    else
      step(1);
    if (place[0] == CRITICAL && place[1] == CRITICAL)
      reach_error(); // expect: unreachable
    if (place[0] == CRITICAL && place[1] == WAIT && turn == 1)
      reach_error(); // expect: unreachable
  }
}
