// Package guard keeps a fault in one part of a result, such as a page about a graph, from
// costing the rest.
package guard

import "fmt"

// Run does a part and returns its error. A panic is one, too, with what the part is called.
func Run(part string, do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s could not be made: internal error: %v; please report it at https://github.com/nervure/nervure/issues", part, p)
		}
	}()
	return do()
}
