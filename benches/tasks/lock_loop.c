// Seven flagged locks in a loop that runs until an input says stop: all are free at the start of each round.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define LOCKS 7

int main(void) {
  while (1) {
    int flag[LOCKS], lock[LOCKS];
    if (__VERIFIER_nondet_int() == 0)
      break;
    for (int i = 0; i < LOCKS; i++) {
      lock[i] = 0;
      flag[i] = __VERIFIER_nondet_int();
      if (flag[i] != 0)
        lock[i] = 1;
    }
    int last = -1;
    for (int i = 0; i < LOCKS; i++) {
      if (flag[i] != 0) {
        if (lock[i] != 1)
          reach_error(); // expect: unreachable
        lock[i] = 0;
        last = i;
      }
    }
    if (last >= 0 && lock[last] != 0)
      reach_error(); // expect: unreachable
    if (last == LOCKS - 1 && flag[0] == 77)
      reach_error(); // expect: reachable
  }
  return 0;
}
