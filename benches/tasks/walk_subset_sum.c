// Sums over 34 independent choices of multiples of six, and a last item that is not: a remainder modulo three tells them apart.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

#define ITEMS 34

int main(void) {
  unsigned sum = 0;
  for (unsigned i = 0; i < ITEMS; i++) {
    if (__VERIFIER_nondet_bool())
      sum += 6 * (i % 4);
  }
  if (sum % 3 != 0)
    reach_error(); // expect: unreachable
  if (__VERIFIER_nondet_bool())
    sum += 4;
  if (sum % 3 == 2)
    reach_error(); // expect: unreachable
  if (sum == 300 + 4) // more than everything together
    reach_error(); // expect: unreachable
  if (sum == 288 + 4) // everything but an item worth 6
    reach_error(); // expect: reachable
  if (sum == 0)
    reach_error(); // expect: reachable
  return 0;
}
