package kernelparam

import "github.com/nervure/nervure/kernel"

// degree is the degree of the kernels that are tried.
const degree = 15

// Heat returns low-pass kernels of the given scales.
func Heat(scales ...float64) []kernel.Kernel {
	var kernels []kernel.Kernel
	for _, scale := range scales {
		k, err := kernel.Heat(scale, degree, kernel.Chebyshev)
		if err != nil {
			panic(err) // fixed numbers: a bug of ours
		}
		kernels = append(kernels, k)
	}
	return kernels
}

// Families returns that many kernels to begin with, from low-pass to high-pass.
func Families(count int) []kernel.Kernel {
	var list []kernel.Kernel
	for s := range count {
		var k kernel.Kernel
		var err error
		switch s {
		case 0:
			k, err = kernel.Heat(1, degree, kernel.Chebyshev)
		case 1:
			k, err = kernel.HighPass(2, degree, kernel.Chebyshev)
		default:
			k, err = kernel.Wavelet(float64(s-1), degree)
		}
		if err != nil {
			panic(err) // fixed numbers: a bug of ours
		}
		list = append(list, k)
	}
	return list
}
