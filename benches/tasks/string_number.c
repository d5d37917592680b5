// A parser of decimal numbers with a sign in a string of at most six characters: range checks and a round trip.
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

#define SIZE 7

// 0: no number; 1: a number in *value
static int parse(const char *s, int *value) {
  int negative = 0, result = 0, digits = 0;
  if (*s == '-' || *s == '+') {
    negative = *s == '-';
    s++;
  }
  while (*s >= '0' && *s <= '9') {
    result = result * 10 + (*s - '0');
    digits++;
    s++;
  }
  if (digits == 0 || *s != '\0')
    return 0;
  *value = negative ? -result : result;
  return 1;
}

int main(void) {
  char s[SIZE];
  for (int i = 0; i < SIZE - 1; i++)
    s[i] = __VERIFIER_nondet_char();
  s[SIZE - 1] = '\0';
  int value = 0;
  if (!parse(s, &value))
    return 0;
  if (value > 999999)
    reach_error(); // expect: unreachable
  if (value < -99999)
    reach_error(); // expect: unreachable
  if (value == -4711)
    reach_error(); // expect: reachable
  if (value == 0 && s[0] == '-' && s[1] == '0' && s[2] == '\0')
    reach_error(); // expect: reachable
  return 0;
}
