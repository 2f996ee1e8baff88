package viewer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
)

// Handler answers the requests of the page.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /", s.page())
	mux.HandleFunc("POST /api/jobs", s.handleNew)
	mux.HandleFunc("PUT /api/jobs/{id}/files/{name}", s.withJob(s.handleUpload))
	mux.HandleFunc("PUT /api/jobs/{id}/results/{name}", s.withJob(s.handleResult))
	mux.HandleFunc("POST /api/jobs/{id}/adopt", s.withJob(s.handleAdopt))
	mux.HandleFunc("POST /api/jobs/{id}/run", s.withJob(s.handleRun))
	mux.HandleFunc("POST /api/jobs/{id}/differences", s.withJob(s.handleDifferences))
	mux.HandleFunc("POST /api/jobs/{id}/look", s.withJob(s.handleLook))
	mux.HandleFunc("GET /api/jobs/{id}/events", s.withJob(s.handleEvents))
	mux.HandleFunc("POST /api/jobs/{id}/stop", s.withJob(s.handleStop))
	mux.HandleFunc("GET /api/jobs/{id}/files/{name}", s.withJob(s.handleDownload))
	mux.HandleFunc("DELETE /api/jobs/{id}", s.withJob(s.handleDelete))
	return mended(s.guarded(mux))
}

// answer tells what went wrong, as JSON with a sentence.
func answer(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	if r, ok := errors.AsType[*refusal](err); ok {
		status = r.status
	}
	writeAnswer(w, status, map[string]string{"error": err.Error()})
}

func writeAnswer(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // who has left needs no answer
}

// withJob finds the job a request is about, and keeps it for as long as that takes.
func (s *Server) withJob(handle func(http.ResponseWriter, *http.Request, *job) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		j, leave, err := s.enter(r.PathValue("id"))
		if err == nil {
			defer leave()
			err = handle(w, r, j)
		}
		if err != nil {
			if j != nil && s.isGone(j) { // whatever failed, this is why
				err = errGone
			}
			answer(w, err)
		}
	}
}

func (s *Server) handleNew(w http.ResponseWriter, _ *http.Request) {
	j, err := s.newJob()
	if err != nil {
		answer(w, err)
		return
	}
	writeAnswer(w, http.StatusCreated, map[string]string{"id": j.id})
}

// handleUpload streams a file to disk: the server never holds it, and never looks
// into it. That is for the job, whose memory is limited.
func (s *Server) handleUpload(w http.ResponseWriter, r *http.Request, j *job) error {
	name := r.PathValue("name")
	if err := checkUploadName(name); err != nil {
		return refuse(http.StatusBadRequest, "%s", err)
	}
	return s.receive(w, r, j, name)
}

// handleResult takes back a result that the page has kept of an earlier run, so that
// it can be converted and shown once more.
func (s *Server) handleResult(w http.ResponseWriter, r *http.Request, j *job) error {
	name := r.PathValue("name")
	if !slices.Contains(outputNames(), name) {
		return refuse(http.StatusBadRequest, "%q is not the name of a result", name)
	}
	if err := s.giveBack(j); err != nil {
		return err
	}
	return s.receive(w, r, j, name)
}

// handleAdopt makes a job of the results that were taken back.
func (s *Server) handleAdopt(w http.ResponseWriter, _ *http.Request, j *job) error {
	return done(w, s.adopt(j))
}

// handleDifferences says how two graphs that were uploaded differ.
func (s *Server) handleDifferences(w http.ResponseWriter, r *http.Request, j *job) error {
	differences, err := s.differ(r.Context(), j)
	if err != nil {
		return err
	}
	writeAnswer(w, http.StatusOK, json.RawMessage(differences))
	return nil
}

// handleLook makes a job of a graph that was uploaded, to look at it.
func (s *Server) handleLook(w http.ResponseWriter, r *http.Request, j *job) error {
	return done(w, s.look(r.Context(), j))
}

// done answers a request that has no more to say.
func done(w http.ResponseWriter, err error) error {
	if err == nil {
		w.WriteHeader(http.StatusNoContent)
	}
	return err
}

// receive streams a file of a job to disk.
func (s *Server) receive(w http.ResponseWriter, r *http.Request, j *job, name string) error {
	if r.ContentLength > s.limits.Upload {
		return s.tooLarge(name)
	}
	size := r.ContentLength
	if size < 0 {
		size = s.limits.Upload
	}
	if err := s.expect(j, name, size); err != nil {
		return err
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(uploadTime))
	size, err := s.store(j, name, http.MaxBytesReader(w, r.Body, s.limits.Upload))
	if err := s.arrived(j, name, size, err); err != nil {
		return err
	}
	writeAnswer(w, http.StatusCreated, map[string]any{"name": name, "bytes": size})
	return nil
}

