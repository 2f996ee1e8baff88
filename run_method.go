package nervure

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// The methods of one model, which has options besides parameters: ours, and the paper's.
var (
	sparseName  = learn.Sparse{}.Name()
	mareticName = string(learn.Maretic2017)
)

// askedMethod returns the method that a document asks for, and the kernels that are not part
// of it.
func askedMethod(r *document.Run) (method.Method, []kernel.Kernel, error) {
	name, err := methodName(r)
	if err != nil || name == "" {
		return nil, nil, err
	}
	choice, err := askedKernels(r.Kernels)
	if err != nil {
		return nil, nil, err
	}
	if name == sparseName || name == mareticName {
		m, err := askedSparse(r, name, choice)
		return m, nil, err
	}
	entry, _ := MethodByName(name)
	if choice.asked && choice.learned() {
		return nil, nil, needsKernels(name)
	}
	text := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(r.Method.Params)) {
		text[key] = strconv.FormatFloat(r.Method.Params[key], 'g', -1, 64)
	}
	m, err := entry.WithParams(text)
	if fault := input.Find(err); fault != nil {
		return nil, nil, faultf("`method.params` %q: %s", string(fault.Field)+"="+text[string(fault.Field)], fault.Msg)
	}
	return m, choice.kernels, err
}

// methodName returns the name of the method that a document asks for, "" if it is left to
// be chosen, and refuses what that has no use for.
func methodName(r *document.Run) (string, error) {
	name := r.Method.Name
	ofModel := []struct {
		key string
		set bool
	}{
		{"method.sparsity", r.Method.Sparsity > 0},
		{"method.coder", r.Method.Coder != ""},
		{"method.rounds", r.Method.Rounds > 0},
		{"write.codes", r.Write.Codes != ""},
		{"known.allow", r.Known.Allow != ""},
		{"known.forbid", r.Known.Forbid != ""},
		{"known.init", r.Known.Init != ""},
		{"known.prior", r.Known.Prior != ""},
		{"known.prior_weight", r.Known.PriorWeight > 0},
	}
	ofKernels := []struct {
		key string
		set bool
	}{
		{"kernels.given", len(r.Kernels.Given) > 0},
		{"kernels.degree", r.Kernels.Degree > 0},
		{"kernels.approximation", r.Kernels.Approximation != ""},
	}
	auto := autoEntry.Name()
	entry, known := MethodByName(cmp.Or(name, auto))
	if !known && name != mareticName {
		return "", faultf("`method.name` %q: unknown method; want %s", name, words.List(append([]string{auto}, namesOf(Methods())...), "or"))
	}
	for _, o := range slices.Concat(ofModel, ofKernels) {
		if o.set && name == "" {
			name = sparseName // it is the model that has them
		}
	}
	switch {
	case len(r.Method.Params) > 0 && (name == "" || name == auto || name == sparseName):
		return "", faultf("`method.params` needs `method.name` NAME with another method than %s, which has its own options", sparseName)
	case name == sparseName:
		return name, nil
	case name == mareticName:
		if r.Known.Prior != "" {
			return "", faultf("`known.prior` applies only to `method.name` %s; `known.init` works with both", sparseName)
		}
		return name, nil
	}
	for _, o := range ofModel {
		if o.set && !(o.key == "write.codes" && name == auto) {
			return "", faultf("`%s` applies only to `method.name` %s", o.key, sparseName)
		}
	}
	for _, o := range ofKernels {
		if o.set && !entry.Has(method.UsesKernels) {
			return "", faultf("`%s` applies only to `method.name` %s", o.key, words.List(kernelMethods(), "or"))
		}
	}
	if r.Write.Laplacian != "" && entry.Has(method.DirectedEdges) {
		return "", faultf("`write.laplacian` applies to undirected graphs, and `method.name` %s learns a directed one", name)
	}
	return name, nil
}

// kernelMethods lists the methods that use kernels.
func kernelMethods() []string {
	return namesOf(slices.DeleteFunc(Methods(), func(e method.Entry) bool { return !e.Has(method.UsesKernels) }))
}

func namesOf(entries []method.Entry) []string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// askedSparse returns the method of sparse sums that a document asks for.
func askedSparse(r *document.Run, name string, choice kernelChoice) (method.Method, error) {
	m := learn.Sparse{
		Model:   learn.Model{Kernels: choice.kernels, Sparsity: r.Method.Sparsity},
		Options: learn.Options{Coder: sparse.Method(r.Method.Coder), Rounds: r.Method.Rounds},
	}
	if choice.asked {
		m.Options.Kernels, m.Options.KernelCount, m.Options.KernelDegree = choice.learning, choice.count, choice.degree
	}
	if coders := sparse.Methods(); r.Method.Coder != "" && !slices.Contains(coders, m.Options.Coder) {
		return nil, faultf("`method.coder` %q: want one of %v", r.Method.Coder, coders)
	}
	if name == sparseName {
		return m, nil
	}
	m.Options.Recipe = learn.Maretic2017
	for key, value := range r.Method.Params {
		switch key {
		case "step":
			m.Options.StepSize = value
		case "decay":
			m.Options.StepDecay = value
		case "beta":
			m.Options.EdgePenalty = value
		case "no-penalty":
			if value > 0 {
				m.Options.EdgePenalty = -1
			}
		default:
			return nil, faultf("`method.params`: method %s has no parameter %q; it has step, decay, beta, no-penalty", name, key)
		}
	}
	return m, nil
}

