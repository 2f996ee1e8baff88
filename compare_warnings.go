package nervure

import (
	"errors"
	"fmt"

	"github.com/nervure/nervure/input"
)

// Warnings returns what there is to doubt whatever the method, a sentence each:
// about the signals, and that methods were not ranked. The methods have their own.
func (c *Comparison) Warnings() []string {
	list := c.Preparation.Sentences()
	if c.Unranked != "" {
		list = append(list, c.Unranked)
	}
	return list
}

// A MethodWarning is a reason to doubt the graphs of some methods.
type MethodWarning struct {
	Sentence string
	Methods  []string // that give it
	All      bool     // there are several methods with a graph, and all give it
}

// MethodWarnings returns the warnings of all methods, each once, in the order in
// which they are first given.
func (c *Comparison) MethodWarnings() []MethodWarning {
	var list []MethodWarning
	at := map[string]int{} // in the list, by sentence
	graphs := 0
	for _, m := range c.Methods {
		if m.Result != nil {
			graphs++
		}
		for _, sentence := range m.Warnings {
			k, known := at[sentence]
			if !known {
				k = len(list)
				at[sentence] = k
				list = append(list, MethodWarning{Sentence: sentence})
			}
			list[k].Methods = append(list[k].Methods, m.Name)
		}
	}
	for k := range list {
		list[k].All = graphs > 1 && len(list[k].Methods) == graphs
	}
	return list
}

// AllFailed returns an error if every method that is done failed, with the reason of
// the first. It is an [*input.Error] if all of them refused what they were given:
// then the signals are at fault.
func (c *Comparison) AllFailed() error {
	refused := true
	for _, m := range c.Methods {
		if m.Result != nil {
			return nil
		}
		refused = refused && input.Find(m.Err) != nil
	}
	if len(c.Methods) == 0 {
		return nil
	}
	sentence := fmt.Sprintf("no method learned a graph; %s: %s", c.Methods[0].Name, c.Methods[0].Reason())
	if refused {
		return &input.Error{Msg: sentence}
	}
	return errors.New(sentence)
}
