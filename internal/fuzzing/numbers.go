package fuzzing

import "reflect"

// Floats returns a slice of numbers of any type as float64, for readers in tests that encoding/binary fills.
func Floats(list any) []float64 {
	values := reflect.ValueOf(list)
	floats := make([]float64, values.Len())
	for k := range floats {
		floats[k] = values.Index(k).Convert(reflect.TypeFor[float64]()).Float()
	}
	return floats
}
