package document

import "github.com/nervure/nervure/prepare"

// A Preparation says how signals were preprocessed.
type Preparation struct {
	Log          bool     `json:"log" doc:"whether logarithms were taken"`
	LogOffset    float64  `json:"log_offset" doc:"constant added before taking logarithms"`
	Difference   bool     `json:"difference" doc:"whether differences between consecutive observations were taken"`
	Centered     bool     `json:"centered" doc:"whether the mean of each vertex was removed"`
	Scaled       bool     `json:"scaled" doc:"whether each vertex was divided by its standard deviation"`
	CommonMode   bool     `json:"common_mode" doc:"whether each signal's mean over the vertices was removed"`
	MeanEnergy   float64  `json:"mean_energy" doc:"share of the energy in the means, if they were removed"`
	CommonEnergy float64  `json:"common_mode_energy" doc:"share of the remaining energy in the common mode, if it was removed"`
	Missing      int      `json:"missing" doc:"number of missing values"`
	Sentence     string   `json:"sentence" doc:"the preprocessing in words; empty if there was none"`
	Reasons      []string `json:"reasons" doc:"the reason for each step, in order"`
}

// NewPreparation describes what was done to signals with the given options.
func NewPreparation(r *prepare.Report, o prepare.Options) Preparation {
	p := Preparation{
		Log: r.Log.Done, LogOffset: o.LogOffset, Difference: r.Difference.Done,
		Centered: r.Center.Done, Scaled: r.Scale.Done, CommonMode: r.CommonMode.Done,
		MeanEnergy: r.Center.Energy, CommonEnergy: r.CommonMode.Energy, Missing: r.Missing, Sentence: r.Sentence(),
	}
	for _, s := range r.Steps() {
		p.Reasons = append(p.Reasons, s.Sentence)
	}
	return p
}
