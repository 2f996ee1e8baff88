// Solves one graphical lasso by another program's code and prints the CPU seconds:
//
//	peers glassofast|quic N RHO THRESHOLD < S > THETA   (seconds on stderr)
//
// S and THETA are N×N numbers of eight bytes. The diagonal is not penalised. It is
// built together with the sources of both, which are not ours and not here; see
// peers_test.go.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

extern "C" void glassofast_(int *n, double *s, double *l, double *thr, int *iterations, int *messages, int *warm,
                            double *x, double *w, double *wd, double *wxj, int *info);
extern "C" void QUIC(char mode, uint32_t &p, const double *s, double *lambda, uint32_t &pathLength, const double *path, double &tol,
          int32_t &messages, uint32_t &iterations, double *x, double *w, double *opt, double *cpu, uint32_t *iter, double *gap);

// glassofast calls this function of R to print.
extern "C" void intpr_(const char *, int *, int *, int *, int) {}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    int n = atoi(argv[2]);
    double rho = atof(argv[3]), threshold = atof(argv[4]);
    size_t size = size_t(n) * n;
    std::vector<double> s(size), penalty(size, rho), x(size), w(size), wd(n), wxj(n);
    if (fread(s.data(), sizeof(double), size, stdin) != size) return 2;
    for (int i = 0; i < n; i++) penalty[size_t(i) * n + i] = 0;
    clock_t begin = clock();
    if (!strcmp(argv[1], "glassofast")) {
        int iterations = 10000, messages = 0, warm = 0, info = 0;
        glassofast_(&n, s.data(), penalty.data(), &threshold, &iterations, &messages, &warm, x.data(), w.data(), wd.data(), wxj.data(), &info);
    } else {
        uint32_t p = n, paths = 1, iterations = 1000, iter = 0;
        int32_t messages = 0;
        double path = 1, opt = 0, cpu = 0, gap = 0;
        for (int i = 0; i < n; i++) {
            x[size_t(i) * n + i] = 1 / s[size_t(i) * n + i];
            w[size_t(i) * n + i] = s[size_t(i) * n + i];
        }
        QUIC('D', p, s.data(), penalty.data(), paths, &path, threshold, messages, iterations, x.data(), w.data(), &opt, &cpu, &iter, &gap);
    }
    double seconds = double(clock() - begin) / CLOCKS_PER_SEC;
    fprintf(stderr, "%.6f\n", seconds);
    return fwrite(x.data(), sizeof(double), size, stdout) == size ? 0 : 1;
}
