// A network card is brought up in eight steps that may fail; a failure undoes the steps so far in reverse. Bits record what is set up.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define STEPS 8

static unsigned ready = 0;
static int undone = 0;

static int set_up(unsigned step) {
  if (ready != (1u << step) - 1)
    reach_error(); // expect: unreachable
  if (__VERIFIER_nondet_int() <= 0)
    return -1;
  ready |= 1u << step;
  return 0;
}

static void tear_down(unsigned step) {
  if ((ready >> step) != 1)
    reach_error(); // expect: unreachable
  ready &= ~(1u << step);
  undone++;
}

static int open_card(void) {
  for (unsigned step = 0; step < STEPS; step++) {
    if (set_up(step) != 0) {
      while (step-- > 0)
        tear_down(step);
      return -1;
    }
  }
  return 0;
}

int main(void) {
  int opened = -1;
  for (int attempt = 0; attempt < 6 && opened != 0; attempt++) {
    opened = open_card();
    if (opened != 0 && ready != 0)
      reach_error(); // expect: unreachable
  }
  if (opened == 0 && undone == 27)
    reach_error(); // expect: reachable
  if (undone == 42)
    reach_error(); // expect: reachable
  if (undone > 42)
    reach_error(); // expect: unreachable
  if (opened == 0 && undone == 0)
    reach_error(); // expect: reachable
  return 0;
}
