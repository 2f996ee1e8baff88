package method

import (
	"reflect"

	"github.com/nervure/nervure/internal/checkpoint"
)

// codeResult codes what a method m comes to, so that it is not run again when a run goes
// on; see package checkpoint. What a method has to say beyond that has no form that all
// could share: such results are not kept.
func codeResult(c *checkpoint.Coder, result **Result, m Method) {
	if c.Reading() {
		*result = &Result{}
	}
	r := *result
	as := reflect.New(reflect.TypeOf(m))
	chosen := r.Method != nil
	if c.Bool(&chosen); chosen {
		if !c.Reading() {
			if reflect.TypeOf(r.Method) != as.Elem().Type() {
				c.Fail()
				return
			}
			as.Elem().Set(reflect.ValueOf(r.Method))
		}
		if c.Struct(as.Interface()); c.Reading() {
			r.Method = as.Elem().Interface().(Method)
		}
	}
	if r.Own != nil {
		c.Fail()
	}
	c.Graph(&r.Graph)
	c.Graph(&r.Weights)
	c.Int(&r.Rounds)
	checkpoint.Text(c, &r.Status)
	checkpoint.Slice(c, &r.Warnings, (*checkpoint.Coder).String)
}
