package document

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/input"
)

var updateSchema = flag.Bool("update", false, "write docs/run.schema.json")

// full is a run in which every key is set.
func full(t testing.TB) *Run {
	t.Helper()
	r := &Run{}
	var fill func(v reflect.Value)
	fill = func(v reflect.Value) {
		for field, value := range v.Fields() {
			switch enum, _, _ := strings.Cut(field.Tag.Get("enum"), ","); value.Kind() {
			case reflect.Struct:
				fill(value)
			case reflect.Pointer:
				value.Set(reflect.New(value.Type().Elem()))
				fill(value.Elem())
			case reflect.String:
				if enum == "" {
					enum = "x"
				}
				value.SetString(enum)
			case reflect.Bool:
				value.SetBool(true)
			case reflect.Int:
				value.SetInt(1)
			case reflect.Uint64:
				value.SetUint(1<<64 - 1)
			case reflect.Float64:
				value.SetFloat(0.1)
			case reflect.Map:
				value.Set(reflect.ValueOf(Params{"k": 3}))
			case reflect.Slice:
				item := reflect.New(value.Type().Elem()).Elem()
				if item.Kind() == reflect.String {
					item.SetString("y z")
				} else {
					item.SetFloat(24)
				}
				value.Set(reflect.Append(value, item, item))
			default:
				t.Fatalf("%s has an unknown kind", field.Name)
			}
		}
	}
	fill(reflect.ValueOf(r).Elem())
	return r
}

func TestEveryKeyOfARunIsReadAsWritten(t *testing.T) {
	for _, r := range []*Run{full(t), {Version: 1}} {
		var b bytes.Buffer
		if err := Write(&b, r); err != nil {
			t.Fatal(err)
		}
		again, err := ParseRun(&b)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(again, r) {
			t.Errorf("wrote %+v, read %+v", r, again)
		}
	}
}

// Every key is set by what is typed for it, and typed as it was set.
func TestEveryKeyIsSetAsTyped(t *testing.T) {
	r, again := full(t), &Run{}
	r.Sample, r.Compare.Folds = 0, 0 // which all_signals and unranked exclude
	for _, o := range Options() {
		for _, text := range o.Texts(r) {
			if err := again.SetKey(o.Key, text); err != nil && o.Words() == nil && o.Tag.Get("want") == "" {
				t.Errorf("%s %q: %v", o.Key, text, err)
			} else if err != nil { // the x of a full run, which has no meaning
				o.value(again).Set(o.value(r))
			}
		}
	}
	if !reflect.DeepEqual(again, r) {
		t.Errorf("set %+v, got %+v", r, again)
	}
	for key, text := range map[string]string{"cut.fdr": "1", "check.floor": "-0.1", "read.resample": "0s", "kernels.degree": "0", "prepare.scale": "maybe", "prepare.scal": "no", "time_limit": "soon", "method.coder": "x", "groups.permutations": "18", "prepare.periods": "1"} {
		if err := again.SetKey(key, text); err == nil {
			t.Errorf("%s takes %q", key, text)
		}
	}
}

