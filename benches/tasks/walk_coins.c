// A machine that takes coins of 5, 10, 20 and 50 until 100 are paid, and gives change: what went in is the price and the change.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define PRICE 100

int main(void) {
  int paid = 0;
  int coins = 0;
  while (paid < PRICE) {
    int coin = __VERIFIER_nondet_int();
    if (coin == 0)
      paid += 50;
    else if (coin == 1)
      paid += 20;
    else if (coin == 2)
      paid += 10;
    else
      paid += 5;
    coins++;
  }
  int change = paid - PRICE;
  if (change >= 50)
    reach_error(); // expect: unreachable
  if (change % 5 != 0)
    reach_error(); // expect: unreachable
  if (coins > 20)
    reach_error(); // expect: unreachable
  if (coins < 2)
    reach_error(); // expect: unreachable
  if (change == 45)
    reach_error(); // expect: reachable
  if (coins == 20)
    reach_error(); // expect: reachable
  if (coins == 7 && change == 0)
    reach_error(); // expect: reachable
  return 0;
}
