package study

import (
	"context"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/inputs"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
)

// One study, one model: what is left open is chosen once and learned by for every file, so that
// graphs differ because subjects do. Most is chosen from the stacked signals of all, which have the
// evidence of all. What cannot be seen there is decided by the majority of files, each by itself:
// cycles, whose phases differ from file to file, levels, which standardising takes away, and whether
// signals are sums of few patterns, which those of different graphs on one stack are not.

const (
	// mostVoters is how many files at most are learned by themselves for the choice of a model.
	mostVoters = 9
	// votersVertices is the number of vertices from which on there is no need for it: whether signals
	// are sums of few patterns then shows in any one of them.
	votersVertices = 500
	// samePeriod is the share by which the lengths of a cycle differ at most from file to file.
	samePeriod = 0.03
)

// A union is what came of learning all files together.
type union struct {
	Model *document.StudyModel `json:"model,omitempty"` // nil if there is none
	Apart string               `json:"apart,omitempty"` // why there is none
	Notes map[string]string    `json:"notes,omitempty"` // about files whose vertices differ
}

// A chooser finds the model of a study.
type chooser struct {
	run  document.Run // what was asked for, and then chosen
	open inputs.Opener
	list []stretch

	because string // why the method was chosen before all were learned from
}

// learnTogether learns the graph of all files, and what to learn each of them by.
func (a learnArgs) learnTogether(ctx context.Context, open inputs.Opener) (*nervure.Analysis, *union, error) {
	read, err := inputs.ReadOptions(a.Run.Read, open)
	if err != nil {
		return nil, nil, err
	}
	list := a.readStretches(read, open)
	if len(list) < 2 {
		return nil, &union{}, nil // there is nothing to choose together
	}
	common, notes := commonVertices(list)
	u := &union{Notes: notes}
	if len(common) < leastCommon {
		u.Apart = fmt.Sprintf("the files have only %s in common", words.Plural(len(common), "vertex"))
		return nil, u, nil
	}
	list = spacedStretches(list, stackedRows/leastStretch)
	for k, s := range list {
		list[k] = s.restricted(common)
	}
	c := &chooser{run: a.Run, open: open, list: list}
	analysis, err := c.choose(ctx)
	if err != nil {
		return nil, nil, err
	}
	u.Model = &document.StudyModel{
		Files: len(list), Vertices: len(common), Signals: analysis.Signals(),
		Prepare: c.run.Prepare, Method: c.run.Method, Kernels: c.run.Kernels,
	}
	switch {
	case analysis.Choice != nil:
		u.Model.Because = analysis.Choice.Because()
	case isOpen(a.Run.Method.Name):
		u.Model.Because = c.because
	}
	return analysis, u, nil
}

// choose chooses what is open and learns the graph of all.
func (c *chooser) choose(ctx context.Context) (*nervure.Analysis, error) {
	options, err := inputs.Options(&c.run, c.list[0].names, c.open)
	if err == nil {
		err = c.chooseRows(ctx, options)
	}
	if err == nil {
		err = c.chooseCourse(ctx, options)
	}
	if err != nil {
		return nil, err
	}
	votes, err := c.vote(ctx, options)
	if err != nil {
		return nil, err
	}
	if 2*votes.sparse > votes.files && isOpen(c.run.Method.Name) {
		c.run.Method.Name = sparseMethod
		c.because = fmt.Sprintf("signals are likelier as sums of few patterns in %d of %s", votes.sparse, words.Plural(votes.files, "file"))
	}
	if model := votes.model(); model != nil && c.run.Method.Name == sparseMethod {
		c.takeSparse(model)
	}
	all, err := stacked(ctx, c.list)
	if err != nil {
		return nil, err
	}
	asked := c.run
	asked.Prepare = c.leftToPrepare()
	if options, err = inputs.Options(&asked, all.Names, c.open); err != nil {
		return nil, err
	}
	options.Threads = 1
	analysis, err := nervure.Learn(ctx, all, options)
	if err != nil {
		return nil, err
	}
	c.take(analysis)
	return analysis, nil
}

const sparseMethod = "sparse"

// isOpen reports whether a choice was left to the signals.
func isOpen(choice string) bool { return choice == "" || choice == string(prepare.Auto) }

// set sets a choice that was left open.
func set(choice *string, to string) {
	if isOpen(*choice) {
		*choice = to
	}
}

func yesOrNo(yes bool) string {
	if yes {
		return string(prepare.Yes)
	}
	return string(prepare.No)
}

// chooseRows says what rows are to each other, unless the method says so itself.
func (c *chooser) chooseRows(ctx context.Context, o nervure.Options) error {
	p := &c.run.Prepare
	inTime := o.Prepare.Difference == prepare.Yes || o.Prepare.Season == prepare.Yes || o.Prepare.Detrend == prepare.Yes
	switch {
	case !isOpen(p.Rows) || o.Method != nil && method.Has(o.Method, method.UsesOrder):
		return nil
	case inTime || slices.ContainsFunc(c.list, func(s stretch) bool { return s.timed }):
		p.Rows = string(prepare.RowsTime)
		return nil
	}
	all, err := stacked(ctx, c.list)
	if err != nil {
		return err
	}
	found, err := prepare.FindRows(ctx, all.Y, nil, prepare.RowsAuto)
	if err == nil {
		p.Rows = string(found.Rows)
	}
	return err
}

