package house

import (
	"context"
	"go/types"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/groups"
	"github.com/nervure/nervure/gsp"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/model"
	"github.com/nervure/nervure/plan"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/report"
	"github.com/nervure/nervure/study"
)

// An optionsUse is a struct of options with what uses it.
type optionsUse struct {
	base any // the zero value but for what has no default
	use  func(ctx context.Context, o any) error
}

func useOf[O any](base O, use func(ctx context.Context, o O) error) optionsUse {
	return optionsUse{base, func(ctx context.Context, o any) error { return use(ctx, o.(O)) }}
}

// optionsUses has every struct of options that users fill in.
func optionsUses(t *testing.T) []optionsUse {
	t.Helper()
	y := checks.Chain(3, 6, 80)
	set := &nervure.Signals{Y: y, Names: graph.DefaultNames(6)}
	file := filepath.Join(t.TempDir(), "signals.csv")
	if err := dataio.WriteSignals(file, set); err != nil {
		t.Fatal(err)
	}
	result, err := baseline.Correlation{}.Learn(t.Context(), method.Problem{Y: y})
	if err != nil {
		t.Fatal(err)
	}
	analysis, err := nervure.Learn(t.Context(), set, nervure.Options{Method: baseline.Correlation{}})
	if err != nil {
		t.Fatal(err)
	}
	laplacian, err := gsp.New(result.Graph, gsp.Combinatorial)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := baseline.Tree{}.Learn(t.Context(), method.Problem{Y: y})
	if err != nil {
		t.Fatal(err)
	}
	learner := func(context.Context, *mat.Dense) (*graph.Graph, assess.SignalModel, error) {
		return result.Graph, nil, nil
	}
	return []optionsUse{
		useOf(nervure.Options{Method: baseline.Correlation{}}, func(ctx context.Context, o nervure.Options) error {
			_, err := nervure.Learn(ctx, set, o)
			return err
		}),
		useOf(nervure.CompareOptions{Methods: []method.Method{baseline.Correlation{}}}, func(ctx context.Context, o nervure.CompareOptions) error {
			_, err := nervure.Compare(ctx, set, o)
			return err
		}),
		useOf(study.WindowOptions{Window: study.Length{Observations: 40}, Learn: nervure.Options{Method: baseline.Correlation{}}}, func(ctx context.Context, o study.WindowOptions) error {
			_, err := study.LearnWindows(ctx, set, o)
			return err
		}),
		useOf(model.KernelOptions{}, func(ctx context.Context, o model.KernelOptions) error {
			_, err := model.LearnKernels(ctx, set, result.Graph, o)
			return err
		}),
		useOf(learn.KernelOptions{}, func(ctx context.Context, o learn.KernelOptions) error {
			for _, err := range learn.KernelSteps(ctx, result.Graph, y, o) {
				if err != nil {
					return err
				}
			}
			return nil
		}),
		useOf(learn.Options{}, func(ctx context.Context, o learn.Options) error {
			_, err := learn.Fit(ctx, y, learn.PaperModel(), o)
			return err
		}),
		useOf(prepare.Options{}, func(ctx context.Context, o prepare.Options) error {
			_, _, err := prepare.Signals(ctx, y, o)
			return err
		}),
		useOf(dataio.ReadOptions{}, func(_ context.Context, o dataio.ReadOptions) error {
			_, err := dataio.ReadSignals(file, o)
			return err
		}),
		useOf(report.Options{}, func(_ context.Context, o report.Options) error {
			return report.Write(io.Discard, analysis, o)
		}),
		useOf(groups.Options{}, func(ctx context.Context, o groups.Options) error {
			values, err := groups.OfRows(graph.DefaultNames(2), mat.NewDense(2, 8, []float64{1, -1, 1, -1, 2, -2, 1, -1, 1, 1, -1, -1, 1, 2, -1, -2}))
			if err != nil {
				return err
			}
			_, err = groups.Test(ctx, values, groups.Design{Groups: strings.Split("aaaabbbb", "")}, o)
			return err
		}),
		useOf(study.GroupOptions{Grouping: study.Grouping{By: "group"}, Learn: nervure.Options{Method: baseline.Correlation{}}}, func(ctx context.Context, o study.GroupOptions) error {
			_, m := set.Y.Dims()
			labelled := *set
			labelled.Labels = map[string][]string{"group": strings.Split(strings.Repeat("ab", m/2)+strings.Repeat("a", m%2), "")}
			_, err := study.LearnGroups(ctx, &labelled, o)
			return err
		}),
		useOf(assess.HeldOutOptions{}, func(ctx context.Context, o assess.HeldOutOptions) error {
			_, err := assess.HoldOut(ctx, y, learner, o)
			return err
		}),
		useOf(assess.StructureOptions{}, func(ctx context.Context, o assess.StructureOptions) error {
			_, err := assess.TestEdges(ctx, y, learner, o)
			return err
		}),
		useOf(assess.StabilityOptions{}, func(ctx context.Context, o assess.StabilityOptions) error {
			_, err := assess.FieldConfidence(ctx, y, result.Weights, result.Graph, nil, o)
			return err
		}),
		useOf(plan.Options{Learn: nervure.Options{Method: baseline.Correlation{}}}, func(ctx context.Context, o plan.Options) error {
			_, err := plan.FromPilot(ctx, set, o)
			return err
		}),
		useOf(gsp.FillOptions{}, func(ctx context.Context, o gsp.FillOptions) error {
			_, err := laplacian.Fill(ctx, y, o)
			return err
		}),
		useOf(gsp.DenoiseOptions{}, func(ctx context.Context, o gsp.DenoiseOptions) error {
			_, err := laplacian.Denoise(ctx, y, o)
			return err
		}),
		useOf(gsp.CombineOptions{}, func(ctx context.Context, o gsp.CombineOptions) error {
			_, err := gsp.Combine(ctx, []*graph.Graph{result.Graph, tree.Graph}, y, o)
			return err
		}),
	}
}

