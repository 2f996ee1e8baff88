package nervure

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
)

// OptionsOf returns what a document asks [Learn] for. The graphs that it names as known are
// files, and are left for the caller to read; so are the signals: see
// [document.RunRead.Options]. A document that makes no sense is an *input.Error whose
// sentence has the keys of the document in backquotes.
func OptionsOf(r *document.Run) (Options, error) {
	if err := r.Validate(); err != nil {
		return Options{}, err
	}
	limit, _, err := r.Limit()
	if err != nil {
		return Options{}, err
	}
	o := Options{Prepare: askedPreparation(r.Prepare), Cut: r.Cut.Cut(), TimeLimit: limit}
	copyNamed(&o, *r, r.Prepare, r.Check, r.Cut)
	o.AllSignals = r.AllSignals || r.Write.Codes != "" // codes are of every signal
	o.Method, o.Kernels, err = askedMethod(r)
	return o, err
}

// CompareOptionsOf returns what a document asks [Compare] for, without the true graph. See
// [OptionsOf].
func CompareOptionsOf(r *document.Run) (CompareOptions, error) {
	if err := r.Validate(); err != nil {
		return CompareOptions{}, err
	}
	limit, none, err := r.Limit()
	if err != nil {
		return CompareOptions{}, err
	}
	o := CompareOptions{Prepare: askedPreparation(r.Prepare), Cut: r.Cut.Cut(), TimeLimit: limit, NoTimeLimit: none}
	copyNamed(&o, *r, r.Prepare, *r.Compare)
	o.Timely = len(r.Compare.Methods) == 0
	o.Methods, o.Kernels, err = askedMethods(r)
	return o, err
}

// The common mode is removed or kept; other choices are yes or no.
var commonModeWords = map[prepare.Choice]string{prepare.Auto: string(prepare.Auto), prepare.Yes: "remove", prepare.No: "keep"}

// copyNamed sets the fields of a struct that are called like fields of the others, and can hold their
// values: what a document says of an option, and what the library takes for it, differ in their type at most.
func copyNamed(to any, from ...any) {
	target := reflect.ValueOf(to).Elem()
	for _, source := range from {
		for field, value := range reflect.ValueOf(source).Fields() {
			own := target.FieldByName(field.Name)
			if own.IsValid() && own.Kind() == value.Kind() && value.CanConvert(own.Type()) {
				own.Set(value.Convert(own.Type()))
			}
		}
	}
}

func askedPreparation(p document.RunPrepare) prepare.Options {
	var o prepare.Options
	copyNamed(&o, p)
	o.Log = p.Log || p.LogOffset != 0
	for choice, word := range commonModeWords {
		if word == p.CommonMode {
			o.CommonMode = choice
		}
	}
	if len(o.Periods) > 0 {
		o.Season = cmp.Or(o.Season, Yes)
	}
	return o
}

// faultf returns an error about a document, with keys in backquotes.
func faultf(format string, args ...any) error {
	return input.Completef("nervure", "run", format, args...)
}

// A modelled method has kernels and options besides its parameters, and takes them from a
// document by itself.
type modelled interface {
	method.Method
	WithRun(r *document.Run) (method.Method, error)
	Describe(r *document.Run)
}

// askedMethod returns the method that a document asks for, and the kernels that are not part
// of it. It is nil if the choice is left to [Learn].
func askedMethod(r *document.Run) (method.Method, []kernel.Kernel, error) {
	entry, err := askedEntry(r)
	if err != nil || entry.Default == nil {
		return nil, nil, err
	}
	text := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(r.Method.Params)) {
		text[key] = strconv.FormatFloat(r.Method.Params[key], 'g', -1, 64)
	}
	m, err := entry.WithParams(text)
	if fault := input.Find(err); fault != nil {
		return nil, nil, faultf("`method.params` %q: %s", string(fault.Field)+"="+text[string(fault.Field)], fault.Msg)
	}
	if own, ok := m.(modelled); ok {
		m, err = own.WithRun(r)
		return m, nil, err
	}
	kernels, learned, _, err := r.Kernels.Kernels()
	own, ok := m.(fieldMethod)
	switch toLearn := err == nil && (learned == "scales" || learned == "free"); {
	case toLearn && ok:
		err = faultf("`kernels.given`: %s chooses an order or heat by held-out signals, and learns no other kernel: give one of matern:ALPHA, heat:TAU and auto", entry.Name())
	case toLearn:
		err = faultf("`kernels.given`: %s", learnsNoKernels(entry.Name()))
	}
	if ok && err == nil && learned == "auto" {
		return own, nil, nil // it finds out its kernel by itself
	} else if ok && err == nil && kernels != nil {
		if m, err = own.WithKernels(kernels); err != nil {
			err = faultf("`kernels.given`: %s", input.Find(err).Msg)
		}
		return m, nil, err
	}
	return m, kernels, err
}

