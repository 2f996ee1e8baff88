package document

import (
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/metrics"
)

// An Evaluation compares a graph with the true one. It is what nervure evaluate
// --json prints.
type Evaluation struct {
	Vertices    int     `json:"vertices" doc:"number of vertices in either graph"`
	EdgesTrue   int     `json:"edges_true" doc:"number of true edges"`
	EdgesFound  int     `json:"edges_found" doc:"number of edges found"`
	Correct     int     `json:"edges_correct" doc:"number of edges found that are true"`
	Precision   float64 `json:"precision" doc:"share of the edges found that are true"`
	Recall      float64 `json:"recall" doc:"share of the true edges that were found"`
	F1          float64 `json:"f1" doc:"harmonic mean of precision and recall"`
	WeightError float64 `json:"weight_error" doc:"relative error of the weights after matching their scales"`
	NMI         float64 `json:"nmi" doc:"normalised mutual information between the two edge sets"`
	Signed      bool    `json:"signed,omitempty" doc:"true if either graph has edges of negative weight"`
	WrongSigns  *int    `json:"wrong_signs,omitempty" doc:"number of correct edges whose weights have opposite signs, if either graph is signed"`
	AtTrueCount *Score  `json:"at_true_count,omitempty" doc:"score of the heaviest edges only, as many as there are true edges, if more were found"`
	Directed    bool    `json:"directed" doc:"whether the edges are arrows: both graphs are directed; if only one is, its direction is ignored"`
	Undirected  *Score  `json:"undirected,omitempty" doc:"score of the edges if the direction of arrows is ignored"`
	Codes       *Score  `json:"codes,omitempty" doc:"score of the codes' support, if codes were given"`
}

// A Score compares a set with the true one.
type Score struct {
	True      int     `json:"true" doc:"size of the true set"`
	Found     int     `json:"found" doc:"size of the set found"`
	Correct   int     `json:"correct" doc:"size of their intersection"`
	Precision float64 `json:"precision" doc:"share of the set found that is true"`
	Recall    float64 `json:"recall" doc:"share of the true set that was found"`
	F1        float64 `json:"f1" doc:"harmonic mean of precision and recall"`
}

// NewScore describes a score.
func NewScore(s metrics.Score) *Score {
	return &Score{s.True, s.Found, s.Correct, s.Precision, s.Recall, s.F1()}
}

// Evaluate compares a graph with the true one, on the same vertices.
func Evaluate(found, truth *graph.Graph) (*Evaluation, error) {
	edges, err := metrics.Edges(found, truth)
	if err != nil {
		return nil, err
	}
	weightError, err := metrics.WeightError(found, truth)
	if err != nil {
		return nil, err
	}
	nmi, err := metrics.NMI(found, truth)
	if err != nil {
		return nil, err
	}
	e := &Evaluation{
		Vertices: truth.Vertices(), EdgesTrue: edges.True, EdgesFound: edges.Found, Correct: edges.Correct,
		Precision: edges.Precision, Recall: edges.Recall, F1: edges.F1(), WeightError: weightError, NMI: nmi,
		Directed: found.Directed() && truth.Directed(),
	}
	if e.Signed = found.Negative() > 0 || truth.Negative() > 0; e.Signed {
		wrong, err := metrics.WrongSigns(found, truth)
		if err != nil {
			return nil, err
		}
		e.WrongSigns = &wrong
	}
	if e.Directed {
		pairs, err := metrics.Edges(found.Undirected(), truth.Undirected())
		if err != nil {
			return nil, err
		}
		e.Undirected = NewScore(pairs)
	}
	if edges.True > 0 && edges.Found > edges.True {
		heaviest, err := metrics.EdgesAtCount(found, truth)
		if err != nil {
			return nil, err
		}
		e.AtTrueCount = NewScore(heaviest)
	}
	return e, nil
}

// Edges returns the score of the edges.
func (e *Evaluation) Edges() *Score {
	return &Score{e.EdgesTrue, e.EdgesFound, e.Correct, e.Precision, e.Recall, e.F1}
}

// An Encoded says how well new signals fit a model. It is what nervure encode --json
// prints.
type Encoded struct {
	Signals int      `json:"signals" doc:"number of new signals"`
	Score   *float64 `json:"score" doc:"by how many nats per signal they are likelier under a Gaussian that has only the learned edges, or under the learned field if that explains the signals learned from better, than under one without edges; null if the model has none"`
	Edges   int      `json:"edges" doc:"number of edges of the graph"`
	Direct  bool     `json:"direct" doc:"whether the method keeps only edges between vertices that depend on each other directly"`
	// ShareNeeded is that of a Compared.
	ShareNeeded float64   `json:"share_needed" doc:"the share of the best score of several graphs with which this one may be chosen, if no other is sparser; see nervure compare"`
	Explained   *float64  `json:"explained" doc:"share of their energy, as they are coded, that the codes account for; null if the model has no codes"`
	Deviation   []float64 `json:"deviation,omitempty" doc:"method field: energy of each signal in standard units for each of its values; about 1 if it is like those learned from"`
	Unusual     []int     `json:"unusual,omitzero" doc:"method field: the signals, counted from 1, whose deviation is larger than that of all but one in a thousand"`
}
