//go:build linux

package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/signals"
)

// A file is one that a client uploads.
type file struct {
	name    string
	content []byte
}

// field is signals that vary along a ring, with some noise: easy to learn from.
func field(seed uint64, vertices, observations int, noise float64) *signals.Set {
	r := rng.Stream(seed, "field", vertices, observations)
	y := mat.NewDense(vertices, observations, nil)
	for m := range observations {
		at, before := r.IntN(vertices), 0.0
		for v := range vertices {
			before = 0.7*before + noise*r.NormFloat64()
			y.Set((at+v)%vertices, m, before+1/float64(1+v))
		}
	}
	return &signals.Set{Y: y}
}

// goodFiles are signals of several sizes in every format that can be written.
func goodFiles(t *testing.T, seed uint64) (list []file) {
	t.Helper()
	for _, size := range [][2]int{{6, 30}, {12, 80}, {20, 120}} {
		set := field(seed, size[0], size[1], 0.3)
		for _, format := range dataio.Formats(dataio.WritesSignals) {
			var b bytes.Buffer
			if err := dataio.EncodeSignals(&b, format, set); err != nil {
				t.Fatal(err)
			}
			list = append(list, file{fmt.Sprintf("signals %d.%s", size[0], format), b.Bytes()})
			if format == "csv" {
				var packed bytes.Buffer
				w := gzip.NewWriter(&packed)
				_, _ = w.Write(b.Bytes()) // to memory
				_ = w.Close()
				list = append(list, file{fmt.Sprintf("signals %d.csv.gz", size[0]), packed.Bytes()})
			}
		}
	}
	for k := range list {
		list[k].name = strings.ReplaceAll(list[k].name, " ", "-") // start splits at spaces
	}
	return list
}

// slowFile is noise, which takes long to learn from by slowly.
func slowFile(t *testing.T, seed uint64) file {
	t.Helper()
	r := rng.Stream(seed, "noise")
	y := mat.NewDense(60, 1500, nil)
	for v := range 60 {
		for m := range 1500 {
			y.Set(v, m, r.NormFloat64())
		}
	}
	var b bytes.Buffer
	if err := dataio.EncodeSignals(&b, "csv", &signals.Set{Y: y}); err != nil {
		t.Fatal(err)
	}
	return file{"slow.csv", b.Bytes()}
}

// badFiles are answered by a sentence.
func badFiles(good []file) (list []file) {
	list = []file{
		{"empty.csv", nil},
		{"words.csv", []byte("a,b,c\n1,2,x\n4,5,7\n")},
		{"ragged.csv", []byte("a,b,c\n1,2,3\n4,5\n")},
		{"zeros.csv", []byte("a,b,c\n0,0,0\n0,0,0\n")},
		{"page.npy", []byte("<!doctype html><title>404</title>")},
		{"nulls.tsv", make([]byte, 3000)},
	}
	for _, f := range good {
		if strings.HasSuffix(f.name, ".gz") || strings.HasSuffix(f.name, ".npz") || strings.HasSuffix(f.name, ".mat") || strings.HasSuffix(f.name, ".parquet") {
			list = append(list, file{"cut-" + f.name, f.content[:len(f.content)*2/3]})
		}
	}
	return list
}

var (
	learn = document.Run{
		Check: document.RunCheck{Confidence: "no"}, Write: document.RunWrite{Graph: "graph.json", Summary: "summary.json"},
	}
	slowly = document.Run{
		Method: document.RunMethod{Name: "sparse", Sparsity: 4, Rounds: 10_000}, Kernels: document.RunKernels{Given: []string{"heat:2"}},
		Check: learn.Check, Write: learn.Write,
	}
)

// An action is something that a client does from beginning to end.
type action struct {
	name  string
	share int // how often, against the others
	do    func(*client)
}

var actions = []action{
	{"learn and take the results", 40, (*client).learns},
	{"learn by another method", 15, (*client).learnsOtherwise},
	{"compare methods", 10, (*client).compares},
	{"cut off the stream and come back", 15, (*client).comesBack},
	{"stop a run", 8, (*client).stops},
	{"delete a run", 6, (*client).deletesARun},
	{"stop before the start", 4, (*client).stopsADraft},
	{"hang up within an upload", 10, (*client).hangsUp},
	{"upload what nobody can read", 12, (*client).uploadsRubbish},
	{"ask what is refused", 15, (*client).asksWhatIsRefused},
	{"look at the page", 10, (*client).looks},
	{"give results back", 6, (*client).givesBack},
	{"upload and leave", 3, (*client).leavesADraft},
	{"start and never come back", 1, (*client).vanishes},
	{"come in a crowd", 1, (*client).crowds},
}