func learnsNoKernels(name string) string {
	return name + " does not learn kernels: give them, such as heat:2"
}

// A demand is a key that only some methods have a use for.
type demand struct {
	key   string
	made  bool // the key is set
	users []string
}

// demands lists the keys that only some methods have a use for.
func demands(r *document.Run) []demand {
	withModel := namesOf(func(e method.Entry) bool { _, ok := e.Default.(modelled); return ok })
	withKernels, withKnown := namesOf(uses(method.UsesKernels)), namesOf(uses(method.UsesKnown))
	givenTo := namesOf(func(e method.Entry) bool { _, ok := e.Default.(fieldMethod); return ok || e.Has(method.UsesKernels) })
	return []demand{
		{"method.sparsity", r.Method.Sparsity > 0, withModel},
		{"method.coder", r.Method.Coder != "", withModel},
		{"method.rounds", r.Method.Rounds > 0, withModel},
		{"write.codes", r.Write.Codes != "", withModel},
		{"known.allow", r.Known.Allow != "", withKnown},
		{"known.forbid", r.Known.Forbid != "", withKnown},
		{"known.init", r.Known.Init != "", withKnown},
		{"known.prior", r.Known.Prior != "", withKnown},
		{"kernels.given", len(r.Kernels.Given) > 0, givenTo},
		{"kernels.degree", r.Kernels.Degree > 0, withKernels},
		{"kernels.approximation", r.Kernels.Approximation != "", withKernels},
	}
}

func uses(c method.Capability) func(method.Entry) bool {
	return func(e method.Entry) bool { return e.Has(c) }
}

// namesOf lists the methods that some condition holds for.
func namesOf(condition func(method.Entry) bool) []string {
	var names []string
	for _, e := range Methods() {
		if condition(e) {
			names = append(names, e.Name())
		}
	}
	return names
}

// askedEntry returns the method that a document asks for by name, or by what only the sparse
// method has; without both it is empty. What the method has no use for is refused.
func askedEntry(r *document.Run) (method.Entry, error) {
	auto, sparse := AutoMethod{}.Name(), modelMethod
	name := r.Method.Name
	asked := demands(r)
	if name == "" && slices.ContainsFunc(asked, func(d demand) bool { return d.made }) {
		name = impliedMethod(r, asked)
	}
	entry, known := MethodByName(cmp.Or(name, auto))
	switch {
	case !known:
		return entry, faultf("`method.name` %q: unknown method; want %s", name, words.List(append([]string{auto}, namesOf(func(method.Entry) bool { return true })...), "or"))
	case len(r.Method.Params) > 0 && slices.Contains([]string{"", auto, sparse}, name):
		return entry, homelessParam(slices.Min(slices.Collect(maps.Keys(r.Method.Params))))
	case name == "":
		return method.Entry{}, nil
	case r.Write.Laplacian != "" && entry.Has(method.DirectedEdges):
		return entry, faultf("`write.laplacian` applies to undirected graphs, and `method.name` %s learns a directed one", name)
	}
	for _, d := range asked {
		if d.made && !slices.Contains(d.users, entry.Name()) && !(d.key == "write.codes" && name == auto) {
			return entry, faultf("`%s` applies only to `method.name` %s", d.key, words.List(d.users, "or"))
		}
	}
	return entry, nil
}

// homelessParam says which methods a parameter may be meant for, where none that has parameters is named.
func homelessParam(param string) error {
	having := namesOf(func(e method.Entry) bool {
		return slices.ContainsFunc(e.Params(), func(p method.Param) bool { return p.Name == param })
	})
	if len(having) == 0 {
		return faultf("`method.params` %q: no method has this parameter", param)
	}
	return faultf("`method.params` %q needs `method.name` %s", param, words.List(having, "or"))
}

// impliedMethod returns the name of the method for a document that names none: the sparse one,
// or that of fields if all it asks for are kernels that only fields have.
func impliedMethod(r *document.Run, asked []demand) string {
	others := slices.ContainsFunc(asked, func(d demand) bool { return d.made && d.key != "kernels.given" })
	kernels, _, _, err := r.Kernels.Kernels()
	if err == nil && !others && areOfFields(kernels) {
		return methodFor(Options{Kernels: kernels}).Name()
	}
	return modelMethod
}

