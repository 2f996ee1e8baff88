package document

import "github.com/nervure/nervure/prepare"

// A Preparation says how signals were preprocessed.
type Preparation struct {
	Log            bool      `json:"log" doc:"whether logarithms were taken"`
	LogOffset      float64   `json:"log_offset" doc:"constant added before taking logarithms"`
	Cycles         []Cycle   `json:"cycles" doc:"cycles that were removed"`
	Trend          bool      `json:"trend" doc:"whether a smooth trend of each vertex was removed"`
	CycleEnergy    float64   `json:"cycle_energy" doc:"share of the variation in the cycles, if they were removed"`
	TrendEnergy    float64   `json:"trend_energy" doc:"share of the variation in the trends, if they were removed"`
	Difference     bool      `json:"difference" doc:"whether differences between consecutive observations were taken"`
	Autoregression []float64 `json:"autoregression,omitempty" doc:"partial autocorrelations, at lags 1, 2, …, of the autoregression that was removed"`
	Centered       bool      `json:"centered" doc:"whether the mean of each vertex was removed"`
	Scaled         bool      `json:"scaled" doc:"whether each vertex was divided by its standard deviation"`
	CommonMode     bool      `json:"common_mode" doc:"whether each signal's mean over the vertices was removed"`
	Scores         bool      `json:"scores,omitzero" doc:"whether the graph was learned from normal scores"`
	MeanEnergy     float64   `json:"mean_energy" doc:"share of the energy in the means, if they were removed"`
	CommonEnergy   float64   `json:"common_mode_energy" doc:"share of the remaining energy in the common mode, if it was removed"`
	Missing        int       `json:"missing" doc:"number of missing values"`
	Sentence       string    `json:"sentence" doc:"the preprocessing in words; empty if there was none"`
	Reasons        []string  `json:"reasons" doc:"the reason for each step, in order"`
}

// Rows are what the rows of the signals were taken for.
type Rows struct {
	Taken  string `json:"taken" enum:"time,independent" doc:"moments in time, or independent of each other"`
	Reason string `json:"reason" doc:"why, in words"`
}

// NewRows describes what was found about rows.
func NewRows(f prepare.RowsFinding) *Rows { return &Rows{string(f.Rows), f.Sentence} }

// A Cycle is what comes again and again.
type Cycle struct {
	Period    float64 `json:"period" doc:"its length in observations"`
	Harmonics []int   `json:"harmonics,omitempty" doc:"harmonics that it is made of, 1 for the period itself; all if there is no such key"`
}

// NewPreparation describes what was done to signals with the given options.
func NewPreparation(r *prepare.Report, o prepare.Options) Preparation {
	p := Preparation{
		Log: r.Log.Done, LogOffset: o.LogOffset, Difference: r.Difference.Done,
		Cycles: []Cycle{}, Trend: r.Course.Trend, CycleEnergy: r.Season.Energy, TrendEnergy: r.Detrend.Energy,
		Centered: r.Center.Done, Scaled: r.Scale.Done, CommonMode: r.CommonMode.Done, Scores: r.Scores.Done,
		MeanEnergy: r.Center.Energy, CommonEnergy: r.CommonMode.Energy, Missing: r.Missing, Sentence: r.Sentence(),
	}
	if r.Autoregression.Done {
		p.Autoregression = r.Transform.Record().Autoregression
	}
	for _, c := range r.Course.Cycles {
		p.Cycles = append(p.Cycles, Cycle(c))
	}
	for _, s := range r.Steps() {
		p.Reasons = append(p.Reasons, s.Sentence)
	}
	return p
}
