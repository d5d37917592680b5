// A position in steps of a half and a quarter, which are exact: 30 moves; the bounds hold and are met.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define MOVES 30

int main(void) {
  float position = 0.0f;
  for (int i = 0; i < MOVES; i++) {
    int move = __VERIFIER_nondet_int();
    if (move > 0)
      position += 0.5f;
    else if (move < 0)
      position -= 0.25f;
    if (position > 6.0f)
      position = 6.0f;
  }
  if (position > 6.0f)
    reach_error(); // expect: unreachable
  if (position < -0.25f * MOVES)
    reach_error(); // expect: unreachable
  if (position == 5.75f)
    reach_error(); // expect: reachable
  if (position * 8.0f == 1.0f)
    reach_error(); // expect: unreachable
  if (position == -7.5f)
    reach_error(); // expect: reachable
  return 0;
}
