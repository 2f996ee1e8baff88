package nervure

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
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
		Cut:   document.RunCut{Rule: o.Cut.Rule, Edges: o.Cut.Edges, Threshold: o.Cut.Threshold},
		Seed:  o.Seed,
		Check: document.RunCheck{Structure: string(o.Structure), Confidence: string(o.Confidence), Block: o.Block},
	}
	if r.Sample = o.Sample; o.Sample == LearnFromAll {
		r.Sample, r.AllSignals = 0, true
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

// describeMethod puts the method and the kernels of options into a document, and returns the
// options as [OptionsOf] would, if the document can say all of them.
func describeMethod(r *document.Run, o Options) Options {
	switch m := o.Method.(type) {
	case nil:
		if o.Kernels == nil {
			return o
		}
		o.Method = learn.Sparse{Model: learn.Model{Kernels: o.Kernels}, Options: learn.Options{Kernels: learn.KernelsGiven}}
		o.Kernels = nil
	case *learn.Sparse:
		o.Method = *m
	}
	r.Method.Name = o.Method.Name()
	s, ok := o.Method.(learn.Sparse)
	if !ok {
		for _, v := range method.Values(o.Method) {
			if v.Value != 0 {
				if r.Method.Params == nil {
					r.Method.Params = document.Params{}
				}
				r.Method.Params[v.Name] = v.Value
			}
		}
		describeKernels(r, o.Kernels)
		return o
	}
	if s.Model.Kernels == nil && o.Kernels != nil {
		s.Model.Kernels = o.Kernels
	}
	o.Kernels = nil
	describeKernels(r, s.Model.Kernels)
	switch s.Options.Kernels {
	case "":
		if s.Model.Kernels != nil {
			s.Options.Kernels = learn.KernelsGiven
		}
	case learn.KernelsAuto, learn.KernelsScaled:
		r.Kernels.Given = append([]string{autoKernels}, r.Kernels.Given...)
	case learn.KernelsFree:
		r.Kernels.Given, r.Kernels.Degree = append(r.Kernels.Given, freeKernels), s.Options.KernelDegree
		if s.Options.KernelCount > 0 {
			r.Kernels.Given[0] = fmt.Sprintf("%s:%d", freeKernels, s.Options.KernelCount)
		}
	}
	r.Method.Sparsity, r.Method.Coder, r.Method.Rounds = s.Model.Sparsity, string(s.Options.Coder), s.Options.Rounds
	if s.Options.Recipe == learn.Maretic2017 {
		r.Method.Name = mareticName
		r.Method.Params = document.Params{}
		for name, value := range map[string]float64{"step": s.Options.StepSize, "decay": s.Options.StepDecay, "beta": max(s.Options.EdgePenalty, 0), "no-penalty": max(-s.Options.EdgePenalty, 0)} {
			if value > 0 {
				r.Method.Params[name] = value
			}
		}
	}
	r.Known = document.RunKnown{
		Allow: addressOf(s.Options.Allow != nil, s.Options.Allow), Forbid: addressOf(s.Options.Forbid != nil, s.Options.Forbid),
		Init: addressOf(s.Options.Init != nil, s.Options.Init), Prior: addressOf(s.Options.Prior != nil, s.Options.Prior), PriorWeight: s.Options.PriorWeight,
	}
	s.Options.Allow, s.Options.Forbid, s.Options.Init, s.Options.Prior, s.Options.PriorWeight = nil, nil, nil, nil, 0
	o.Method = s
	return o
}

// describeKernels puts kernels into a document. Those that no document can say are
// found when it is read again.
func describeKernels(r *document.Run, kernels []kernel.Kernel) {
	for _, k := range kernels {
		r.Kernels.Given = append(r.Kernels.Given, k.Name)
		if k.Family() != "" && k.Degree() != defaultDegree {
			r.Kernels.Degree = k.Degree()
		}
		if same, err := kernel.Parse(k.Name, k.Degree(), kernel.Chebyshev); err == nil && k.Family() != "" && reflect.DeepEqual(k, same) {
			r.Kernels.Approximation = string(kernel.Chebyshev)
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
