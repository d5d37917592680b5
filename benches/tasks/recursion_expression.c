// A recursive-descent parser of sums and products of single digits with parentheses, over a string of eight characters.
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

#define LENGTH 8

static char text[LENGTH + 1];
static int position;
static int failed;

static int sum(void);

static int atom(void) {
  char c = text[position];
  if (c >= '0' && c <= '9') {
    position++;
    return c - '0';
  }
  if (c == '(') {
    position++;
    int value = sum();
    if (text[position] != ')')
      failed = 1;
    else
      position++;
    return value;
  }
  failed = 1;
  return 0;
}

static int product(void) {
  int value = atom();
  while (!failed && text[position] == '*') {
    position++;
    value *= atom();
  }
  return value;
}

static int sum(void) {
  int value = product();
  while (!failed && text[position] == '+') {
    position++;
    value += product();
  }
  return value;
}

int main(void) {
  for (int i = 0; i < LENGTH; i++)
    text[i] = __VERIFIER_nondet_char();
  text[LENGTH] = '\0';
  int value = sum();
  if (position > LENGTH)
    reach_error(); // expect: unreachable
  if (failed || text[position] != '\0')
    return 1;
  if (position == 0)
    reach_error(); // expect: unreachable
  if (position == 2) // no expression has two characters
    reach_error(); // expect: unreachable
  if (position == 5 && value == 63)
    reach_error(); // expect: reachable
  if (text[0] == '(' && text[1] == '(')
    reach_error(); // expect: reachable
  if (value == 6561)
    reach_error(); // expect: reachable
  return 0;
}
