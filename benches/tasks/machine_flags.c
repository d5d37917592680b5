// A generated state machine: 18 pairs of flags set by nondeterministic guards, checked at the end, as in flag-passing control code.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define PAIRS 18

int main(void) {
  int begun[PAIRS] = {0};
  int ended[PAIRS] = {0};
  int finished = 0;
  for (int i = 0; i < PAIRS; i++) {
    if (__VERIFIER_nondet_int() > 0)
      begun[i] = 1;
  }
  for (int i = 0; i < PAIRS; i++) {
    if (begun[i]) {
      ended[i] = 1;
      finished++;
    }
  }
  for (int i = 0; i < PAIRS; i++) {
    if (begun[i] != ended[i])
      reach_error(); // expect: unreachable
  }
  if (finished > PAIRS)
    reach_error(); // expect: unreachable
  if (finished == 5 && begun[0] && begun[17])
    reach_error(); // expect: reachable
  if (finished == 0)
    reach_error(); // expect: reachable
  return 0;
}
