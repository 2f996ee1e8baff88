package arguments

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// What --kernel takes besides specifications where a graph is learned.
const (
	kernelsAuto = string(learn.KernelsAuto)
	kernelsFree = string(learn.KernelsFree) // or free:S
)

// Learn are the flags of learn: the run that they say, and how it is carried out.
type Learn struct {
	run document.Run
	Session

	recipe string // "" if not given
	step   string
	beta   *float64
}

// Define adds the flags to a command.
func (f *Learn) Define(cmd *cobra.Command) {
	f.defineLearning(cmd, learns)
	f.defineOutput(cmd)
}

// defineLearning defines the flags that say how to learn.
func (f *Learn) defineLearning(cmd *cobra.Command, applies func(document.Option) bool) {
	r := &f.run
	for _, heading := range []string{"Signals", "Preprocessing", "Model", "Prior knowledge"} {
		defineOptions(cmd, "learn", heading, r, nil)
	}
	f.step = r.Windows.Step
	defineOptions(cmd, "learn", "Learning", r, map[string]func(*pflag.FlagSet){
		"method.params": func(s *pflag.FlagSet) {
			s.Var(boundTo(&f.recipe, defaultRecipe, PaperMethod), "recipe", "deprecated: use --method sparse (for default) or --method maretic2017 (for maretic2017)")
		},
		"method.rounds": func(s *pflag.FlagSet) {
			s.Var(stepFlag{&f.step}, "step", "with --window, distance between the starts of consecutive windows (default: the window); with --method maretic2017, initial step size (default: tuned)")
			s.Var(boundFunc{"X", func() string { return "" }, func(text string) error {
				f.beta = new(float64)
				return notNegative(f.beta).Set(text)
			}}, "beta", "edge penalty of --method maretic2017 (default: tuned)")
		},
		"seed": func(s *pflag.FlagSet) { defineThreads(s, &f.Threads, "the result") },
		"":     func(s *pflag.FlagSet) { defineSet(s, r, applies) },
	})
	defineOptions(cmd, "learn", "Confidence", r, nil)
	completeSet(cmd)
	completeWords(cmd, "threshold", auto)
}

// A stepFlag takes the step between windows, or the step size of a recipe: which it is,
// other flags say.
type stepFlag struct{ to *string }

func (f stepFlag) Type() string { return "X" }

func (f stepFlag) String() string { return *f.to }

func (f stepFlag) Set(text string) error {
	if _, _, err := words.ParseLength(text); err != nil && document.CheckPositive(text) != nil {
		return errors.New("want a positive number or, with --window, a span of time such as 1d")
	}
	*f.to = text
	return nil
}

// defineOutput defines the flags that say what to write and show.
func (f *Learn) defineOutput(cmd *cobra.Command) {
	defineOptions(cmd, "learn", "Output", &f.run, map[string]func(*pflag.FlagSet){
		"": func(s *pflag.FlagSet) { f.defineShowing(s, "round", "the graph") },
	})
	defineOptions(cmd, "learn", "Windows", &f.run, nil)
	defineOptions(cmd, "learn", "Groups", &f.run, nil)
	f.defineLongRuns(cmd)
}

