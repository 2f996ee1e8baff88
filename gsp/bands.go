package gsp

import "gonum.org/v1/gonum/mat"

// A Band is the waves of one frequency. Where several have the same, only their
// energy together has a meaning.
type Band struct {
	Frequency float64
	Waves     int     // how many have it
	Energy    float64 // of the signals in all of them, the mean over the signals
}

// Bands returns the energy of signals by frequency, in ascending order. The
// energies sum to the mean energy of the signals.
func (s *Spectrum) Bands(y *mat.Dense) ([]Band, error) {
	energy, err := s.Energy(y)
	if err != nil {
		return nil, err
	}
	const rounding = 1e-10 // of the largest frequency
	apart := rounding * s.Values[len(s.Values)-1]
	var bands []Band
	for k, e := range s.Values {
		if last := len(bands) - 1; last >= 0 && e-s.Values[k-1] <= apart {
			bands[last].Waves++
			bands[last].Energy += energy[k]
			continue
		}
		bands = append(bands, Band{e, 1, energy[k]})
	}
	return bands, nil
}
