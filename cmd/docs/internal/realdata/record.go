package realdata

import (
	"fmt"

	"github.com/nervure/nervure/cmd/docs/internal/records"
)

// Results is the file of records in the repository: a line of JSON for each set.
const Results = "docs/results/realdata.jsonl"

// A Record is what came of a set. Scores are F1, or the share of edges inside
// groups.
type Record struct {
	Set         string   `json:"set"`
	Vertices    int      `json:"vertices"`
	Signals     int      `json:"signals"`
	Asked       int      `json:"asked"`  // the true number of edges, or the one asked for
	Chance      float64  `json:"chance"` // the score of edges drawn blindly
	Prepared    string   `json:"prepared"`
	Chosen      string   `json:"chosen"`              // the method that learn took
	Verdict     string   `json:"verdict"`             // on its graph
	Predicted   *float64 `json:"predicted,omitempty"` // share of the energy of hidden values that edges predict in held-out signals
	Sure        *int     `json:"sure,omitempty"`      // edges of confidence 0.9 or more
	SureTrue    int      `json:"sure_true,omitempty"` // of them
	Recommended string   `json:"recommended"`
	Interrupted bool     `json:"interrupted,omitempty"` // the comparison
	Methods     []Scores `json:"methods"`               // learn without flags first, by the name Auto
}

// Scores are those of a method: of the graph as the method cuts it, and with as
// many edges as it was asked for.
type Scores struct {
	Method      string  `json:"method"`
	Edges       int     `json:"edges"`
	Own         float64 `json:"own"`
	Asked       float64 `json:"asked"`
	Seconds     float64 `json:"seconds"`
	Interrupted bool    `json:"interrupted,omitempty"`
	Failed      string  `json:"failed,omitempty"`
}

// Auto is the name by which scores of learn are kept that was given no method.
const Auto = "auto"

// Of returns the scores of a method, nil if it was not run.
func (r *Record) Of(method string) *Scores {
	for k := range r.Methods {
		if r.Methods[k].Method == method {
			return &r.Methods[k]
		}
	}
	return nil
}

// ReadRecords reads a file of records; none if it does not exist yet. Every record
// is of one of Sets.
func ReadRecords(path string) ([]Record, error) {
	return records.Read(path, func(r Record) error {
		if _, known := SetNamed(r.Set); !known {
			return fmt.Errorf("there is no set %q", r.Set)
		}
		return nil
	})
}

// writeRecords writes records in the order of Sets.
func writeRecords(path string, list []Record) error {
	var ordered []Record
	for _, s := range Sets {
		for _, r := range list {
			if r.Set == s.Name {
				ordered = append(ordered, r)
			}
		}
	}
	return records.Write(path, ordered)
}
