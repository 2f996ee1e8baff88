package kernel

import (
	"encoding/json"
	"fmt"
)

// stored is what is kept of a kernel. JSON has numbers to the last bit.
type stored struct {
	Name, Family             string
	By                       Approximation
	Error, Peak              float64
	Scale, Order             float64
	Series, Coef, Derivative []float64
}

// MarshalBinary returns the kernel to its last bit, for builds of the same source.
// It implements [encoding.BinaryMarshaler].
func (k Kernel) MarshalBinary() ([]byte, error) {
	return json.Marshal(stored{
		k.Name, k.Family(), k.by, k.ApproximationError, k.peak, k.member.scale, k.member.order,
		k.series, k.coef, k.slope,
	})
}

// UnmarshalBinary reads what MarshalBinary wrote. It implements
// [encoding.BinaryUnmarshaler].
func (k *Kernel) UnmarshalBinary(data []byte) error {
	var s stored
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("kernel.UnmarshalBinary: %w", err)
	}
	family := find(s.Family)
	if family == nil && s.Family != "" {
		return fmt.Errorf("kernel.UnmarshalBinary: there is no family %q", s.Family)
	}
	*k = Kernel{
		Name: s.Name, ApproximationError: s.Error, series: s.Series, coef: s.Coef, peak: s.Peak,
		family: family, member: member{s.Scale, s.Order}, by: s.By, slope: s.Derivative,
	}
	return nil
}
