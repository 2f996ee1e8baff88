package kernel

// PaperSpecs lists the kernels of [maretic2017], section 4, in the notation of
// [Parse]. They are what learning begins with.
func PaperSpecs() []string { return []string{"heat:2", "highpass:1"} }

// Paper returns the kernels of [maretic2017], section 4: Taylor polynomials of
// degree 15 for e^(−2λ) and 1 − e^(−λ).
func Paper() []Kernel {
	var kernels []Kernel
	for _, spec := range PaperSpecs() {
		k, err := Parse(spec, 15, Taylor)
		if err != nil {
			panic(err) // fixed numbers: a bug of ours
		}
		kernels = append(kernels, k)
	}
	return kernels
}
