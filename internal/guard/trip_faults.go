//go:build faults

package guard

import (
	"os"
	"slices"
	"strings"
)

// tripped are the places that NERVURE_FAULT names.
var tripped = strings.Split(os.Getenv("NERVURE_FAULT"), ",")

// Trip panics at the places that NERVURE_FAULT names.
func Trip(place string) {
	if slices.Contains(tripped, place) {
		panic("a fault made on purpose: " + place)
	}
}
