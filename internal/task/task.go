// Package task runs many independent pieces of work: learning the graphs of a study,
// measuring the cells of an experiment. A task is data, a kind of work and its arguments,
// so that it can be done in this process ([Local]) or on other machines (package
// cluster), with the same bytes as its result.
package task

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"

	"github.com/nervure/nervure/internal/guard"
)

// A Task is a piece of work that depends on nothing but what it names.
type Task struct {
	ID   string `json:"id"`             // tells it from all others of a run
	Kind string `json:"kind"`           // which of the [Kinds] does it
	Args []byte `json:"args,omitempty"` // what that kind takes, as a rule JSON
	Data []Hash `json:"data,omitempty"` // what it reads, which may be large and shared by tasks
}

// A Hash names data by what they are: the SHA-256 in hexadecimal digits.
type Hash string

// HashOf returns the name of data.
func HashOf(data []byte) Hash {
	sum := sha256.Sum256(data)
	return Hash(hex.EncodeToString(sum[:]))
}

// A Source returns the data of a hash. It may be called from several goroutines.
type Source func(Hash) ([]byte, error)

// A Result is what became of a task.
type Result struct {
	ID    string `json:"id"`
	Value []byte `json:"value,omitempty"`
	Fault string `json:"fault,omitempty"` // why there is no value, a sentence; "" if there is one
	// Broken is the fault if it is one of the program; nil if it is about the task.
	Broken *guard.Fault `json:"broken,omitempty"`
	By     string       `json:"by,omitempty"` // who did it; "" in this process
	// Lost says that the fault may not be the task's: done again, it may have a value.
	Lost bool `json:"lost,omitempty"`
}

// Err returns why there is no value; nil if there is one.
func (r Result) Err() error {
	switch {
	case r.Broken != nil:
		return r.Broken
	case r.Fault != "":
		return errors.New(r.Fault)
	}
	return nil
}

// A Func does tasks of one kind. What it returns depends on nothing but its
// arguments, down to the last byte. An error is about the task: others go on.
// If ctx ends, whatever is returned is dropped.
type Func = func(ctx context.Context, args []byte, data [][]byte) ([]byte, error)

// Kinds are the kinds of work that there are, by name.
type Kinds map[string]Func

// A Runner does tasks.
type Runner interface {
	// Run does the tasks and yields a result for each, as they come, in any order. It
	// ends with an error, and no more results, if ctx ends (with its cause) or if tasks cannot be done at
	// all. Leaving the loop stops the work.
	Run(ctx context.Context, tasks []Task, data Source) iter.Seq2[Result, error]
	// Workers returns how many tasks can be done at a time now.
	Workers() int
}

// Do does a task. Whatever goes wrong is in the result, a panic, too: one task must
// not end a run of hours.
func (k Kinds) Do(ctx context.Context, t Task, data Source) (r Result) {
	r.ID = t.ID
	do, ok := k[t.Kind]
	if !ok {
		r.Fault = fmt.Sprintf("there is no work of kind %q", t.Kind)
		return r
	}
	read := make([][]byte, len(t.Data))
	for i, hash := range t.Data {
		var err error
		if read[i], err = data(hash); err != nil {
			r.Fault, r.Lost = err.Error(), true
			return r
		}
	}
	err := guard.Run("the task "+t.ID, func() (err error) {
		guard.Trip("worker")
		r.Value, err = do(ctx, t.Args, read)
		return err
	})
	if err != nil {
		broken, _ := errors.AsType[*guard.Fault](err)
		r.Value, r.Fault, r.Broken, r.Lost = nil, err.Error(), broken, broken != nil
	}
	return r
}
