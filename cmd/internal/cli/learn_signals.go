package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/inputs"
	"github.com/nervure/nervure/signals"
)

// A signalFile is where a command takes its signals from.
type signalFile struct {
	document.RunRead
	terms
	options dataio.ReadOptions // what the document does not say
	hint    string             // how the signals may be meant, if they look odd; set by read
}

// signalsOf returns where signals are, with how to read them.
func signalsOf(read document.RunRead, path string) signalFile {
	read.Files = []string{path}
	return signalFile{RunRead: read}
}

// path is the first file.
func (f *signalFile) path() string { return f.Files[0] }

// name is the file in a sentence.
func (f *signalFile) name() string {
	if more := len(f.Files) - 1; more > 0 {
		return fmt.Sprintf("%s and %d more", f.path(), more)
	}
	return inputName(f.path())
}

// inputs are the files that are read, which must not be written over.
func (f *signalFile) inputs() []string { return slices.Concat(f.Files, []string{f.Names, f.Times}) }

// truth is where the graph behind the signals is known, if it is: beside them, as
// generate leaves it, or in their sample.
func (f *signalFile) truth() string {
	if inputs.IsSample(f.path()) {
		return f.path()
	}
	beside := filepath.Join(filepath.Dir(f.path()), "truth.csv")
	if _, err := os.Stat(beside); err != nil || f.path() == "-" {
		return ""
	}
	return beside
}

func (f *signalFile) read(c console, quiet bool) (*signals.Set, error) {
	set, err := f.decode(c, quiet)
	if err != nil {
		return nil, err
	}
	f.hint = inputs.Hint(f.Transpose, set)
	return set, nil
}

func (f *signalFile) decode(c console, quiet bool) (*signals.Set, error) {
	o, err := inputs.ReadOptions(f.RunRead, inputs.Open)
	if err != nil {
		return nil, f.terms.explain(err)
	}
	o.Sample, o.KeepEmpty = f.options.Sample, f.options.KeepEmpty
	set, err := f.decodeAs(c, quiet, o)
	if e := input.Find(err); e != nil && len(e.Variables) > 0 {
		e.Msg += f.sentence(" (`read.variable` " + e.Variables[0] + ")")
	}
	return set, err
}

func (f *signalFile) decodeAs(c console, quiet bool, o dataio.ReadOptions) (*signals.Set, error) {
	if len(f.Files) > 1 {
		return dataio.ReadFiles(f.Files, o)
	}
	if f.path() != "-" {
		return inputs.Signals(f.path(), o, inputs.Open)
	}
	if watched(c.in) && !quiet {
		fmt.Fprintln(c.err, "reading signals from the terminal; press Ctrl-D to finish")
	}
	o.Format = cmp.Or(o.Format, dataio.CSV)
	set, err := dataio.DecodeSignals(c.in, f.name(), o)
	if e := input.Find(err); e != nil && e.Format != "" {
		e.Msg = f.sentence(fmt.Sprintf("this is not %s: add `read.format` %s", o.Format, e.Format))
	}
	return set, err
}

// note says what there is to doubt about the signals before they are learned from,
// and returns it.
func (f *signalFile) note(c console, quiet bool, set *signals.Set) []string {
	notes := inputs.Notes(set, f.Resample != "", f.hint)
	for _, words := range notes {
		if !quiet {
			c.note("%s", words)
		}
	}
	return notes
}

// refuseGaps refuses signals with missing values, for commands that cannot do without.
func (f *signalFile) refuseGaps(set *signals.Set) error {
	if missing := signals.Missing(set.Y); missing > 0 {
		return &input.Error{File: f.name(), Msg: plural(missing, "value") + " missing: fill the gaps first, with nervure fill"}
	}
	return nil
}

// explain words what the library finds wrong: with a flag, a parameter or the
// signals.
func (f *signalFile) explain(err error, params document.Params) error {
	e := input.Find(err)
	if e == nil || e.Field == "" || e.Field == "run" {
		return f.terms.explain(err)
	}
	if _, ok := params[string(e.Field)]; ok {
		return f.misuse(fmt.Sprintf("`method.params` %s: %s", e.Field, e.Msg))
	}
	if e.Field == input.Log {
		return f.misuse("`prepare.log`: " + e.Msg + " (`prepare.log_offset`)")
	}
	if key, ok := faultKeys[e.Field]; ok {
		return f.misuse(key + ": " + e.Msg)
	}
	return inputs.InFile(e, f.name(), f.hint)
}
