package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/signals"
)

// signalFlags are the flags that say how a file of signals is to be read.
type signalFlags struct {
	format    *choice
	transpose bool
	variable  string
	names     filePath
	times     filePath
	resample  span
}

func (f *signalFlags) define(s *pflag.FlagSet) {
	f.format = newChoice("", dataio.Formats(dataio.ReadsSignals)...)
	s.Var(f.format, "format", "format of the signals, overriding the file extension: "+either(f.format.allowed))
	s.StringVar(&f.variable, "variable", "", "`NAME` of the array to read from a file that holds several ("+extensions(dataio.HoldsVariables, "or")+"; default: the only matrix, or the one called signals, Y, X or data)")
	s.BoolVar(&f.transpose, "transpose", false, "vertices are in rows, observations in columns")
	s.Var(&f.names, "names", "read the names of the vertices from `FILE`, one a line, for signals that have none, such as .npy")
	s.Var(&f.times, "times", "read the times of the observations from `FILE`, one a line, for signals that have none, such as .npy")
	s.Var(&f.resample, "resample", "average the observations over spans of `TIME`, such as 15m, 1h or 7d, by the times in the file; missing where nothing was measured")
}

// file returns where the signals are.
func (f *signalFlags) file(path string) signalFile {
	return signalFile{path: path, names: string(f.names), times: string(f.times), options: dataio.ReadOptions{Format: dataio.Format(f.format.value), Transpose: f.transpose, Variable: f.variable, Resample: f.resample.value}}
}

// A signalFile is where a command takes its signals from.
type signalFile struct {
	path    string   // or "-" for standard input
	more    []string // other files of the same study
	names   string   // path of the names of the vertices, or ""
	times   string   // path of the times of the observations, or ""
	options dataio.ReadOptions
	hint    string // how the signals may be meant, if they look odd; set by read
}

// name is the file in a sentence.
func (f *signalFile) name() string {
	if len(f.more) > 0 {
		return fmt.Sprintf("%s and %d more", f.path, len(f.more))
	}
	return inputName(f.path)
}

// paths are the files of signals.
func (f *signalFile) paths() []string { return append([]string{f.path}, f.more...) }

// files are those that are read, which must not be written over.
func (f *signalFile) files() []string { return append(f.paths(), f.besides()...) }

// besides are the files that are read besides the signals.
func (f *signalFile) besides() []string {
	return given(f.names, f.times)
}

// truth is where the graph behind the signals is known, if it is: beside them, as
// generate leaves it, or in their sample.
func (f *signalFile) truth() string {
	if isSample(f.path) {
		return f.path
	}
	beside := filepath.Join(filepath.Dir(f.path), "truth.csv")
	if _, err := os.Stat(beside); err != nil || f.path == "-" {
		return ""
	}
	return beside
}

func (f *signalFile) read(c console, quiet bool) (*signals.Set, error) {
	set, err := f.decode(c, quiet)
	if err != nil {
		return nil, err
	}
	if !f.options.Transpose && slices.ContainsFunc(set.Findings(), looksTransposed) {
		f.hint = "if vertices are in rows, add --transpose"
	}
	return set, nil
}

func looksTransposed(found signals.Finding) bool {
	return found.Kind == signals.FewSignals || found.Kind == signals.SingleSignal
}

// takeBesides takes the names of the vertices and the times of the observations from the
// contents of some files, among them those that they are in, if there are such.
func (f *signalFile) takeBesides(paths []string, contents [][]byte) (err error) {
	content := func(path string) io.Reader { return bytes.NewReader(contents[slices.Index(paths, path)]) }
	if f.names != "" {
		f.options.Names, err = dataio.DecodeNames(content(f.names), f.names)
	}
	if err == nil && f.times != "" {
		f.options.Times, err = dataio.DecodeTimes(content(f.times), f.times)
	}
	return err
}

// readBesides reads the files besides the signals.
func (f *signalFile) readBesides() error {
	var contents [][]byte
	for _, path := range f.besides() {
		content, err := dataio.ReadFile(path)
		if err != nil {
			return err
		}
		contents = append(contents, content)
	}
	return f.takeBesides(f.besides(), contents)
}