// act does one of the actions, drawn at random.
func (c *client) act() {
	total := 0
	for _, a := range actions {
		total += a.share
	}
	k := c.random.IntN(total)
	for _, a := range actions {
		if k -= a.share; k < 0 {
			a.do(c)
			c.done[a.name].Add(1)
			return
		}
	}
}

func (c *client) any(list []file) file { return list[c.random.IntN(len(list))] }

func (c *client) learns() {
	run := learn
	reports := c.random.IntN(3) == 0
	if reports {
		run.Write.Report = "report.html"
	}
	job := c.start(c.any(c.good), run)
	if job == "" || !c.finish(job, -1, 0) {
		return
	}
	graph, ok := c.want(http.StatusOK, "GET", job+"/files/graph.json", nil)
	if ok {
		c.mu.Lock()
		c.graph = graph
		c.mu.Unlock()
	}
	c.want(http.StatusOK, "GET", job+"/files/summary.json", nil)
	formats := dataio.Formats(dataio.WritesGraphs)
	formats = slices.DeleteFunc(formats, func(f dataio.Format) bool { return f.Describe().VariantOf != "" })
	c.want(http.StatusOK, "GET", job+"/files/graph."+string(formats[c.random.IntN(len(formats))]), nil)
	c.want(http.StatusNotFound, "GET", job+"/files/graph.exe", nil)
	if reports {
		c.want(http.StatusOK, "GET", job+"/files/report.html?view", nil)
	}
	c.leave(job)
}

func (c *client) learnsOtherwise() {
	methods := []string{"knn", "correlation", "glasso", "smooth-log"}
	run := learn
	run.Method.Name = methods[c.random.IntN(len(methods))]
	job := c.start(c.any(c.good), run)
	if job == "" || !c.finish(job, -1, 0) {
		return
	}
	c.want(http.StatusOK, "GET", job+"/files/graph.csv", nil)
	c.leave(job)
}

func (c *client) compares() {
	job := c.start(c.any(c.good), document.Run{
		Compare: &document.RunCompare{Methods: []string{"knn", "correlation"}, Folds: 2}, Write: document.RunWrite{Comparison: "comparison.json"},
	})
	if job == "" || !c.finish(job, -1, 0) {
		return
	}
	c.want(http.StatusOK, "GET", job+"/files/comparison.json", nil)
	c.leave(job)
}

// comesBack hears every event once, although its stream is cut off.
func (c *client) comesBack() {
	job := c.start(c.any(c.good), learn)
	if job == "" {
		return
	}
	heard := -1
	for range 1 + c.random.IntN(3) {
		left := 1 + c.random.IntN(4)
		var end *ending
		heard, end = c.watch(job, heard, func(string) bool { left--; return left == 0 })
		if end != nil {
			c.leave(job)
			return
		}
	}
	if c.finish(job, heard, 0) {
		c.leave(job)
	}
}

func (c *client) stops() {
	job := c.start(c.slow, slowly)
	if job == "" {
		return
	}
	heard, end := c.watch(job, -1, func(e string) bool { return e == "graph" || e == "step" })
	if end != nil {
		c.fault("a slow job ends with %d before it can be stopped: %s", end.Code, end.Error)
		return
	}
	if _, ok := c.want(http.StatusNoContent, "POST", job+"/stop", nil); !ok || !c.finish(job, heard, 130) {
		return
	}
	c.want(http.StatusOK, "GET", job+"/files/graph.csv", nil)
	c.leave(job)
}

func (c *client) deletesARun() {
	job := c.start(c.slow, slowly)
	if job == "" {
		return
	}
	c.watch(job, -1, func(e string) bool { return e != "queued" })
	c.remove(job)
	for begun := time.Now(); ; time.Sleep(100 * time.Millisecond) { // its process is still ending
		if status, _ := c.send("GET", job+"/files/graph.csv", nil); status == http.StatusNotFound {
			return
		}
		if time.Since(begun) > patience {
			c.fault("a job that was deleted is still there")
			return
		}
	}
}

