// Nested transactions: each of 26 levels changes an account, runs the next level within it, and then commits or rolls back.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

#define LEVELS 26

static int open_levels = 0;
static int balance = 0; // 0..LEVELS
static int rolled_back = 0;

static void transaction(int level) {
  if (level == LEVELS)
    return;
  open_levels++;
  int saved = balance;
  balance++;
  transaction(level + 1);
  if (__VERIFIER_nondet_bool()) {
    balance = saved;
    rolled_back = 1;
  }
  open_levels--;
  if (open_levels != level)
    reach_error(); // expect: unreachable
  if (balance < level)
    reach_error(); // expect: unreachable
  if (balance > LEVELS)
    reach_error(); // expect: unreachable
}

int main(void) {
  transaction(0);
  if (balance == LEVELS && rolled_back)
    reach_error(); // expect: unreachable
  if (balance == 7)
    reach_error(); // expect: reachable
  if (balance == 0)
    reach_error(); // expect: reachable
  return 0;
}
