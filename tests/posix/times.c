#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
    time_t moment = 86400L * 365 + 3661;
    struct tm *parts = gmtime(&moment);
    printf("%d-%d-%d %d:%d:%d %d %d\n", parts->tm_year, parts->tm_mon, parts->tm_mday, parts->tm_hour, parts->tm_min,
           parts->tm_sec, parts->tm_wday, parts->tm_yday);
    char text[64];
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %b %j", parts);
    puts(text);
    setenv("TZ", "UTC0", 1);
    tzset();
    printf("%ld\n", (long)mktime(parts));
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    nanosleep(&(struct timespec){0, 2000000}, NULL);
    clock_gettime(CLOCK_MONOTONIC, &after);
    long passed = (after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec;
    printf("%d\n", passed >= 2000000);
    printf("%s", asctime(gmtime(&moment)));
    return 0;
}
