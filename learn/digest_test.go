package learn_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"hash"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
)

var updateDigests = flag.Bool("update", false, "record the digests of today's answers again")

// digestSeed draws the planted problems of the digests, whatever -seed says.
const digestSeed = 41_000

// digestFile holds a line for each part of an answer: case, part and digest. Its
// first line names the arithmetic that the digests were recorded with.
const digestFile = "testdata/digests.txt"

// sharedData is where instances and measurements may be that the repository does
// not hold.
const sharedData = "../../shared"

// A digestCase is a problem whose answer must not change by a bit.
type digestCase struct {
	name   string
	here   bool // its signals are
	answer func(t *testing.T) answerParts
}

// answerParts are digests of the parts of an answer.
type answerParts map[string]string

// Any change of these digests is a change of the answers that users get: it must
// be meant, and be told in CHANGELOG.md. Record them with
//
//	go test ./learn -run Digests -update
func TestDigestsOfAnswersAreUnchanged(t *testing.T) {
	slow(t)
	arithmetic, recorded := readDigests(t)
	if !*updateDigests && arithmetic != runtime.GOARCH {
		t.Skipf("the digests were recorded with another arithmetic (%s) than this machine's (%s): their last bits differ", arithmetic, runtime.GOARCH)
	}
	found := map[string]answerParts{}
	for _, c := range digestCases() {
		t.Run(c.name, func(t *testing.T) {
			if !c.here {
				t.Skip("the signals are not here")
			}
			found[c.name] = c.answer(t)
			if *updateDigests {
				return
			}
			want := recorded[c.name]
			for _, part := range slices.Sorted(maps.Keys(found[c.name])) {
				if got := found[c.name][part]; got != want[part] {
					t.Errorf("%s has changed: digest %s, want %s", part, got, want[part])
				}
			}
			if len(want) != len(found[c.name]) {
				t.Errorf("%d parts, want %d", len(found[c.name]), len(want))
			}
		})
	}
	if *updateDigests {
		maps.Copy(recorded, found)
		writeDigests(recorded)
	}
}

func readDigests(t *testing.T) (arithmetic string, digests map[string]answerParts) {
	t.Helper()
	digests = map[string]answerParts{}
	text, err := os.ReadFile(digestFile)
	if errors.Is(err, fs.ErrNotExist) && *updateDigests {
		return "", digests
	}
	if err != nil {
		t.Fatal(err)
	}
	first, rest, _ := strings.Cut(string(text), "\n")
	for line := range strings.Lines(rest) {
		field := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(field) != 3 {
			t.Fatalf("%s: %q is no line of three fields", digestFile, line)
		}
		if digests[field[0]] == nil {
			digests[field[0]] = answerParts{}
		}
		digests[field[0]][field[1]] = field[2]
	}
	return strings.TrimPrefix(first, "# arithmetic: "), digests
}

func writeDigests(digests map[string]answerParts) {
	var text bytes.Buffer
	fmt.Fprintf(&text, "# arithmetic: %s\n", runtime.GOARCH)
	for _, name := range slices.Sorted(maps.Keys(digests)) {
		for _, part := range slices.Sorted(maps.Keys(digests[name])) {
			fmt.Fprintf(&text, "%s\t%s\t%s\n", name, part, digests[name][part])
		}
	}
	done(os.MkdirAll(filepath.Dir(digestFile), 0o755))
	done(os.WriteFile(digestFile, text.Bytes(), 0o644))
}

// A digester sums up values to the last bit.
type digester struct{ hash.Hash }

func digest(values ...any) string {
	d := digester{sha256.New()}
	for _, v := range values {
		d.add(v)
	}
	return fmt.Sprintf("%x", d.Sum(nil)[:12])
}

func (d digester) add(value any) {
	switch v := value.(type) {
	case float64:
		d.number(math.Float64bits(v))
	case int:
		d.number(uint64(int64(v)))
	case bool:
		d.add(btoi(v))
	case string:
		d.add(len(v))
		d.Write([]byte(v))
	case []float64:
		d.add(len(v))
		for _, x := range v {
			d.add(x)
		}
	case *graph.Graph:
		d.add(v.Vertices())
		for _, e := range v.Edges() {
			d.add(e.I)
			d.add(e.J)
			d.add(e.Weight)
		}
	case *sparse.Code:
		_, signals := v.Dims()
		d.add(v.Sparsity())
		for m := range signals {
			atom, coef := v.Column(m)
			for _, j := range atom {
				d.add(int(j))
			}
			d.add(coef)
		}
	case []kernel.Kernel:
		for _, k := range v {
			d.add(k.Name)
			d.add(k.Series())
		}
	case *mat.Dense:
		d.add(v.RawMatrix().Data)
	default:
		panic(fmt.Sprintf("there is no digest of a %T", value))
	}
}

func (d digester) number(bits uint64) { d.Write(binary.LittleEndian.AppendUint64(nil, bits)) }

// digestResult sums up all of a result but the wording of its warnings.
func digestResult(r *learn.Result) answerParts {
	var path, history, scores []any
	for _, p := range r.Path {
		path = append(path, p.Edges, p.CodeError, p.Prediction, p.Graph)
	}
	for _, s := range r.History {
		history = append(history, string(s.Phase), s.Start, s.Round, s.Residual, s.Objective, s.Edges, s.Gradients)
	}
	for _, s := range r.KernelScores {
		scores = append(scores, strings.Join(s.Kernels, " "), s.Sparsity, s.CommonModeRemoved, s.Prediction)
	}
	return answerParts{
		"graph": digest(r.Graph), "weights": digest(r.Weights), "codes": digest(r.Codes), "kernels": digest(r.Model.Kernels),
		"numbers": digest(
			r.Residual, r.Noise, r.Objective, string(r.Threshold.Rule), r.Threshold.Value, r.Threshold.Gap,
			r.Rounds, r.Starts, r.Gradients, string(r.Status), r.Certified, r.Unexplained, r.Large, r.AllowedPairs,
			r.Model.Sparsity, r.Options.RemoveCommonMode, len(r.Warnings),
		),
		"path": digest(path...), "history": digest(history...), "scores": digest(scores...),
	}
}
