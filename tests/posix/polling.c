// stdin: x
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    struct pollfd list[3] = {{.fd = 0, .events = POLLIN}, {.fd = -1, .events = POLLIN}, {.fd = 77, .events = POLLIN}};
    printf("%d\n", poll(list, 3, 1000));
    printf("%d %d %d\n", list[0].revents & POLLIN, list[1].revents, list[2].revents == POLLNVAL);
    list[0] = (struct pollfd){.fd = 1, .events = POLLOUT};
    printf("%d\n", poll(list, 1, 0));
    printf("%d\n", list[0].revents == POLLOUT);
    printf("%d\n", poll(NULL, 0, 5));
    return 0;
}
