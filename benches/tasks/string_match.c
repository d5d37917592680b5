// A wildcard matcher with `*` and `?`, for a fixed pattern and a text of six characters.
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

#define LENGTH 6

static int match(const char *p, const char *t) {
  if (*p == '\0')
    return *t == '\0';
  if (*p == '*') {
    if (match(p + 1, t))
      return 1;
    return *t != '\0' && match(p, t + 1);
  }
  if (*t == '\0')
    return 0;
  return (*p == '?' || *p == *t) && match(p + 1, t + 1);
}

int main(void) {
  char text[LENGTH + 1];
  for (int i = 0; i < LENGTH; i++)
    text[i] = __VERIFIER_nondet_char();
  text[LENGTH] = '\0';
  int length = 0;
  while (text[length] != '\0')
    length++;
  if (match("a*b?c", text)) {
    if (length < 4)
      reach_error(); // expect: unreachable
    if (text[0] != 'a')
      reach_error(); // expect: unreachable
    if (length == 5 && text[4] != 'c')
      reach_error(); // expect: unreachable
    if (length == 6 && text[1] == 'b' && text[4] == 'x')
      reach_error(); // expect: reachable
  } else {
    if (length == 4 && text[0] == 'a' && text[1] == 'b' && text[3] == 'c')
      reach_error(); // expect: unreachable
    if (length == 6 && text[0] == 'a' && text[1] == 'b' && text[5] == 'c')
      reach_error(); // expect: reachable
  }
  return 0;
}
