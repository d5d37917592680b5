// Functions and types that nobody declares: `int`, or what the library has.
static counter;

scale(x) {
  return x * 3;
}

main() {
  auto total = 0;
  register i;
  char *text = malloc(16);
  double *numbers = calloc(2, sizeof(double));
  strcpy(text, "old");
  strcat(text, " C");
  numbers[1] = sqrt(2.25) + fabs(-0.5);
  for (i = 0; i < 3; i++)
    total += scale(i) + later(i, text);
  counter += abs(-4) + strlen(text) + memcmp(text, "olc", 3);
  printf("%d %d %s %.2f\n", total, counter < 9, text, numbers[1]);
  free(text);
  exit(0);
}

later(n, s)
char *s;
{
  return n + s[0];
}
