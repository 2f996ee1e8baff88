package model

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/nervure/nervure"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/fuzzing"
	"github.com/nervure/nervure/internal/modelfile"
)

// Whatever the bytes, reading and using a model ends well or with an error.
func FuzzReadModel(f *testing.F) {
	f.Add([]byte(`{"model":1,"method":"sparse","vertices":["a","b"],"edges":{"source":[0],"target":[1],"weight":[1]},` +
		`"preparation":{"mean":[0,0],"deviation":[1,1],"varies":[true,true]},` +
		`"codes":{"kernels":[{"name":"heat:1","chebyshev":[1,0.5]}],"sparsity":1},` +
		`"gaussian":{"mean":[0,0],"scale":[1,1],"diagonal":[2,2],"edges":[-1],"log_det":1}}`))
	f.Add([]byte(`{"model":1,"method":"field","vertices":["a","b","c"],"edges":{"source":[0],"target":[1],"weight":[1]},` +
		`"preparation":{"mean":[0,0,0],"deviation":[1,1,1],"varies":[true,true,true]},` +
		`"gaussian":{"mean":[0,0,0],"scale":[1,1,1],"diagonal":[2,2,1],"edges":[-1],"log_det":1},` +
		`"field":{"kernel":"matern:2,0.5","size":2,"noise":0.1,"mean":[0,0,0],"scale":[1,1,1],"scores":true}}`))
	f.Add([]byte(`{"model":1,"method":"field","vertices":["a","b","c"],"edges":{"source":[0,0,1],"target":[1,2,2],"weight":[1,1,1]},` +
		`"preparation":{"mean":[0,0,0],"deviation":[1,1,1],"varies":[true,true,true]},"equal":[{"vertex":"c","origin":"a"}],` +
		`"field":{"kernel":"matern:2,0.5","size":2,"noise":0.1,"mean":[0,0,0],"scale":[1,1,1]}}`))
	f.Add([]byte(`{"model":1,"vertices":["a"]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := Read(bytes.NewReader(text[:min(len(text), 8<<10)]))
		if err != nil {
			return
		}
		n := m.Graph.Vertices()
		if n > 10 {
			return
		}
		s := &nervure.Signals{Y: mat.NewDense(n, 3, nil)}
		s.Y.Apply(func(i, k int, _ float64) float64 { return float64(i*k) - 1 }, s.Y)
		_, _ = m.Score(s)
		_, _ = m.Encode(s)
		_, _ = m.Expect(s)
		checkModelReadsBack(t, m)
	})
}

// checkModelReadsBack writes a model, reads that, and writes it again.
func checkModelReadsBack(t *testing.T, m *Model) {
	t.Helper()
	once, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Read(bytes.NewReader(once))
	if err != nil {
		t.Fatalf("%s: %v", once, err)
	}
	if twice, err := json.Marshal(again); err != nil || !bytes.Equal(twice, once) {
		t.Errorf("%s became %s, %v", once, twice, err)
	}
}

// chooseModel returns the document of any model of a few vertices.
func chooseModel(c *fuzzing.Choices) *modelfile.Document {
	d := &modelfile.Document{
		Model:    modelfile.Format,
		Method:   fuzzing.Pick(c, "sparse", "glasso", ""),
		Signals:  c.Int(100),
		Vertices: c.Names(1 + c.Int(5)),
		Directed: c.Bool(),
	}
	n := len(d.Vertices)
	d.Edges = modelfile.Edges{Source: []int{}, Target: []int{}, Weight: []float64{}}
	for j := range n {
		for i := range j {
			if c.Bool() {
				d.Edges.Source, d.Edges.Target = append(d.Edges.Source, i), append(d.Edges.Target, j)
				d.Edges.Weight = append(d.Edges.Weight, 0.5+math.Abs(float64(c.Int(200))))
			}
		}
	}
	d.Preparation = modelfile.Preparation{Difference: c.Bool(), Centered: c.Bool(), Scaled: c.Bool(), CommonMode: c.Bool()}
	for range n {
		d.Preparation.Mean = append(d.Preparation.Mean, float64(c.Int(256))/4)
		d.Preparation.Deviation = append(d.Preparation.Deviation, 1+float64(c.Int(256)))
		d.Preparation.Varies = append(d.Preparation.Varies, true)
	}
	if !d.Directed && n > 1 && c.Bool() {
		d.Codes = &modelfile.Codes{Sparsity: 1 + c.Int(n), NoiseFloor: float64(c.Int(3)), CommonMode: c.Bool()}
		for range 1 + c.Int(3) {
			d.Codes.Kernels = append(d.Codes.Kernels, modelfile.Kernel{Name: "any", Chebyshev: []float64{1, c.Number() / 1e300, 0.25}})
		}
	}
	return d
}

// A valid model is read, and written as it was read; damaged, it is refused in one
// sentence, or can be written and read again.
func FuzzBuiltModel(f *testing.F) {
	f.Add([]byte{}, []byte{})
	f.Add(
		[]byte("\x00\x09\x03\x01a\x01b\x01c\x02de\x00\x01\x02\x01\x03\x01\x04\x00\x00\x01\x01\x00\x00\x05\x06\x07\x08\x01\x02\x00\x01\x01"),
		[]byte{2, 60, 8, 5, 9},
	)
	f.Fuzz(func(t *testing.T, recipe, harm []byte) {
		text, err := json.Marshal(chooseModel(fuzzing.By(recipe)))
		if err != nil {
			t.Fatal(err)
		}
		m, err := Read(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		checkModelReadsBack(t, m)
		m, err = Read(bytes.NewReader(fuzzing.By(harm).Damage(text)))
		if err == nil {
			checkModelReadsBack(t, m)
		} else if strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' }) || len(err.Error()) > 2000 {
			t.Errorf("%q is no sentence", err)
		}
	})
}
