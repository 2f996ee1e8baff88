package simulate

import (
	"errors"

	"github.com/nervure/nervure/input"
)

// A requirement is what a field of a specification must be.
type requirement struct {
	field input.Field
	value any
	met   bool
	want  string
}

// check returns all requirements that are not met.
func check(op string, list ...requirement) error {
	var faults []error
	for _, r := range list {
		if !r.met {
			faults = append(faults, input.Errorf(op, r.field, "got %v, want %s", r.value, r.want))
		}
	}
	return errors.Join(faults...)
}
