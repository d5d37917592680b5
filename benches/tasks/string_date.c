// A checker of dates written as YYYY-MM-DD in a string of ten arbitrary characters, with leap years.
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

static int number(const char *s, int n) {
  int value = 0;
  for (int i = 0; i < n; i++) {
    if (s[i] < '0' || s[i] > '9')
      return -1;
    value = value * 10 + (s[i] - '0');
  }
  return value;
}

static int is_leap(int year) {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in(int month, int year) {
  static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (month == 2 && is_leap(year))
    return 29;
  return days[month - 1];
}

int main(void) {
  char s[10];
  for (int i = 0; i < 10; i++)
    s[i] = __VERIFIER_nondet_char();
  int year = number(s, 4), month = number(s + 5, 2), day = number(s + 8, 2);
  if (s[4] != '-' || s[7] != '-' || year < 0 || month < 1 || month > 12 || day < 1)
    return 1;
  if (day > days_in(month, year))
    return 1;
  if (day > 31)
    reach_error(); // expect: unreachable
  if (month == 2 && day == 30)
    reach_error(); // expect: unreachable
  if (year == 1900 && month == 2 && day == 29)
    reach_error(); // expect: unreachable
  if (year == 2000 && month == 2 && day == 29)
    reach_error(); // expect: reachable
  if (month == 11 && day == 31)
    reach_error(); // expect: unreachable
  if (month == 12 && day == 31 && year == 9999)
    reach_error(); // expect: reachable
  return 0;
}
