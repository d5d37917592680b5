// options: --sym-stdin 3 --short-reads
// paths: 4
#include <unistd.h>

/* Three bytes come in one, two or three reads: 3, 2+1, 1+2, 1+1+1. */
int main(void) {
    char bytes[3];
    size_t have = 0;
    int reads = 0;
    while (have < sizeof bytes) {
        ssize_t n = read(0, bytes + have, sizeof bytes - have);
        if (n <= 0)
            return 9;
        have += (size_t)n;
        reads++;
    }
    return reads;
}