// A kernelChoice is kernels and what is to be learned of them.
type kernelChoice struct {
	asked    bool            // anything is said of kernels
	kernels  []kernel.Kernel // given, or to begin with
	learning learn.KernelLearning
	count    int // of free ones, 0 if it is to be found
	degree   int // of free ones, 0 if it was not given
}

// learned reports whether the kernels are to be learned, which only sparse can.
func (c kernelChoice) learned() bool {
	return c.learning == learn.KernelsScaled || c.learning == learn.KernelsFree
}

func needsKernels(name string) error {
	return faultf("`kernels.given`: %s does not learn kernels: give them, such as heat:2", name)
}

// defaultDegree is that of kernels of known families.
const defaultDegree = 15

// What may stand among kernels besides specifications.
const (
	autoKernels = string(learn.KernelsAuto)
	freeKernels = string(learn.KernelsFree) // or free:S
)

func askedKernels(k document.RunKernels) (kernelChoice, error) {
	c := kernelChoice{asked: len(k.Given) > 0 || k.Degree > 0 || k.Approximation != ""}
	if !c.asked {
		return c, nil
	}
	isAuto := func(spec string) bool { return spec == autoKernels }
	specs := slices.DeleteFunc(slices.Clone(k.Given), isAuto)
	switch auto := slices.ContainsFunc(k.Given, isAuto); {
	case len(specs) == 0:
		specs, c.learning = kernel.PaperSpecs(), learn.KernelsAuto
	case auto:
		c.learning = learn.KernelsScaled
	default:
		c.learning = learn.KernelsGiven
	}
	for _, spec := range specs {
		if word, number, counted := strings.Cut(spec, ":"); word == freeKernels {
			return freePolynomials(k, number, counted)
		}
	}
	for _, spec := range specs {
		parsed, err := kernel.Parse(spec, cmp.Or(k.Degree, defaultDegree), cmp.Or(kernel.Approximation(k.Approximation), kernel.Taylor))
		if family, _, _ := strings.Cut(spec, ":"); !slices.ContainsFunc(kernel.Families(), func(f kernel.Family) bool { return f.Name == family }) {
			var usages []string
			for _, f := range kernel.Families() {
				usages = append(usages, f.Usage())
			}
			return c, faultf("`kernels.given` %q: unknown kernel; want %s", spec, words.List(usages, "or"))
		}
		if err != nil {
			return c, faultf("`kernels.given`: %s", err)
		}
		c.kernels = append(c.kernels, parsed)
	}
	return c, nil
}

// freePolynomials understands free and free:S.
func freePolynomials(k document.RunKernels, number string, counted bool) (kernelChoice, error) {
	c := kernelChoice{asked: true, learning: learn.KernelsFree, degree: k.Degree}
	switch {
	case len(k.Given) > 1:
		return c, faultf("`kernels.given` free cannot be combined with other kernels; to learn the scales of given kernels, add `kernels.given` auto")
	case k.Approximation != "":
		return c, faultf("`kernels.approximation` applies only to kernels of known families: free polynomials approximate nothing")
	case counted:
		var err error
		if c.count, err = strconv.Atoi(number); err != nil || c.count < 1 {
			return c, faultf("`kernels.given` free:%s: want an integer of at least 1", number)
		}
	}
	return c, nil
}

// askedMethods returns the methods that a document compares, and the kernels for them.
func askedMethods(r *document.Run) ([]method.Method, []kernel.Kernel, error) {
	all := namesOf(Methods())
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
		names = all
	}
	choice, err := askedKernels(r.Kernels)
	if err != nil {
		return nil, nil, err
	}
	for _, useless := range []struct {
		key   string
		set   bool
		users []string
	}{
		{"method.sparsity", r.Method.Sparsity > 0, []string{sparseName}},
		{"kernels.given", choice.asked, kernelMethods()},
	} {
		if useless.set && !slices.ContainsFunc(useless.users, func(m string) bool { return slices.Contains(names, m) }) {
			return nil, nil, faultf("`%s` applies only to %s, which `compare.methods` does not include", useless.key, words.List(useless.users, "or"))
		}
	}
	var methods []method.Method
	for _, name := range names {
		entry, _ := MethodByName(name)
		m := entry.Default
		switch {
		case name == sparseName:
			if m, err = askedSparse(r, name, choice); err != nil {
				return nil, nil, err
			}
		case entry.Has(method.UsesKernels) && choice.learned():
			m = withoutKernels{m}
		}
		methods = append(methods, m)
	}
	return methods, choice.kernels, nil
}

// withoutKernels is a method that needs kernels where they are only to be learned:
// a row of the comparison that says so.
type withoutKernels struct{ method.Method }

func (m withoutKernels) Learn(context.Context, method.Problem) (*method.Result, error) {
	return nil, input.Errorf(m.Name(), input.Kernels, "%s does not learn kernels: give them, such as heat:2", m.Name())
}
