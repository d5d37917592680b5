// Run-length encoding of a text of letters a and b: decoding the code gives the text back, whatever the runs.
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

#define LENGTH 16

int main(void) {
  char text[LENGTH], letters[LENGTH], back[LENGTH];
  int counts[LENGTH];
  for (int i = 0; i < LENGTH; i++)
    text[i] = __VERIFIER_nondet_bool() ? 'a' : 'b';
  int runs = 0;
  for (int i = 0; i < LENGTH; i++) {
    if (runs > 0 && letters[runs - 1] == text[i]) {
      counts[runs - 1]++;
    } else {
      letters[runs] = text[i];
      counts[runs] = 1;
      runs++;
    }
  }
  int length = 0;
  for (int r = 0; r < runs; r++)
    for (int k = 0; k < counts[r]; k++)
      back[length++] = letters[r];
  if (length != LENGTH)
    reach_error(); // expect: unreachable
  for (int i = 0; i < LENGTH; i++)
    if (back[i] != text[i])
      reach_error(); // expect: unreachable
  return 0;
}
