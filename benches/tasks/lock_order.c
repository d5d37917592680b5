// Four transactions take two of four locks each, in a nondeterministic schedule of 9 steps; the one that reverses the order can deadlock.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define TASKS 4
#define FREE (-1)

static const int first[TASKS] = {0, 1, 2, 1};
static const int second[TASKS] = {1, 2, 3, 0};
static int owner[4] = {FREE, FREE, FREE, FREE};
static int progress[TASKS];

static void step(int task) {
  if (progress[task] == 0 && owner[first[task]] == FREE) {
    owner[first[task]] = task;
    progress[task] = 1;
  } else if (progress[task] == 1 && owner[second[task]] == FREE) {
    owner[second[task]] = task;
    progress[task] = 2;
  } else if (progress[task] == 2) {
    owner[first[task]] = FREE;
    owner[second[task]] = FREE;
    progress[task] = 3;
  }
}

int main(void) {
  for (int i = 0; i < 9; i++) {
    switch (__VERIFIER_nondet_int()) {
    case 0: step(0); break;
    case 1: step(1); break;
    case 2: step(2); break;
    default: step(3); break;
    }
    if (progress[0] == 2 && progress[3] == 2)
      reach_error(); // expect: unreachable
    if (progress[0] == 2 && owner[0] != 0)
      reach_error(); // expect: unreachable
  }
  if (owner[0] == 0 && owner[1] == 3) // 0 waits for 3, and 3 for 0
    reach_error(); // expect: reachable
  if (owner[0] == 0 && owner[1] == 1 && owner[2] == 2 && progress[2] == 3)
    reach_error(); // expect: unreachable
  if (progress[0] == 3 && progress[1] == 3 && progress[2] == 3)
    reach_error(); // expect: reachable
  return 0;
}
