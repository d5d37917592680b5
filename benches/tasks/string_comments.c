// A filter that removes block comments and quotes from a stream of characters, until a zero byte ends it.
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

enum state { CODE, SLASH, COMMENT, STAR, QUOTE, ESCAPE };

int main(void) {
  enum state state = CODE;
  int in_comment = 0;
  int escaped = 0;
  while (1) {
    char c = __VERIFIER_nondet_char();
    if (c == '\0')
      break;
    switch (state) {
    case CODE:
      if (c == '/')
        state = SLASH;
      else if (c == '"')
        state = QUOTE;
      break;
    case SLASH:
      if (c == '*') {
        state = COMMENT;
        in_comment = 1;
      } else if (c == '"') {
        state = QUOTE;
      } else if (c != '/') {
        state = CODE;
      }
      break;
    case COMMENT:
      if (c == '*')
        state = STAR;
      break;
    case STAR:
      if (c == '/') {
        state = CODE;
        in_comment = 0;
      } else if (c != '*') {
        state = COMMENT;
      }
      break;
    case QUOTE:
      if (c == '\\') {
        state = ESCAPE;
        escaped = 1;
      } else if (c == '"') {
        state = CODE;
      }
      break;
    case ESCAPE:
      state = QUOTE;
      break;
    }
    if (state == QUOTE && in_comment)
      reach_error(); // expect: unreachable
    if (state == STAR && !in_comment)
      reach_error(); // expect: unreachable
    if (state == SLASH && in_comment)
      reach_error(); // expect: unreachable
  }
  if (state == ESCAPE && !escaped)
    reach_error(); // expect: unreachable
  if (state == ESCAPE) // the text ends after a backslash
    reach_error(); // expect: reachable
  if (in_comment && escaped)
    reach_error(); // expect: reachable
  if (state == SLASH)
    reach_error(); // expect: reachable
  return 0;
}
