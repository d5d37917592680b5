// A one-dimensional walk of 60 steps: every step moves by one, two or three, forwards or back.
// The distance stays within what the number of steps allows, and its extremes are reached.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define STEPS 60

int main(void) {
  int position = 0;
  int moved = 0;
  for (int i = 0; i < STEPS; i++) {
    int choice = __VERIFIER_nondet_int();
    if (choice == 0)
      position += 1;
    else if (choice == 1)
      position -= 1;
    else if (choice == 2)
      position += 3;
    else
      position -= 2;
    moved++;
  }
  if (moved != STEPS)
    reach_error(); // expect: unreachable
  if (position > 3 * STEPS)
    reach_error(); // expect: unreachable
  if (position < -2 * STEPS)
    reach_error(); // expect: unreachable
  if (position == 3 * STEPS)
    reach_error(); // expect: reachable
  if (position == -2 * STEPS)
    reach_error(); // expect: reachable
  if (position == 0)
    reach_error(); // expect: reachable
  return 0;
}
