// A washing machine program: water, heat, drum and door as flags; a step function is called 12 times with sensor values.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

enum step { WAIT, FILL, HEAT, WASH, DRAIN, SPIN, END };

static enum step step = WAIT;
static int water, hot, locked, spins;

static void run(_Bool ready, _Bool stop) {
  if (stop && step != WAIT && step != END) {
    step = DRAIN;
    return;
  }
  switch (step) {
  case WAIT:
    if (ready) {
      locked = 1;
      step = FILL;
    }
    break;
  case FILL:
    water = 1;
    if (ready)
      step = HEAT;
    break;
  case HEAT:
    hot = 1;
    if (ready)
      step = WASH;
    break;
  case WASH:
    if (ready)
      step = DRAIN;
    break;
  case DRAIN:
    water = 0;
    hot = 0;
    if (ready)
      step = SPIN;
    break;
  case SPIN:
    spins++;
    if (ready)
      step = END;
    break;
  case END:
    locked = 0;
    break;
  }
}

int main(void) {
  for (int i = 0; i < 12; i++) {
    _Bool ready = __VERIFIER_nondet_bool();
    _Bool stop = __VERIFIER_nondet_bool();
    run(ready, stop);
    if (water && !locked)
      reach_error(); // expect: unreachable
    if (step == SPIN && water)
      reach_error(); // expect: unreachable
    if (step == WASH && spins > 0)
      reach_error(); // expect: unreachable
  }
  if (step == END && !locked && spins == 1)
    reach_error(); // expect: reachable
  if (step == END && spins == 9) // stopped early
    reach_error(); // expect: reachable
  if (step == END && spins == 10)
    reach_error(); // expect: unreachable
  if (step == WAIT)
    reach_error(); // expect: reachable
  if (step == WASH && hot)
    reach_error(); // expect: reachable
  return 0;
}
