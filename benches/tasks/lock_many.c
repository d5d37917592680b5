// Eighteen locks, each taken when its flag is set and released under the same flag: the pattern of lock benchmarks with many flags.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define LOCKS 18

int main(void) {
  int flag[LOCKS], lock[LOCKS];
  int taken = 0;
  for (int i = 0; i < LOCKS; i++) {
    flag[i] = __VERIFIER_nondet_int();
    lock[i] = 0;
  }
  for (int i = 0; i < LOCKS; i++) {
    if (flag[i] != 0) {
      lock[i] = 1;
      taken++;
    }
  }
  for (int i = 0; i < LOCKS; i++) {
    if (flag[i] != 0) {
      if (lock[i] != 1)
        reach_error(); // expect: unreachable
      lock[i] = 0;
      taken--;
    }
  }
  if (taken != 0)
    reach_error(); // expect: unreachable
  for (int i = 0; i < LOCKS; i++) {
    if (lock[i] != 0)
      reach_error(); // expect: unreachable
  }
  return 0;
}