func (c *client) stopsADraft() {
	job := c.newJob()
	if job == "" {
		return
	}
	c.want(http.StatusNoContent, "POST", job+"/stop", nil)
	c.want(http.StatusNotFound, "GET", job+"/events", nil)
}

func (c *client) hangsUp() {
	job := c.newJob()
	if job == "" {
		return
	}
	f := c.any(c.good)
	c.half(job, f)
	for begun := time.Now(); time.Since(begun) < patience; time.Sleep(50 * time.Millisecond) { // until the server has noticed
		if status, _ := c.send("PUT", job+"/files/"+f.name, f.content); status != http.StatusConflict {
			break
		}
	}
	if job = c.run(job, f, learn); job != "" && c.finish(job, -1, 0) {
		c.leave(job)
	}
}

func (c *client) uploadsRubbish() {
	if job := c.start(c.any(c.bad), learn); job != "" && c.finish(job, -1, 2) {
		c.leave(job)
	}
}

func (c *client) looks() {
	for _, path := range []string{"/", "/page.js", "/page.css", "/config.json"} {
		c.want(http.StatusOK, "GET", path, nil)
	}
}

func (c *client) givesBack() {
	c.mu.Lock()
	graph := c.graph
	c.mu.Unlock()
	if graph == nil {
		return
	}
	job := c.newJob()
	if job == "" {
		return
	}
	if status, answer := c.send("PUT", job+"/results/graph.json", graph); status != http.StatusCreated {
		if status != http.StatusInsufficientStorage {
			c.fault("a result is answered %d: %.200s", status, answer)
		}
		c.remove(job)
		return
	}
	c.want(http.StatusNoContent, "POST", job+"/adopt", nil)
	c.want(http.StatusOK, "GET", job+"/files/graph.gexf", nil)
	c.leave(job)
}

func (c *client) leavesADraft() {
	job := c.newJob()
	if job == "" {
		return
	}
	f := c.any(c.good)
	c.send("PUT", job+"/files/"+f.name, f.content)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left = append(c.left, job)
}

// vanishes leaves a run to the server, which ends it when nobody watches for a while.
func (c *client) vanishes() {
	if job := c.start(c.slow, document.Run{
		Compare: &document.RunCompare{Methods: []string{"sparse"}, Folds: 10}, Method: document.RunMethod{Sparsity: 4},
		Kernels: document.RunKernels{Given: []string{"heat:2"}}, Write: document.RunWrite{Comparison: "comparison.json"},
	}); job != "" {
		c.watch(job, -1, func(e string) bool { return e != "queued" })
	}
}

// crowds asks for more jobs than the server keeps.
func (c *client) crowds() {
	var all sync.WaitGroup
	for range 30 {
		all.Go(func() {
			if job := c.newJob(); job != "" {
				c.remove(job)
			}
		})
	}
	all.Wait()
}

func (c *client) asksWhatIsRefused() {
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	job := c.newJob()
	if job == "" {
		return
	}
	large := make([]byte, maxUpload+1)
	for _, r := range []struct {
		want         int
		method, path string
		body         []byte
		change       func(*http.Request)
	}{
		{403, "GET", "/", nil, header("Cookie", "nervure=wrong")},
		{403, "POST", "/api/jobs", nil, header("Sec-Fetch-Site", "cross-site")},
		{403, "POST", "/api/jobs", nil, header("Origin", "http://elsewhere.example")},
		{421, "GET", "/", nil, func(r *http.Request) { r.Host = "elsewhere.example" }},
		{404, "GET", "/../../etc/passwd", nil, nil},
		{404, "GET", "/api/jobs/nobody/events", nil, nil},
		{405, "PATCH", job, nil, nil},
		{400, "PUT", job + "/files/..%2fa.csv", []byte("1"), nil},
		{400, "PUT", job + "/files/graph.json", []byte("1"), nil},
		{413, "PUT", job + "/files/large.csv", large, nil},
		{400, "POST", job + "/run", []byte("{"), nil},
		{400, "POST", job + "/run", []byte(`{"version": 1, "serve": {}}`), nil},
		{400, "POST", job + "/run", []byte(`{"version": 1, "read": {"files": ["/etc/passwd"]}}`), nil},
		{409, "POST", job + "/adopt", nil, nil},
		{409, "GET", job + "/files/graph.json", nil, nil},
	} {
		if r.change == nil {
			r.change = func(*http.Request) {}
		}
		c.want(r.want, r.method, r.path, r.body, r.change)
	}
	c.remove(job)
}
