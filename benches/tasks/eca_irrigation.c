// An irrigation controller: moisture and tank levels as small counters, rules for the pump and valve, 10 events.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum event { DRY = 1, RAIN, REFILL, TICK, EVENTS };

static int moisture = 2; // 0..4
static int tank = 3;     // 0..3
static int pump = 0;

static void rules(int event) {
  if (event == DRY && moisture > 0)
    moisture--;
  if (event == RAIN && moisture < 4)
    moisture++;
  if (event == REFILL && !pump)
    tank = 3;
  if (event == TICK && pump) {
    tank--;
    moisture++;
  }
  if (moisture <= 1 && tank > 0)
    pump = 1;
  if (moisture >= 3 || tank == 0)
    pump = 0;
}

int main(void) {
  for (int i = 0; i < 10; i++) {
    int event = __VERIFIER_nondet_int();
    if (event <= 0 || event >= EVENTS)
      break;
    rules(event);
    if (tank < 0)
      reach_error(); // expect: unreachable
    if (moisture > 4)
      reach_error(); // expect: unreachable
    if (pump && tank == 0)
      reach_error(); // expect: unreachable
    if (moisture == 0 && tank == 0)
      reach_error(); // expect: reachable
    if (pump && moisture == 2 && tank == 1)
      reach_error(); // expect: reachable
    if (pump && moisture == 3)
      reach_error(); // expect: unreachable
  }
  if (tank == 3 && pump)
    reach_error(); // expect: reachable
  return 0;
}
