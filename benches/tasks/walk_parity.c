// Two counters that every event changes together: their parities agree after 12 events.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define EVENTS 12

int main(void) {
  unsigned left = 0, right = 0;
  for (int i = 0; i < EVENTS; i++) {
    int event = __VERIFIER_nondet_int();
    if (event > 10) {
      left += 3;
      right += 1;
    } else if (event < -10) {
      left += 2;
    } else {
      right += 4;
      left += 6;
    }
  }
  if (left % 2 != right % 2)
    reach_error(); // expect: unreachable
  if (left < right)
    reach_error(); // expect: unreachable
  return 0;
}