// askedMethods returns the methods that a document compares, and the kernels for them.
func askedMethods(r *document.Run) ([]method.Method, []kernel.Kernel, error) {
	all := namesOf(func(method.Entry) bool { return true })
	names := r.Compare.Methods
	for k, name := range names {
		switch {
		case !slices.Contains(all, name):
			return nil, nil, faultf("`compare.methods` %q: unknown method; want %s", name, words.List(all, "or"))
		case slices.Contains(names[:k], name):
			return nil, nil, faultf("`compare.methods`: %s is given twice", name)
		}
	}
	if len(names) == 0 {
		for _, e := range comparedMethods() {
			names = append(names, e.Name())
		}
	}
	kernels, learned, _, err := r.Kernels.Kernels()
	ofFields := err == nil && areOfFields(kernels)
	for _, d := range demands(r) {
		if d.key == "kernels.given" && !ofFields {
			d.users = namesOf(uses(method.UsesKernels)) // a field that is compared finds its own among others
		}
		if d.made && !slices.ContainsFunc(d.users, func(m string) bool { return slices.Contains(names, m) }) {
			return nil, nil, faultf("`%s` applies only to %s, which `compare.methods` does not include", d.key, words.List(d.users, "or"))
		}
	}
	if err != nil {
		return nil, nil, err
	}
	var methods []method.Method
	for _, name := range names {
		entry, _ := MethodByName(name)
		m := entry.Default
		if own, ok := m.(modelled); ok {
			if m, err = own.WithRun(r); err != nil {
				return nil, nil, err
			}
		} else if field, ok := m.(fieldMethod); ok && ofFields {
			if m, err = field.WithKernels(kernels); err != nil {
				return nil, nil, faultf("`kernels.given`: %s", input.Find(err).Msg)
			}
		} else if entry.Has(method.UsesKernels) && (learned == "scales" || learned == "free") {
			m = withoutKernels{m}
		}
		methods = append(methods, m)
	}
	return methods, kernels, nil
}

// withoutKernels is a method that needs kernels where they are only to be learned:
// a row of the comparison that says so.
type withoutKernels struct{ method.Method }

func (m withoutKernels) Learn(context.Context, method.Problem) (*method.Result, error) {
	return nil, input.Errorf(m.Name(), input.Kernels, "%s", learnsNoKernels(m.Name()))
}

// Run returns the document of the options: [OptionsOf] returns the same options. Options that
// have no document are an error: a method that cannot be asked for by name, fields of a method that
// no document has, and kernels that are not what their names say. What is known of the graph is named by its
// hash. Threads are no part of it.
func (o Options) Run() (*document.Run, error) {
	r := &document.Run{Version: document.RunVersion}
	copyNamed(&r.Prepare, o.Prepare, o)
	copyNamed(&r.Cut, o.Cut, o)
	copyNamed(&r.Check, o)
	r.Prepare.CommonMode = commonModeWords[o.Prepare.CommonMode]
	r.Seed, r.Sample, r.AllSignals = o.Seed, o.Sample, o.AllSignals
	if o.TimeLimit > 0 {
		r.TimeLimit = o.TimeLimit.String()
	}
	plain := describeMethod(r, o)
	asked := *r
	asked.Read.Files = []string{"-"} // any will do
	again, err := OptionsOf(&asked)
	if err != nil {
		return nil, err
	}
	plain.Threads = 0
	if !reflect.DeepEqual(plain, again) {
		return nil, errors.New("nervure: no document says the same as these options")
	}
	return r, nil
}

// describeMethod puts the method, the kernels and what is known into a document, and returns
// the options as [OptionsOf] would, if the document can say all of them.
func describeMethod(r *document.Run, o Options) Options {
	r.Known = document.RunKnown{
		Allow: addressOf(o.Known.Allow != nil, o.Known.Allow), Forbid: addressOf(o.Known.Forbid != nil, o.Known.Forbid),
		Init: addressOf(o.Known.Init != nil, o.Known.Init), Prior: addressOf(o.Known.Prior != nil, o.Known.Prior), PriorWeight: o.Known.PriorWeight,
	}
	if o.Method == nil && (o.Kernels != nil || !o.Known.IsEmpty()) {
		o.Method = methodFor(o)
	}
	o.Known = method.Known{}
	if o.Method == nil {
		return o
	}
	r.Method.Name = o.Method.Name()
	m, ok := o.Method.(modelled)
	describeParams(r, o.Method)
	if !ok {
		r.Kernels.SetKernels(o.Kernels, "given", 0)
		return o
	}
	if m.Describe(r); len(r.Kernels.Given) > 0 { // it has its own
		o.Kernels = nil
		return o
	}
	r.Kernels.SetKernels(o.Kernels, "given", 0)
	if same, _, _, err := r.Kernels.Kernels(); err == nil && o.Kernels != nil && reflect.DeepEqual(same, o.Kernels) {
		if made, err := m.WithRun(r); err == nil {
			o.Method, o.Kernels = made, nil // they are part of its model
		}
	}
	return o
}

// describeParams puts the parameters of a method into a document.
func describeParams(r *document.Run, m method.Method) {
	for _, v := range method.Values(m) {
		if v.Value != 0 {
			if r.Method.Params == nil {
				r.Method.Params = document.Params{}
			}
			r.Method.Params[v.Name] = v.Value
		}
	}
}

// addressOf names what is known by its content, "" if it is not there.
func addressOf(there bool, known any) string {
	if !there {
		return ""
	}
	return "sha256:" + checkpoint.Fingerprint(known)
}