// chooseCourse chooses cycles, trends, means and scales as most files call for them, and prepares the
// stretches by that.
func (c *chooser) chooseCourse(ctx context.Context, o nervure.Options) error {
	asked := o.Prepare
	asked.Rows = prepare.Rows(c.run.Prepare.Rows)
	asked.CommonMode, asked.Scores = prepare.No, prepare.No
	var cycles [][]float64
	trends, centred, scaled, counted := 0, 0, 0, 0
	for _, s := range c.list {
		asked.Names = s.names
		_, report, err := prepare.Signals(ctx, s.y, asked)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		} else if err != nil {
			continue // its row of the index says why
		}
		counted++
		trends, centred, scaled = trends+one(report.Course.Trend), centred+one(report.Center.Done), scaled+one(report.Scale.Done)
		var periods []float64
		for _, cycle := range report.Course.Cycles {
			periods = append(periods, cycle.Period)
		}
		cycles = append(cycles, periods)
	}
	p := &c.run.Prepare
	if asked.Rows == prepare.RowsTime {
		set(&p.Detrend, yesOrNo(2*trends > counted))
		if len(p.Periods) == 0 && p.Season != string(prepare.No) {
			p.Periods = commonPeriods(cycles)
			p.Season = yesOrNo(len(p.Periods) > 0)
		}
	}
	set(&p.Center, yesOrNo(2*centred > counted))
	set(&p.Scale, yesOrNo(2*scaled > counted))
	return c.prepareStretches(ctx, o)
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// commonPeriods returns the periods that more than half of the files have, each as the median.
func commonPeriods(cycles [][]float64) []float64 {
	var common []float64
	near := func(p float64) []float64 {
		var list []float64
		for _, periods := range cycles {
			for _, q := range periods {
				if math.Abs(q-p) <= samePeriod*p {
					list = append(list, q)
					break
				}
			}
		}
		return list
	}
	for _, periods := range cycles {
		for _, p := range periods {
			known := slices.ContainsFunc(common, func(q float64) bool { return math.Abs(p-q) <= 2*samePeriod*q })
			if list := near(p); !known && 2*len(list) > len(cycles) {
				slices.Sort(list)
				common = append(common, list[len(list)/2])
			}
		}
	}
	slices.Sort(common)
	return common
}

// prepareStretches does to each stretch what is done in time: on the stack, where one file follows
// another, there would be steps.
func (c *chooser) prepareStretches(ctx context.Context, o nervure.Options) error {
	chosen := c.run
	chosen.Read.Files = chosen.Read.Files[:1]
	again, err := nervure.OptionsOf(&chosen)
	if err != nil {
		return err
	}
	p := again.Prepare
	p.Center, p.Scale, p.CommonMode, p.Scores = prepare.No, prepare.No, prepare.No, prepare.No
	if o.Prepare.Difference != prepare.Yes {
		p.Difference = prepare.No
	}
	var done []stretch
	var fault error
	for _, s := range c.list {
		p.Names = s.names
		z, _, err := prepare.Signals(ctx, s.y, p)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		} else if err != nil {
			fault = err
			continue
		}
		s.y = z
		done = append(done, s)
	}
	if c.list = done; len(done) < 2 {
		return fault
	}
	return nil
}

// leftToPrepare says what is still to be done to stretches that were prepared.
func (c *chooser) leftToPrepare() document.RunPrepare {
	p := c.run.Prepare
	p.Log, p.LogOffset, p.Periods, p.Center, p.Scale = false, 0, nil, "", ""
	p.Season, p.Detrend = string(prepare.No), string(prepare.No)
	if p.Difference == string(prepare.Yes) {
		p.Difference = string(prepare.No)
	}
	return p
}

// votes are what files say by themselves.
type votes struct {
	files, sparse int            // that were asked, and whose signals are likelier as sums of few patterns
	models        map[string]int // how many have chosen the same kernels and number of atoms
	by            map[string]*nervure.Analysis
}

