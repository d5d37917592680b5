// Tests that a path on which no input meets an assumption is over, and teaches as much as any other.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
  int x = 0;
  for (int i = 0; i < 4; i++) {
    int step = __VERIFIER_nondet_int();
    if (step > 0) {
      x += 1;
    } else if (step < -5) {
      __VERIFIER_assume(step > 0);
      x = 1000;
    } else {
      x -= 1;
    }
  }
  if (x > 4 || x < -4)
    reach_error();
  return 0;
}
