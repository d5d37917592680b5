// A shift register of 7 bits with feedback, clocked or loaded by 20 inputs: it never becomes zero, and repeats after 127 steps.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

#define CLOCKS 20

static unsigned step(unsigned r) {
  unsigned bit = ((r >> 6) ^ (r >> 5)) & 1u;
  return ((r << 1) | bit) & 0x7fu;
}

int main(void) {
  unsigned r = 1;
  unsigned period = 0;
  do {
    r = step(r);
    period++;
  } while (r != 1);
  if (period != 127)
    reach_error(); // expect: unreachable
  for (int i = 0; i < CLOCKS; i++) {
    if (__VERIFIER_nondet_bool())
      r = step(r);
    else
      r = step(step(step(r)));
    if (r == 0)
      reach_error(); // expect: unreachable
  }
  if (r == 0x71u) // after 60 steps in all
    reach_error(); // expect: reachable
  if (r == 0x55u) // comes after 114 steps
    reach_error(); // expect: unreachable
  if (r == 0x47u)
    reach_error(); // expect: reachable
  return 0;
}