// vote learns some files by themselves, if the sparse method may be the one to choose.
func (c *chooser) vote(ctx context.Context, o nervure.Options) (*votes, error) {
	v := &votes{models: map[string]int{}, by: map[string]*nervure.Analysis{}}
	open := o.Method == nil || isOpen(o.Method.Name())
	if !open && !(o.Method.Name() == sparseMethod && c.kernelsAreOpen()) || len(c.list[0].names) >= votersVertices {
		return v, nil
	}
	asked := c.run
	asked.Prepare = c.leftToPrepare()
	asked.Prepare.Center, asked.Prepare.Scale = c.run.Prepare.Center, c.run.Prepare.Scale
	asked.Check = document.RunCheck{Structure: string(prepare.No), Confidence: string(prepare.No)}
	options, err := inputs.Options(&asked, c.list[0].names, c.open)
	if err != nil {
		return nil, err
	}
	options.Threads = 1
	voters := spacedStretches(c.list, mostVoters)
	found := make([]*nervure.Analysis, len(voters))
	linalg.ForEach(runtime.GOMAXPROCS(0), len(voters), func(_, k int) {
		found[k], _ = nervure.Learn(ctx, &nervure.Signals{Y: voters[k].y, Names: voters[k].names}, options)
	})
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	for _, a := range found {
		if a == nil {
			continue // nothing can be learned from it
		}
		v.files++
		if sparse := a.Result.Method.Name() == sparseMethod; sparse && (a.Choice == nil || a.Choice.CodesWin()) {
			v.sparse++
			key := modelKey(a)
			v.models[key]++
			v.by[key] = a
		}
	}
	return v, nil
}

// model returns a graph of the model that most files have chosen; nil if they do not agree.
func (v *votes) model() *nervure.Analysis {
	for key, count := range v.models {
		if 2*count > v.files {
			return v.by[key]
		}
	}
	return nil
}

// modelKey names the model of a graph that was learned by the sparse method.
func modelKey(a *nervure.Analysis) string {
	var names []string
	for _, k := range a.Kernels() {
		names = append(names, k.Name)
	}
	s := a.Summary()
	return fmt.Sprint(strings.Join(names, " "), s.Sparsity, s.Choices != nil && s.Choices.CommonMode)
}

func (c *chooser) kernelsAreOpen() bool {
	given := c.run.Kernels.Given
	return len(given) == 0 || slices.Contains(given, string(prepare.Auto)) || given[0] == "free"
}

// take puts what was chosen in learning from all into the run.
func (c *chooser) take(all *nervure.Analysis) {
	m, p := all.Result.Method, &c.run.Prepare
	set(&c.run.Method.Name, m.Name())
	summary := all.Summary()
	if p.Rows == string(prepare.RowsTime) && all.Preparation.Values != nil && !all.Preparation.Values.Innovations {
		set(&p.Difference, string(prepare.No))
	}
	if method.Has(m, method.TakesScores) {
		set(&p.Scores, yesOrNo(summary.Preparation.Scores))
	}
	if method.CommonModeOf(m, all.Preparation.Y, all.Options.Kernels) == method.RemoveCommonMode {
		set(&p.CommonMode, commonMode[summary.Preparation.CommonMode])
	}
	switch m.Name() {
	case sparseMethod:
		c.takeSparse(all) // unless files have agreed
	case baseline.Field{}.Name():
		c.takeParams(summary.Params)
	}
}

// takeParams puts those parameters of a field into the run that say what it is. Where most
// files have too few signals to tell orders apart, it is of order 1, as each would be by itself.
func (c *chooser) takeParams(found document.Params) {
	params := document.Params{}
	if found["signed"] != 0 {
		params["signed"] = found["signed"]
	}
	few := 0
	for _, s := range c.list {
		few += one(s.all < baseline.FieldSignalsPerVertex*len(s.names))
	}
	switch {
	case len(c.run.Kernels.Given) > 0 || c.run.Method.Params["heat"] != 0 || c.run.Method.Params["order"] != 0:
	case 2*few > len(c.list):
		params["order"] = 1
	case found["order"] != 0:
		params["order"] = found["order"]
	case found["heat"] != 0:
		params["heat"] = found["heat"]
	}
	maps.Copy(params, c.run.Method.Params)
	if len(params) > 0 {
		c.run.Method.Params = params
	}
}

// takeSparse puts kernels and atoms of a graph into the run.
func (c *chooser) takeSparse(a *nervure.Analysis) {
	summary := a.Summary()
	if c.run.Method.Sparsity == 0 {
		c.run.Method.Sparsity = summary.Sparsity
	}
	if !c.kernelsAreOpen() {
		return
	}
	kernels := a.Kernels()
	var k document.RunKernels
	if slices.ContainsFunc(kernels, isNameless) {
		k.SetKernels(nil, "free", len(kernels))
		k.Degree = c.run.Kernels.Degree
	} else {
		k.SetKernels(kernels, "given", 0)
	}
	c.run.Kernels = k
	if summary.Choices != nil { // the learner decides on it together with the kernels
		set(&c.run.Prepare.CommonMode, commonMode[summary.Choices.CommonMode])
	}
}

// isNameless reports whether a kernel cannot be asked for by its name: a free polynomial.
func isNameless(k kernel.Kernel) bool {
	_, err := kernel.Parse(k.Name, k.Degree(), kernel.Taylor)
	return err != nil
}

// commonMode has the words for whether it is removed.
var commonMode = map[bool]string{true: "remove", false: "keep"}
