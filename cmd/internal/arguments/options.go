package arguments

import (
	_ "embed"
	"errors"
	"reflect"
	"regexp"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/signals"
)

// The flags of a run are made of the options of its document: see [document.Option].

// A runFlag is the flag of an option. Its value stands in a run: what is typed is put there, and what is
// there can be typed again.
type runFlag struct {
	document.Option
	run *document.Run
}

// placeholders are what flags take by the kind of their value, in the help.
var placeholders = map[reflect.Kind]string{reflect.Bool: "bool", reflect.Int: "N", reflect.Float64: "X"}

func (f runFlag) Type() string {
	if own := f.Tag.Get("placeholder"); own != "" {
		return own
	}
	switch want := f.Tag.Get("want"); {
	case f.Words() != nil:
		return "NAME"
	case want == "file" || want == "input":
		return "FILE"
	case f.Tag.Get("or") != "" || f.Kind() == reflect.String:
		return "string"
	}
	return placeholders[f.Kind()]
}

func (f runFlag) String() string { return strings.Join(f.Texts(f.run), ",") }

func (f runFlag) Set(text string) error { return f.Option.Set(f.run, text) }

// A repeatedFlag may be repeated.
type repeatedFlag struct{ runFlag }

func (f repeatedFlag) GetSlice() []string { return f.Texts(f.run) }

func (f repeatedFlag) Append(text string) error { return f.Set(text) }

func (f repeatedFlag) Replace([]string) error { return errors.ErrUnsupported }

// A typedFlag is the flag of an option that is typed in another way than it stands in the document.
type typedFlag struct {
	runFlag
	get func() string
	set func(text string) error
}

func (f typedFlag) String() string { return f.get() }

func (f typedFlag) Set(text string) error { return f.set(text) }

// flagOfOption returns the flag of an option of a run.
func flagOfOption(o document.Option, r *document.Run) pflag.Value {
	f := runFlag{o, r}
	switch o.Key {
	case "prepare.season":
		return typedFlag{f, func() string { return seasonText(&r.Prepare) }, func(text string) error { return setSeason(r, text) }}
	case "cut.threshold":
		return typedFlag{f, func() string { return thresholdText(r.Cut) }, func(text string) error { return setThreshold(r, text) }}
	}
	if o.IsList() && o.Tag.Get("list") != "joined" {
		return repeatedFlag{f}
	}
	return f
}

// defineOptions defines the flags of a run that stand under a heading on a page of the help, and after
// some of them others.
func defineOptions(cmd *cobra.Command, page, heading string, r *document.Run, besides map[string]func(*pflag.FlagSet)) {
	addFlags(cmd, heading, func(s *pflag.FlagSet) {
		for _, o := range document.Options() {
			if o.Heading(pageOf(page)) == heading {
				defineOption(s, page, o, r)
			}
			if more := besides[o.Key]; more != nil {
				more(s)
			}
		}
		if last := besides[""]; last != nil {
			last(s)
		}
	})
	for _, o := range document.Options() {
		if name := o.Tag.Get("complete"); o.Heading(pageOf(page)) == heading && name != "" {
			mustComplete(cmd, o.Flag(), completerOf(name))
		}
	}
}

// pageOf is the tag that has the headings of a page: learn has those of all flags.
func pageOf(page string) string {
	if page == "compare" || page == "plan" {
		return page
	}
	return "group"
}

func defineOption(s *pflag.FlagSet, page string, o document.Option, r *document.Run) {
	s.Var(flagOfOption(o, r), o.Flag(), helpOf(page, o))
	f := s.Lookup(o.Flag())
	if first, _, _ := strings.Cut(o.Tag.Get("enum"), ","); first == auto {
		f.DefValue = auto
	}
	if text := o.Tag.Get("default"); text != "" {
		f.DefValue = text
	}
	if f.NoOptDefVal = o.Tag.Get("alone"); o.Kind() == reflect.Bool {
		f.NoOptDefVal = "true"
	}
}

//go:embed help.txt
var helpText string

var helpEntry = regexp.MustCompile(`(?m)^([a-z_. ]+)\n((?:  .*\n)+)`)

// helpTexts are the texts of the help by page and key.
var helpTexts = sync.OnceValue(func() map[string]string {
	texts := map[string]string{}
	for _, entry := range helpEntry.FindAllStringSubmatch(helpText, -1) {
		texts[entry[1]] = strings.Join(strings.Fields(entry[2]), " ")
	}
	return texts
})

// helpOf is what the flag of an option does.
func helpOf(page string, o document.Option) string {
	for _, key := range []string{page + " " + o.Key, o.Key} {
		if text, ok := helpTexts()[key]; ok {
			return fillIn(text, o)
		}
	}
	return o.Tag.Get("doc")
}

var blank = regexp.MustCompile(`\{[a-z ]+\}`)