// Null, zero and an absent key are the same, and so is the run within a summary.
func TestZeroOfARunIsTheDefault(t *testing.T) {
	for _, text := range []string{
		`{"version": 1}`,
		`{"version": 1, "read": null, "seed": 0, "method": {"name": "", "params": null}, "kernels": {}, "compare": null, "cut": {"edges": 0}}`,
		`{"version": 1, "prepare": {"center": ""}}`,
		`{"version": "0.3", "method": "sparse", "edges": 3, "run": {"version": 1}}`,
	} {
		r, err := ParseRun(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if want := (&Run{Version: 1}); !reflect.DeepEqual(r, want) {
			t.Errorf("%s: got %+v", text, r)
		}
	}
}

func TestTrueAndFalseStandForYesAndNo(t *testing.T) {
	r, err := ParseRun(strings.NewReader(`{"version": 1, "prepare": {"difference": true, "center": false}, "check": {"confidence": false}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := &Run{Version: 1, Prepare: RunPrepare{Difference: "yes", Center: "no"}, Check: RunCheck{Confidence: "no"}}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("got %+v, want %+v", r, want)
	}
	_, err = ParseRun(strings.NewReader(`{"version": 1, "prepare": {"common_mode": true}}`))
	if fault := input.Find(err); fault == nil || fault.Msg != "`prepare.common_mode`: got true, want a text" {
		t.Errorf("got %v", err)
	}
}

func TestFaultsOfARunNameTheirKey(t *testing.T) {
	for text, want := range map[string]string{
		``:                                   "line 1: this is not JSON: it ends too early",
		"{\n\"version\": 1,\n}":              "line 3: this is not JSON",
		`{"version": 1} x`:                   "more text after the end",
		`[]`:                                 "a run is an object in { }, got a list",
		`null`:                               "a run is an object in { }, got null",
		`{"vers": 1}`:                        "`vers` is not a key of a run; did you mean version?",
		`{"prepare": {"middle": "no"}}`:      "`prepare.middle` is not a key of a run; want ",
		`{"prepare": {"badSensors": 1}}`:     "`prepare.badSensors` is not a key of a run; did you mean prepare.bad_sensors?",
		`{"read": {"file": "a"}}`:            "`read.file` is not a key of a run; did you mean read.files?",
		`{"read": {"files": "a"}}`:           "`read.files`: got \"a\", want a list in [ ]",
		`{"read": {"files": ["a", 3]}}`:      "`read.files[1]`: got 3, want a text",
		`{"read": []}`:                       "`read`: got a list, want an object in { }",
		`{"method": {"sparsity": 2.5}}`:      "`method.sparsity`: got 2.5, want a whole number of at least 0",
		`{"method": {"sparsity": -1}}`:       "`method.sparsity`: got -1, want a whole number",
		`{"method": {"params": {"k": "3"}}}`: "`method.params.k`: got \"3\", want a number of at least 0",
		`{"cut": {"threshold": 1e999}}`:      "`cut.threshold`: got 1e999, want a number",
		`{"seed": 1, "seed": 2}`:             "`seed` is given twice",
		`{"seed": 18446744073709551616}`:     "`seed`: got 18446744073709551616",
		`{"all_signals": "yes"}`:             "`all_signals`: got \"yes\", want true or false",
		`{"compare": true}`:                  "`compare`: got true, want an object in { }",
		`{"windows": {"window": true}}`:      "`windows.window`: got true, want a text",
	} {
		_, err := ParseRun(strings.NewReader(text))
		if fault := input.Find(err); fault == nil || !strings.Contains(fault.Msg, want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{
		`{"version": 1, "prepare": {"center": "maybe"}}`:                                              "`prepare.center` \"maybe\": want auto, yes or no",
		`{"version": 1, "read": {"files": ["a"]}, "windows": {"window": 7}}`:                          "`windows.window` needs `windows.dir` DIR",
		`{"version": 1, "read": {"files": ["a"]}, "windows": {"step": 7}}`:                            "`windows.step` needs `windows.window` LENGTH",
		`{"version": 1, "read": {"files": ["a"]}, "windows": {"window": 7, "dir": "d"}, "sample": 5}`: "`sample` and `windows.dir` cannot be used together",
		`{"version": 1, "read": {"files": ["a"]}, "write": {"summary": "-"}}`:                         "`write.summary` - needs `write.graph` FILE",
	} {
		r, err := ParseRun(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if fault := input.Find(r.Validate()); fault == nil || !strings.Contains(fault.Msg, want) {
			t.Errorf("%s: got %v, want %s", text, fault, want)
		}
	}
}

func TestReadOptionsAreThoseOfTheDocument(t *testing.T) {
	for _, c := range []struct {
		read RunRead
		want dataio.ReadOptions
	}{
		{RunRead{}, dataio.ReadOptions{}},
		{RunRead{Format: "csv", Transpose: true, Variable: "Y", Resample: "90m"}, dataio.ReadOptions{Format: dataio.CSV, Transpose: true, Variable: "Y", Resample: 90 * time.Minute}},
		{RunRead{Resample: "7d"}, dataio.ReadOptions{Resample: 7 * 24 * time.Hour}},
	} {
		if got, err := c.read.Options(); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: got %+v, %v", c.read, got, err)
		}
	}
}

// The published schema is that of the types. `go test ./document -run Schema -update` writes it.
func TestSchemaIsWhatTheCodeSays(t *testing.T) {
	schema := schemaOf(reflect.TypeFor[Run]())
	schema["$schema"], schema["$id"] = "https://json-schema.org/draft/2020-12/schema", "https://github.com/nervure/nervure/blob/main/docs/run.schema.json"
	schema["title"], schema["required"] = "A run of nervure, version 1", []string{"version", "read"}
	schema["properties"].(map[string]any)["version"] = map[string]any{"const": RunVersion, "description": "version of this document"}
	var want bytes.Buffer
	e := json.NewEncoder(&want)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(schema); err != nil {
		t.Fatal(err)
	}
	const file = "../docs/run.schema.json"
	if *updateSchema {
		if err := os.WriteFile(file, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(file); err != nil || !bytes.Equal(have, want.Bytes()) {
		t.Errorf("docs/run.schema.json is not what the code says (%v); run go test ./document -run Schema -update", err)
	}
}

// schemaOf describes the values of a type. Null stands for the default everywhere.
func schemaOf(typ reflect.Type) map[string]any {
	or := func(name string, more ...any) map[string]any {
		s := map[string]any{"type": []string{name, "null"}}
		for k := 0; k < len(more); k += 2 {
			s[more[k].(string)] = more[k+1]
		}
		return s
	}
	switch typ.Kind() {
	case reflect.Pointer:
		return schemaOf(typ.Elem())
	case reflect.String:
		return or("string")
	case reflect.Bool:
		return or("boolean")
	case reflect.Int:
		return or("integer", "minimum", 0, "maximum", 1<<31-1)
	case reflect.Uint64:
		return or("integer", "minimum", 0)
	case reflect.Float64:
		return or("number", "minimum", 0)
	case reflect.Map:
		return or("object", "additionalProperties", map[string]any{"type": "number", "minimum": 0})
	case reflect.Slice:
		item := schemaOf(typ.Elem())
		item["type"] = item["type"].([]string)[0]
		return or("array", "items", item)
	}
	properties := map[string]any{}
	for field := range typ.Fields() {
		s := schemaOf(field.Type)
		s["description"] = field.Tag.Get("doc")
		if enum := field.Tag.Get("enum"); enum != "" {
			words := []any{nil, ""}
			for word := range strings.SplitSeq(enum, ",") {
				words = append(words, word)
			}
			if s["enum"] = words; isSwitch(field.Tag) {
				s["enum"], s["type"] = append(words, true, false), []string{"string", "boolean", "null"}
			}
		}
		if field.Tag.Get("number") != "" {
			s["type"] = []string{"string", "integer", "null"}
		}
		properties[keyOf(field)] = s
	}
	return or("object", "properties", properties, "additionalProperties", false)
}

// fuzzedRuns have something of every section.
var fuzzedRuns = []string{
	`{"version":1,"read":{"files":["a.csv","b.parquet"],"resample":"15m"}}`,
	`{"version":1,"read":{"files":["-"],"format":"csv","transpose":true,"names":"n.txt","vertices":"v.csv"}}`,
	`{"version":1,"read":{"files":["a.mat"],"variable":"Y","times":"t.txt"}}`,
	`{"version":1,"prepare":{"bad_sensors":"drop","log":true,"log_offset":0.5,"periods":[24,168],"detrend":"no"}}`,
	`{"version":1,"prepare":{"season":"no","difference":true,"center":false,"scale":"auto","common_mode":"keep"}}`,
	`{"version":1,"method":{"name":"glasso","params":{"rho":1e-1,"absolute":1}}}`,
	`{"version":1,"method":{"name":"sparse","sparsity":3,"coder":"ols","rounds":9}}`,
	`{"version":1,"kernels":{"given":["free:2"],"degree":6,"approximation":"chebyshev"}}`,
	`{"version":1,"known":{"allow":"a.csv","forbid":"f.json","init":"i.npy","prior":"p.csv","prior_weight":2.5}}`,
	`{"version":1,"cut":{"rule":"threshold","threshold":0.25},"seed":18446744073709551615}`,
	`{"version":1,"sample":500,"time_limit":"1h30m"}`,
	`{"version":1,"all_signals":true,"time_limit":"none","cut":{"edges":7}}`,
	`{"version":1,"check":{"structure":"no","confidence":"yes","block":12}}`,
	`{"version":1,"read":{"files":["a.csv"]},"windows":{"window":"7d","step":3,"dir":"w"}}`,
	`{"version":1,"read":{"files":["a.csv"]},"compare":{"methods":["knn","ggl"],"folds":3,"truth":"t.csv"},"write":{"comparison":"c.json"}}`,
	`{"version":1,"read":{"files":["a.csv"]},"compare":{"unranked":true},"write":{"json":true}}`,
	`{"version":1,"write":{"graph":"g.json","codes":"c.npy","laplacian":"l.npy","summary":"-","report":"r.html","model":"m.json"}}`,
}

// Whatever is read is a run that is written and read again as it was, and faults are
// sentences about the text.
func FuzzRun(f *testing.F) {
	var whole bytes.Buffer
	if err := Write(&whole, full(f)); err != nil {
		f.Fatal(err)
	}
	f.Add(whole.Bytes())
	for _, text := range fuzzedRuns {
		f.Add([]byte(text))
	}
	for _, text := range []string{`{"version":1}`, `{"run":{"version":1,"seed":3}}`, `{"windows":{"window":7,"step":"1d"}}`, `{"compare":{"methods":["knn"]}}`, `{"method":{"params":{"k":1e3}}}`, `{"seed":1,"seed":1}`, `[[[`, `{"read":{"files":[null]}}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<16 {
			return
		}
		r, err := ParseRun(bytes.NewReader(text))
		if err != nil {
			if input.Find(err) == nil {
				t.Fatalf("%v is no fault of the text", err)
			}
			return
		}
		_ = r.Validate()
		var b bytes.Buffer
		if err := Write(&b, r); err != nil {
			t.Fatal(err)
		}
		again, err := ParseRun(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatalf("%v: %s", err, b.Bytes())
		}
		var twice bytes.Buffer
		if err := Write(&twice, again); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), twice.Bytes()) {
			t.Errorf("wrote %s, then %s", b.Bytes(), twice.Bytes())
		}
	})
}
