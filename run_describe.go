package nervure

import (
	"errors"
	"reflect"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/method"
)

// Run returns the document of the options: [OptionsOf] returns the same options. Options that
// have no document are an error: a method that cannot be asked for by name, fields of a method that
// no document has, and kernels that are not what their names say. What is known of the graph is named by its
// hash. Threads are no part of it.
func (o Options) Run() (*document.Run, error) {
	r := &document.Run{
		Version: document.RunVersion,
		Prepare: document.RunPrepare{
			BadSensors: string(o.BadSensors), Log: o.Prepare.Log, LogOffset: o.Prepare.LogOffset, Season: string(o.Prepare.Season), Periods: o.Prepare.Periods,
			Detrend: string(o.Prepare.Detrend), Difference: string(o.Prepare.Difference), Center: string(o.Prepare.Center), Scale: string(o.Prepare.Scale),
			CommonMode: commonModeWords[o.Prepare.CommonMode],
		},
		Cut:  document.RunCut{Rule: o.Cut.Rule, Edges: o.Cut.Edges, Threshold: o.Cut.Threshold},
		Seed: o.Seed, Sample: o.Sample, AllSignals: o.AllSignals,
		Check: document.RunCheck{Structure: string(o.Structure), Confidence: string(o.Confidence), Block: o.Block},
	}
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