// passedOver are the fields whose numbers mean themselves, whatever their sign, or count
// only together with another field.
var passedOver = []string{"LogOffset", "Cut", "Known"}

// Zero means the default in every field of options, and nothing is said by a negative
// number: all, none and the like have fields of their own. What is negative is refused.
func TestZeroMeansTheDefaultInAllOptions(t *testing.T) {
	uses := optionsUses(t)
	for _, u := range uses {
		typ := reflect.TypeOf(u.base)
		if err := u.use(t.Context(), u.base); err != nil {
			t.Errorf("%s: the zero value is refused: %v", typ, err)
		}
		changed := reflect.New(typ).Elem()
		changed.Set(reflect.ValueOf(u.base))
		eachNumber(changed, typ.String(), func(place string, v reflect.Value) {
			before := reflect.ValueOf(v.Interface())
			if v.CanInt() {
				v.SetInt(-1)
			} else {
				v.SetFloat(-1)
			}
			if err := u.use(t.Context(), changed.Interface()); err == nil {
				t.Errorf("%s: -1 is not refused", place)
			}
			v.Set(before)
		})
	}
	for _, name := range optionsStructs(t) {
		if !slices.ContainsFunc(uses, func(u optionsUse) bool { return reflect.TypeOf(u.base).String() == name }) {
			t.Errorf("%s is not among the structs of this test", name)
		}
	}
}

// eachNumber visits the exported fields that can be negative, those of structs within
// included.
func eachNumber(v reflect.Value, place string, visit func(place string, v reflect.Value)) {
	switch {
	case v.Kind() == reflect.Struct:
		for field, value := range v.Fields() {
			if field.IsExported() && !slices.Contains(passedOver, field.Name) {
				eachNumber(value, place+"."+field.Name, visit)
			}
		}
	case v.CanInt() || v.CanFloat():
		visit(place, v)
	}
}

// optionsStructs lists the structs of public packages that are called options.
func optionsStructs(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, pkg := range publicPackages(t) {
		for _, name := range pkg.Scope().Names() {
			obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok || !obj.Exported() || obj.IsAlias() || !strings.HasSuffix(name, "Options") {
				continue
			}
			if _, ok := obj.Type().Underlying().(*types.Struct); ok {
				names = append(names, pkg.Name()+"."+name)
			}
		}
	}
	return names
}
