// Accounts in double with steps that are exact: 12 bookings of 0.5 or 2.25 or none; the balance and the count of bookings agree.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define DAYS 12

int main(void) {
  double balance = 100.0;
  int small = 0, large = 0;
  for (int day = 0; day < DAYS; day++) {
    int booking = __VERIFIER_nondet_int();
    if (booking == 1) {
      balance -= 0.5;
      small++;
    } else if (booking == 2) {
      balance -= 2.25;
      large++;
    }
  }
  if (balance + 0.5 * small + 2.25 * large != 100.0)
    reach_error(); // expect: unreachable
  if (balance < 100.0 - 2.25 * DAYS)
    reach_error(); // expect: unreachable
  if (small + large > DAYS)
    reach_error(); // expect: unreachable
  return 0;
}
