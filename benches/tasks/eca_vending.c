// A vending machine as rules over credit, stock and a jammed flag; eight events. It is sold out or jammed in the end, never in debt.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define EVENTS 8

static int credit = 0;
static int stock_tea = 2;
static int stock_juice = 1;
static int jammed = 0;
static int till = 0;

static int vend(int *stock, int price) {
  if (jammed || credit < price || *stock == 0)
    return 0;
  *stock -= 1;
  credit -= price;
  till += price;
  return 1;
}

int main(void) {
  for (int i = 0; i < EVENTS; i++) {
    switch (__VERIFIER_nondet_int()) {
    case 1:
      if (credit <= 4)
        credit += 1;
      break;
    case 2:
      if (credit <= 3)
        credit += 2;
      break;
    case 3:
      vend(&stock_tea, 2);
      break;
    case 4:
      if (!vend(&stock_juice, 3) && credit == 5)
        jammed = 1;
      break;
    case 5:
      credit = 0;
      break;
    default:
      break;
    }
    if (credit < 0 || credit > 5)
      reach_error(); // expect: unreachable
    if (till != 2 * (2 - stock_tea) + 3 * (1 - stock_juice))
      reach_error(); // expect: unreachable
    if (jammed && stock_juice == 1)
      reach_error(); // expect: unreachable
    if (till == 7)
      reach_error(); // expect: reachable
    if (till == 5 && jammed)
      reach_error(); // expect: reachable
    if (till == 4 && credit == 1)
      reach_error(); // expect: reachable
  }
  return 0;
}
