package house

import (
	"regexp"
	"strings"
	"testing"
)

// gonum's sums have another order on x86-64 than on other processors.
var sumsOfGonum = regexp.MustCompile(`\b(floats\.(Sum|Dot)|stat\.(Pop)?(Mean|Variance|StdDev|MeanVariance|MeanStdDev)|stat\.(Covariance|Correlation)|blas64\.Dot)\(`)

func TestSumsHaveOneOrderOnAllProcessors(t *testing.T) {
	for _, name := range repositoryFiles(t) {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "cmd/") || strings.HasPrefix(name, "internal/portable/") {
			continue
		}
		for i, line := range strings.Split(read(t, name), "\n") {
			if call := sumsOfGonum.FindString(line); call != "" {
				t.Errorf("%s:%d: %s…) rounds differently on other processors: call the function of internal/portable", name, i+1, call)
			}
		}
	}
}