func (f *signalFile) decode(c console, quiet bool) (*signals.Set, error) {
	if f.times != "" && len(f.more) > 0 {
		return nil, misuse("--times is for one file of signals: several are united by the times that they have")
	}
	if err := f.readBesides(); err != nil {
		return nil, err
	}
	set, err := f.decodeAs(c, quiet)
	if e := input.Find(err); e != nil && len(e.Variables) > 0 {
		e.Msg += " (--variable " + e.Variables[0] + ")"
	}
	return set, err
}

func (f *signalFile) decodeAs(c console, quiet bool) (*signals.Set, error) {
	if len(f.more) > 0 {
		return dataio.ReadFiles(f.paths(), f.options)
	}
	if f.path != "-" {
		return readSignals(f.path, f.options)
	}
	if watched(c.in) && !quiet {
		fmt.Fprintln(c.err, "reading signals from the terminal; press Ctrl-D to finish")
	}
	o := f.options
	o.Format = cmp.Or(o.Format, dataio.CSV)
	set, err := dataio.DecodeSignals(c.in, f.name(), o)
	if e := input.Find(err); e != nil && e.Format != "" {
		e.Msg = fmt.Sprintf("this is not %s: add --format %s", o.Format, e.Format)
	}
	return set, err
}

// note says what there is to doubt about the signals before they are learned from,
// and returns it.
func (f *signalFile) note(c console, quiet bool, set *signals.Set) []string {
	notes := slices.Clone(set.Notes)
	for _, found := range set.Findings() {
		switch {
		case found.Kind == signals.UnevenTimes && f.options.Resample == 0:
			notes = append(notes, found.Sentence+suggestResample(set))
		case !looksTransposed(found):
			notes = append(notes, found.Sentence)
		case f.hint != "" && found.Kind != signals.SingleSignal: // which is refused, with the hint
			notes = append(notes, found.Sentence+": "+f.hint)
		}
	}
	for _, words := range notes {
		if !quiet {
			fmt.Fprintln(c.err, wrapped("note: "+words))
		}
	}
	return notes
}

// suggestResample is a hint for signals at uneven times.
func suggestResample(set *signals.Set) string {
	if span := set.SuggestSpan(); span > 0 {
		return fmt.Sprintf(": --resample %s averages them", signals.FormatSpan(span))
	}
	return ""
}

// refuseGaps refuses signals with missing values, for commands that cannot do without.
func (f *signalFile) refuseGaps(set *signals.Set) error {
	if missing := signals.Missing(set.Y); missing > 0 {
		return &input.Error{File: f.name(), Msg: plural(missing, "value") + " missing: fill the gaps first, with nervure fill"}
	}
	return nil
}

// faultFlags are the flags by which a user sets what the library calls otherwise.
var faultFlags = map[input.Field]string{
	input.Sparsity: "--sparsity", input.Edges: "--edges", input.Threshold: "--threshold", input.Kernels: "--kernel",
	input.AllowedPairs: "--allow and --forbid", input.Init: "--init", input.Prior: "--prior",
	input.Rounds:      "--rounds",
	input.KernelCount: "--kernel free", input.KernelDegree: "--degree",
	"count": "--kernels", "degree": "--degree", input.Graph: "--graph",
	input.Log: "--log", input.Difference: "--difference", input.Season: "--season", "tau": "--tau",
}

// explain words what the library finds wrong: with a flag, a parameter or the
// signals.
func (f *signalFile) explain(err error, params map[string]string) error {
	e := input.Find(err)
	if e == nil || e.Field == "" {
		return err
	}
	if _, ok := params[string(e.Field)]; ok {
		return misuse("--param %s: %s", e.Field, e.Msg)
	}
	if e.Field == input.Log {
		return misuse("--log: %s (--log-offset)", e.Msg)
	}
	if flag, ok := faultFlags[e.Field]; ok {
		return misuse("%s: %s", flag, e.Msg)
	}
	return f.inFile(e)
}

// inFile words a fault that no flag can mend.
func (f *signalFile) inFile(e *input.Error) error {
	msg := e.Fault()
	if (e.Field == input.Vertices || e.Field == input.Signals) && f.hint != "" {
		msg += "; " + f.hint
	}
	return &input.Error{File: f.name(), Msg: msg}
}