// store writes a file of a job as it arrives, and returns its size.
func (s *Server) store(j *job, name string, body io.Reader) (int64, error) {
	file, err := j.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return 0, fmt.Errorf("%s cannot be stored: %w", name, err)
	}
	size, err := io.Copy(file, body)
	err = errors.Join(err, file.Close())
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return size, s.tooLarge(name)
	}
	if err != nil {
		return size, refuse(http.StatusBadRequest, "%s was not received completely: %v", name, err)
	}
	return size, nil
}

// uploadTime is how long a single upload may take.
const uploadTime = 10 * time.Minute

func (s *Server) tooLarge(name string) error {
	return refuse(http.StatusRequestEntityTooLarge, "%s is larger than the upload limit of %s: use the command line, or start nervure serve with a larger --max-upload",
		name, bytesInWords(s.limits.Upload))
}

func (s *Server) handleRun(w http.ResponseWriter, r *http.Request, j *job) error {
	run, err := document.ParseRun(http.MaxBytesReader(w, r.Body, 64<<10))
	if err != nil {
		return refuse(http.StatusBadRequest, "the job request is invalid: %s", withoutQuotes(err.Error()))
	}
	if err := s.start(j, run); err != nil {
		return err
	}
	writeAnswer(w, http.StatusAccepted, map[string]string{"id": j.id})
	return nil
}

func (s *Server) handleStop(w http.ResponseWriter, _ *http.Request, j *job) error {
	s.mu.Lock()
	unborn := j.state == waiting || j.state == draft
	s.mu.Unlock()
	if unborn {
		s.remove(j)
		j.log.end(endEvent{Code: codeInterrupted, Error: "stopped before it started; nothing was written", Files: []string{}})
	}
	j.stop()
	return done(w, nil)
}

// codeInterrupted is the exit code of a program that was stopped.
const codeInterrupted = 130

func (s *Server) handleDelete(w http.ResponseWriter, _ *http.Request, j *job) error {
	s.remove(j)
	return done(w, nil)
}

// handleEvents streams what a job tells, from the event after the last one that
// the page has.
func (s *Server) handleEvents(w http.ResponseWriter, r *http.Request, j *job) error {
	next := 0
	if last, err := strconv.Atoi(r.Header.Get("Last-Event-ID")); err == nil && last >= 0 {
		next = last + 1
	}
	defer s.watch(j)()
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	for {
		entries, closed, changed := j.log.since(next)
		_ = control.SetWriteDeadline(time.Now().Add(time.Minute))
		for _, e := range entries {
			if _, err := fmt.Fprintf(w, "id: %d\ndata: %s\n\n", e.id, e.event); err != nil {
				return nil
			}
			next = e.id + 1
		}
		if control.Flush() != nil || closed {
			return nil
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return nil
		case <-time.After(5 * time.Second): // a sign of life, which also finds out who has left
			if _, err := io.WriteString(w, ": \n\n"); err != nil {
				return nil
			}
		}
	}
}

// handleDownload sends a result, its graph in any format.
func (s *Server) handleDownload(w http.ResponseWriter, r *http.Request, j *job) error {
	name := r.PathValue("name")
	s.mu.Lock()
	over := j.state == ended
	s.mu.Unlock()
	if !over {
		return refuse(http.StatusConflict, "the job has not finished yet")
	}
	results := s.results(j)
	stored := name
	extension, isGraph := strings.CutPrefix(name, "graph.")
	switch {
	case slices.Contains(results, name):
	case isGraph && slices.Contains(newFormats().Graphs, dataio.Format(extension)) && slices.Contains(results, graphFile):
		stored = "." + name // which no upload can be called
		if err := s.convert(r.Context(), j, stored); err != nil {
			return err
		}
	default:
		return refuse(http.StatusNotFound, "%q is not a result of this job", name)
	}
	file, err := j.root.Open(stored)
	if err != nil {
		return refuse(http.StatusNotFound, "%q no longer exists", name)
	}
	defer file.Close()
	w.Header().Set("Content-Type", contentType(name))
	disposition := "attachment"
	if name == "report.html" && r.URL.Query().Has("view") {
		disposition = "inline"
		w.Header().Set("Content-Security-Policy", reportPolicy)
	}
	w.Header().Set("Content-Disposition", disposition+"; filename="+strconv.Quote(name))
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(uploadTime))
	http.ServeContent(w, r, "", time.Time{}, file)
	return nil
}

// reportPolicy takes a report away from our origin: whatever is in it, it cannot
// ask anything of the server.
const reportPolicy = "sandbox allow-scripts allow-downloads allow-modals; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"

func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	f, gzipped := dataio.FormatOf(name)
	if gzipped {
		f = ""
	}
	return cmp.Or(f.Describe().MediaType, "application/octet-stream")
}
