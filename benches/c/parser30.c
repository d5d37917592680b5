// Symbolic benchmark: a tokenizer and evaluator of about 30 branches over a symbolic buffer: 41371 paths.
// paths: 41371
#include <klee/klee.h>

#ifndef SCALE
#define SCALE 4
#endif

enum kind { END, NUMBER, NAME, PLUS, MINUS, TIMES, DIVIDE, OPEN, CLOSE, LESS, LESS_EQUAL, ASSIGN, EQUAL, BAD };

static char text[SCALE + 1];
static int at;
static enum kind token;
static int value;
static int errors;

static void next(void) {
  while (text[at] == ' ')
    at++;
  char c = text[at];
  if (c == 0) {
    token = END;
    return;
  }
  at++;
  if (c >= '0' && c <= '9') {
    token = NUMBER;
    value = 0;
    while (text[at] >= '0' && text[at] <= '9')
      at++;
    value = at;
  } else if (c == 'x' || c == 'y') {
    token = NAME;
    value = c == 'x' ? 10 : 20;
  } else if (c == '+') {
    token = PLUS;
  } else if (c == '-') {
    token = MINUS;
  } else if (c == '*') {
    token = TIMES;
  } else if (c == '/') {
    token = DIVIDE;
  } else if (c == '(') {
    token = OPEN;
  } else if (c == ')') {
    token = CLOSE;
  } else if (c == '<') {
    token = LESS;
    if (text[at] == '=') {
      at++;
      token = LESS_EQUAL;
    }
  } else if (c == '=') {
    token = ASSIGN;
    if (text[at] == '=') {
      at++;
      token = EQUAL;
    }
  } else {
    token = BAD;
    errors++;
  }
}

static int expression(void);

static int factor(void) {
  int v = 0;
  if (token == NUMBER || token == NAME) {
    v = value;
    next();
  } else if (token == OPEN) {
    next();
    v = expression();
    if (token == CLOSE)
      next();
    else
      errors++;
  } else if (token == MINUS) {
    next();
    v = -factor();
  } else {
    errors++;
    if (token != END)
      next();
  }
  return v;
}

static int term(void) {
  int v = factor();
  while (token == TIMES || token == DIVIDE) {
    enum kind op = token;
    next();
    int w = factor();
    if (op == TIMES)
      v *= w;
    else if (w != 0)
      v /= w;
    else
      errors++;
  }
  return v;
}

static int sum(void) {
  int v = term();
  while (token == PLUS || token == MINUS) {
    enum kind op = token;
    next();
    v = op == PLUS ? v + term() : v - term();
  }
  return v;
}

static int expression(void) {
  int v = sum();
  if (token == LESS || token == LESS_EQUAL || token == EQUAL) {
    enum kind op = token;
    next();
    int w = sum();
    v = op == LESS ? v < w : op == LESS_EQUAL ? v <= w : v == w;
  }
  return v;
}

int main(void) {
  char in[SCALE];
  klee_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < SCALE; i++)
    text[i] = in[i];
  next();
  while (token != END) {
    if (token == BAD)
      next();
    else
      expression();
  }
  klee_assert(errors <= 2 * SCALE);
  return 0;
}
