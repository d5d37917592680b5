// args: -a --beta=5 file1 -c7 --gamma -- -notoption
#include <getopt.h>
#include <stdio.h>

int main(int argc, char **argv) {
    static const struct option options[] = {
        {"beta", required_argument, NULL, 'b'}, {"gamma", no_argument, NULL, 'g'}, {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(argc, argv, "ab:c:", options, NULL)) != -1)
        printf("%c %s\n", option, optarg ? optarg : "-");
    while (optind < argc)
        printf("%s\n", argv[optind++]);
    return 0;
}
