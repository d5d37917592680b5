
// Runs each program on all its inputs. A line for each run: inputs, claims that were passed, the claim that ended it or -1.
int main(void) {
  extern char __data_start, _end;
  size_t size = &_end - &__data_start;
  driver = calloc(1, sizeof *driver);
  struct driver *d = driver;
  char *data = malloc(size);
  memcpy(data, &__data_start, size);
  for (size_t program = 0; program < sizeof PROGRAMS / sizeof *PROGRAMS; program++) {
    printf("=\n");
    int runs = 0;
    d->given = 0;
    do {
      memcpy(&__data_start, data, size);
      d->asked = 0;
      d->hits = 0;
      d->ended = -1;
      errno = 0;
      d->registered = 0;
      if (!setjmp(d->out)) {
        PROGRAMS[program]();
        quit();
      }
      for (int i = 0; i < d->asked; i++)
        printf("%d ", d->low[i] + d->choice[i]);
      printf(": %u %d\n", d->hits, d->ended);
      d->given = d->asked;
      while (d->given > 0 && d->choice[d->given - 1] + 1 == d->range[d->given - 1])
        d->given--;
      if (d->given > 0)
        d->choice[d->given - 1]++;
      if (++runs == MOST_RUNS)
        return 8;
    } while (d->given > 0);
  }
  return 0;
}
