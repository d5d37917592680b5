// A matcher of round and square brackets with a stack, over a string of ten characters.
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

#define LENGTH 10

int main(void) {
  char stack[LENGTH];
  int depth = 0, deepest = 0, pairs = 0, other = 0;
  for (int i = 0; i < LENGTH; i++) {
    char c = __VERIFIER_nondet_char();
    if (c == '(' || c == '[') {
      stack[depth++] = c;
      if (depth > deepest)
        deepest = depth;
    } else if (c == ')' || c == ']') {
      if (depth == 0)
        return 1;
      char open = stack[--depth];
      if ((c == ')') != (open == '('))
        return 1;
      pairs++;
    } else {
      other++;
    }
  }
  if (depth < 0)
    reach_error(); // expect: unreachable
  if (2 * pairs + depth + other != LENGTH)
    reach_error(); // expect: unreachable
  if (depth == 0 && deepest > LENGTH / 2)
    reach_error(); // expect: unreachable
  if (depth == 0 && deepest == 3 && pairs == 4)
    reach_error(); // expect: reachable
  if (other == LENGTH)
    reach_error(); // expect: reachable
  return 0;
}