// Document returns the run that was asked for, with what stands for others in it.
func (f *Learn) Document(files ...string) (document.Run, error) {
	r := f.run
	r.Version, r.Read.Files = document.RunVersion, files
	maretic, sparse := PaperMethod, SparseMethod
	switch {
	case f.recipe != "" && r.Method.Name != "" && r.Method.Name != sparse && r.Method.Name != maretic:
		return r, Misuse("--recipe applies only to --method %s", sparse)
	case f.recipe == maretic:
		r.Method.Name = maretic
	case f.recipe != "":
		r.Method.Name = cmp.Or(r.Method.Name, sparse)
	}
	size := f.step != "" && r.Windows.Window == "" && r.Windows.Dir == ""
	for _, flag := range []struct {
		name string
		set  bool
	}{{"step", size}, {"beta", f.beta != nil}} {
		switch {
		case !flag.set || r.Method.Name == maretic:
		case r.Method.Name == "" || r.Method.Name == sparse:
			return r, Misuse("--%s applies only to --method %s", flag.name, maretic)
		default:
			return r, Misuse("--%s applies only to --method %s", flag.name, sparse)
		}
	}
	params := document.Params{}
	if size {
		step, err := strconv.ParseFloat(f.step, 64)
		if err != nil {
			return r, Misuse("--step %q: want a positive number; a step between windows needs --window", f.step)
		}
		params["step"] = step
	} else if f.step != "" {
		if _, _, err := words.ParseLength(f.step); err != nil {
			return r, Misuse("--step %q: want a number of observations or a span of time such as 1d", f.step)
		}
		r.Windows.Step = f.step
	}
	switch {
	case f.beta == nil:
	case *f.beta == 0:
		params["no-penalty"] = 1
	default:
		params["beta"] = *f.beta
	}
	for key, value := range r.Method.Params {
		if _, twice := params[key]; twice {
			return r, Misuse("--%s and --param %s cannot be used together", key, key)
		}
		params[key] = value
	}
	if len(params) > 0 {
		r.Method.Params = params
	}
	return r, nil
}

// defaultRecipe is what --recipe called the algorithm of sparse.
const defaultRecipe = "default"

// RecipeNote tells people what to write instead of --recipe, if they used it.
func (f *Learn) RecipeNote() string {
	method := f.recipe
	if method == "" {
		return ""
	}
	if method == defaultRecipe {
		method = SparseMethod
	}
	return fmt.Sprintf("note: --recipe %s will be removed: use --method %s", f.recipe, method)
}

// Compare are the flags of compare: the comparison that they say, and how it is
// carried out.
type Compare struct {
	run document.Run
	Session
}

// Define adds the flags to a command.
func (f *Compare) Define(cmd *cobra.Command) {
	r := &f.run
	if r.Compare == nil {
		r.Compare = &document.RunCompare{}
	}
	defineOptions(cmd, "compare", "Signals", r, nil)
	defineOptions(cmd, "compare", "Preprocessing", r, nil)
	defineOptions(cmd, "compare", "Learning", r, map[string]func(*pflag.FlagSet){
		"seed": func(s *pflag.FlagSet) { defineThreads(s, &f.Threads, "the graphs") },
		"": func(s *pflag.FlagSet) {
			defineSet(s, r, func(o document.Option) bool {
				return o.Heading("compare") != "" && o.Key != "version" && o.Key != "read.files"
			})
		},
	})
	defineOptions(cmd, "compare", "Output", r, map[string]func(*pflag.FlagSet){
		"": func(s *pflag.FlagSet) { f.defineShowing(s, "method", "the graphs") },
	})
	f.Cluster.defineCoordinator(cmd)
	completeSet(cmd)
}

// Document returns the comparison that was asked for.
func (f *Compare) Document(set *pflag.FlagSet, file string) (document.Run, error) {
	r := f.run
	r.Version, r.Read.Files = document.RunVersion, []string{file}
	if set.Changed("methods") && len(r.Compare.Methods) == 0 {
		return r, Misuse("--methods needs at least one of %s", strings.Join(methodNames(), ", "))
	}
	return r, nil
}

// SparseMethod is the method that the flags of learn are mostly about.
var SparseMethod = learn.Sparse{}.Name()

// PaperMethod is the paper's algorithm for the same model.
var PaperMethod = learn.Maretic2017{}.Name()

// methodNames lists the methods, our own first.
func methodNames() []string { return namesOf(nervure.Methods()) }

// LearnMethods lists what --method of learn takes: the choice among methods, and all
// of them.
func LearnMethods() []method.Entry {
	auto, _ := nervure.MethodByName(AutoMethod)
	return append([]method.Entry{auto}, nervure.Methods()...)
}

// AutoMethod is the name of the automatic choice.
var AutoMethod = nervure.AutoMethod{}.Name()

func namesOf(entries []method.Entry) []string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
