// Package must is for tests: values whose errors are failures of the test.
package must

// Get returns a value that came without an error, and panics if it did not.
func Get[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
