// A production cell of event-condition-action rules over five variables, as benchmark generators write them; 30 events.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int a17 = 1;
static int a7 = 0;
static int a20 = 1;
static int a8 = 15;
static int a12 = 8;

static int calculate_output(int input) {
  if (a17 == 1 && a7 == 0 && input == 3 && a20 == 1 && a8 == 15) {
    a7 = 1;
    a8 = 13;
    return 21;
  }
  if (a8 == 13 && a7 == 1 && (input == 1 || input == 5) && a12 == 8) {
    a12 = 5;
    a20 = 0;
    return 22;
  }
  if (a12 == 5 && input == 2 && a20 == 0) {
    a17 = 8;
    a8 = 14;
    return 23;
  }
  if (a17 == 8 && a8 == 14 && input == 4) {
    a20 = 1;
    a12 = 6;
    return 24;
  }
  if (a12 == 6 && a17 == 8 && input == 1) {
    a17 = 1;
    a7 = 0;
    a8 = 15;
    a12 = 8;
    return 25;
  }
  if (a12 == 6 && a20 == 1 && input == 6) {
    a12 = 7;
    return 26;
  }
  if (a12 == 7 && input == 5 && a17 == 8) {
    a8 = 16;
    a17 = 9;
    return 21;
  }
  if (a8 == 13 && input == 4 && a12 == 8) {
    a8 = 15;
    a7 = 0;
    return 22;
  }
  return -2;
}

int main(void) {
  int ignored = 0;
  for (int i = 0; i < 30; i++) {
    int input = __VERIFIER_nondet_int();
    if (input < 1 || input > 6)
      return 0;
    int output = calculate_output(input);
    if (output == -2)
      ignored++;
    if (a8 == 16 && a7 == 0) // a7 falls only with a8 = 15
      reach_error(); // expect: unreachable
    if (a17 == 8 && a12 == 8)
      reach_error(); // expect: unreachable
    if (a17 == 9 && a20 == 1)
      reach_error(); // expect: reachable
    if (a8 == 14 && a20 == 1 && a7 != 1)
      reach_error(); // expect: unreachable
    if (a12 == 5 && a8 == 15)
      reach_error(); // expect: unreachable
  }
  if (ignored == 30)
    reach_error(); // expect: reachable
  if (a12 == 7 && a17 == 8)
    reach_error(); // expect: reachable
  return 0;
}
