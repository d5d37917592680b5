// A tokenizer that reads a stream of 40 characters: words, numbers and blanks are told apart by a small automaton.
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

#define LENGTH 40

enum state { BLANK, WORD, NUMBER, BAD };

int main(void) {
  enum state state = BLANK;
  int words = 0, numbers = 0;
  for (int i = 0; i < LENGTH; i++) {
    char c = __VERIFIER_nondet_char();
    int letter = c >= 'a' && c <= 'z';
    int digit = c >= '0' && c <= '9';
    switch (state) {
    case BLANK:
      if (letter) {
        state = WORD;
        words++;
      } else if (digit) {
        state = NUMBER;
        numbers++;
      } else if (c != ' ') {
        state = BAD;
      }
      break;
    case WORD:
      if (c == ' ')
        state = BLANK;
      else if (!letter && !digit)
        state = BAD;
      break;
    case NUMBER:
      if (c == ' ')
        state = BLANK;
      else if (!digit)
        state = BAD;
      break;
    case BAD:
      break;
    }
    if (state == BAD)
      return 1;
  }
  if (words + numbers > LENGTH / 2)
    reach_error(); // expect: unreachable
  if (words < 0 || numbers < 0)
    reach_error(); // expect: unreachable
  if (words == 0 && numbers == LENGTH / 2)
    reach_error(); // expect: reachable
  if (words == 1 && numbers == 1)
    reach_error(); // expect: reachable
  return 0;
}