// fillIn puts lists and numbers of the code into a text.
func fillIn(text string, o document.Option) string {
	return blank.ReplaceAllStringFunc(text, func(name string) string {
		if name == "{words}" {
			return either(o.Words())
		}
		return blanks[name]()
	})
}

var blanks = map[string]func() string{
	"{holders}":             func() string { return Extensions(dataio.HoldsVariables, "or") },
	"{encodings}":           func() string { return either(dataio.Encodings()) },
	"{tables}":              func() string { return vertexFormats },
	"{attributed}":          func() string { return Extensions(dataio.KeepsAttributes, "or") },
	"{graphs}":              func() string { return readableGraphs },
	"{writable}":            func() string { return WritableGraphs },
	"{matrices}":            func() string { return matrixFormats },
	"{kernels}":             kernelSpecs,
	"{large}":               number(learn.DefaultLargeFrom),
	"{sample}":              number(signals.SampleSize(1)),
	"{sampled}":             number(signals.SampledAll),
	"{confidence vertices}": number(nervure.ConfidenceVertices),
	"{confidence values}":   number(nervure.ConfidenceValues),
	"{dense pairs}":         number(assess.MostDensePairs),
	"{field values}":        number(nervure.FieldConfidenceValues),
	"{field vertices}":      number(nervure.FieldConfidenceVertices),
	"{large values}":        number(nervure.LargeConfidenceValues),
}

func number(n int) func() string { return func() string { return words.Thousands(n) } }

// completerOf is how shells complete what a tag names: files, methods, kernels, or else words.
func completerOf(name string) cobra.CompletionFunc {
	switch name {
	case "graphs":
		return GraphFiles
	case "vertices":
		return vertexFiles
	case "methods":
		return cobra.FixedCompletions(namesOf(LearnMethods()), cobra.ShellCompDirectiveNoFileComp)
	case "method list":
		return cobra.FixedCompletions(methodNames(), cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)
	case "kernels":
		return kernelCompletions(kernelsAuto, kernelsFree)
	}
	return cobra.FixedCompletions(strings.Split(name, ","), cobra.ShellCompDirectiveNoFileComp)
}

// A setFlag sets any key of a run that applies to a command.
type setFlag struct {
	run     *document.Run
	applies func(document.Option) bool
	begun   map[string]bool // lists, whose first value takes the place of those that were there
	typed   []string
}

// defineSet defines the flag for all keys of a run.
func defineSet(s *pflag.FlagSet, r *document.Run, applies func(document.Option) bool) *setFlag {
	f := &setFlag{run: r, applies: applies, begun: map[string]bool{}}
	s.Var(f, "set", "`KEY=VALUE` for any key of the run document, such as prepare.scale=no (repeatable; docs/reference.md lists the keys)")
	return f
}

func (f *setFlag) Type() string { return "stringArray" }

func (f *setFlag) String() string { return "" }

func (f *setFlag) GetSlice() []string { return f.typed }

func (f *setFlag) Append(text string) error { return f.Set(text) }

func (f *setFlag) Replace([]string) error { return errors.ErrUnsupported }

func (f *setFlag) Set(text string) error {
	key, value, ok := strings.Cut(text, "=")
	if !ok {
		return errors.New("want KEY=VALUE, such as prepare.scale=no")
	}
	o, known := document.OptionAt(key)
	if known && !f.applies(o) {
		return errors.New(key + " does not apply to this command")
	}
	if known && o.IsList() && !f.begun[key] {
		f.begun[key] = true
		o.Clear(f.run)
	}
	f.typed = append(f.typed, text)
	return f.run.SetKey(key, value)
}

// complete suggests keys, and then the words that they take.
func (f *setFlag) complete(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var found []cobra.Completion
	key, _, isValue := strings.Cut(typed, "=")
	for _, o := range document.Options() {
		if !f.applies(o) || isValue && o.Key != key {
			continue
		}
		if !isValue {
			found = append(found, o.Key+"=")
			continue
		}
		list := o.Words()
		if name := o.Tag.Get("complete"); list == nil && name != "" {
			if more, how := completerOf(name)(nil, nil, ""); how != cobra.ShellCompDirectiveFilterFileExt { // or the ends of files
				list = more
			}
		}
		for _, word := range list {
			found = append(found, o.Key+"="+word)
		}
	}
	if isValue {
		return found, cobra.ShellCompDirectiveNoFileComp
	}
	return found, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeSet lets shells complete the flag for all keys.
func completeSet(cmd *cobra.Command) {
	if f, ok := cmd.Flag("set").Value.(*setFlag); ok {
		mustComplete(cmd, "set", f.complete)
	}
}

// learns reports whether a key is about learning a graph, of signals that are named elsewhere.
func learns(o document.Option) bool {
	onlyCompared := o.Heading("group") == "-" && o.Heading("compare") != "" && o.Heading("compare") != "-"
	return o.Key != "version" && o.Key != "read.files" && !onlyCompared && !strings.HasPrefix(o.Key, "compare.")
}
