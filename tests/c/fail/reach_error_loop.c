// Tests reach_error after a loop with nondeterministic steps and an assumption.
// paths: 7
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
  int level = 0;
  for (int i = 0; i < 3; i++) {
    unsigned char c = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(c < 10);
    if (c > 6)
      level += 5;
    else
      level -= 1;
  }
  if (level == 15)
    reach_error(); //~ reach_error: reach_error called
  return 0;
}
