package viewer

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// An attack is a request that must not get through, as it is sent.
type attack struct {
	name string
	text string
	// want is the status of the answer; more than one where Go's server or ours may be
	// the first to refuse, and 0 where the connection may just be closed.
	want []int
}

// A siege is a server with something to protect.
type siege struct {
	*visitor

	host   string
	job    string // of the attacked, which is a draft
	ended  string // with a graph
	before string // all files below the server's directory
}

// treasure is what no answer may show: it is in files beside those of jobs.
const treasure = "this is none of your business"

func laySiege(t *testing.T) *siege {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server, err := NewServer("no program", testConfig, Limits{Upload: 1000, Body: 2 * time.Second}, listener.Addr())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, listener) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil && !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	v := &visitor{t, server, "http://" + listener.Addr().String(), &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
	s := &siege{visitor: v, host: strings.TrimPrefix(v.url, "http://")}
	for _, path := range []string{filepath.Join(v.server.dir, "victim.csv"), filepath.Join(filepath.Dir(v.server.dir), "victim.csv")} {
		write(t, path, []byte(treasure))
	}
	s.ended = v.newJob()
	for _, c := range []struct {
		method, path string
		body         string
	}{{"PUT", "/results/graph.json", `{"nodes":[]}`}, {"POST", "/adopt", ""}} {
		if status, fields := v.ask(c.method, s.ended+c.path, []byte(c.body)); status >= 300 {
			t.Fatal(status, fields)
		}
	}
	s.job = v.newJob()
	if status, fields := v.upload(s.job, "mine.csv", []byte("1,2\n")); status != http.StatusCreated {
		t.Fatal(status, fields)
	}
	s.before = s.files()
	return s
}

// files lists all files in the temporary directory, with what is in them.
func (s *siege) files() string {
	var list strings.Builder
	top := filepath.Dir(s.server.dir)
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fmt.Fprint(&list, path)
		if !d.IsDir() {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&list, " %q", b)
		}
		list.WriteByte('\n')
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return list.String()
}

// head is a request up to its last header, with the cookie and the right host.
func (s *siege) head(method, path string, headers ...string) string {
	return s.strange(method, path, append([]string{"Host: " + s.host, "Cookie: " + s.server.cookie() + "=" + s.server.token}, headers...)...)
}

// strange is the same without them.
func (s *siege) strange(method, path string, headers ...string) string {
	return method + " " + path + " HTTP/1.1\r\n" + strings.Join(headers, "\r\n") + "\r\nConnection: close\r\n\r\n"
}

func (s *siege) put(path, body string) string {
	return s.head("PUT", path, fmt.Sprintf("Content-Length: %d", len(body))) + body
}

func (s *siege) post(path, body string) string {
	return s.head("POST", path, fmt.Sprintf("Content-Length: %d", len(body))) + body
}

// asked is a request to run a document, with more keys than its file.
func (s *siege) asked(file, more string) string {
	name, err := json.Marshal(file)
	if err != nil {
		panic(err) // it is text
	}
	return s.post(s.job+"/run", fmt.Sprintf(`{"version": 1, "read": {"files": [%s]}%s}`, name, more))
}

// quotedKey is a key of a document with a text.
func quotedKey(object, key, text string) string {
	value, err := json.Marshal(text)
	if err != nil {
		panic(err) // it is text
	}
	return fmt.Sprintf(`, %q: {%q: %s}`, object, key, value)
}

// attacks are all of them.
func (s *siege) attacks() (list []attack) {
	add := func(name, text string, want ...int) { list = append(list, attack{name, text, want}) }
	s.traversals(add)
	s.rebindings(add)
	s.forgeries(add)
	s.tokens(add)
	s.bodies(add)
	s.others(add)
	s.commands(add)
	return list
}

// A path that leads out of where it should stay, in each place where a name can stand.
func (s *siege) traversals(add func(string, string, ...int)) {
	victim := filepath.Join(s.server.dir, "victim.csv")
	for _, way := range []string{
		"../victim.csv", "..%2fvictim.csv", "..%5cvictim.csv", "%252e%252e%252fvictim.csv", url.PathEscape(victim), "/" + strings.TrimPrefix(victim, "/"),
		"mine.csv%00.json", "mine.csv/../../victim.csv", "%2e%2e", ".checkpoint", ".job.json", ".token", "C:%5cvictim.csv", "mine.csv%3a%3a$DATA",
	} {
		add("upload as "+way, s.put(s.job+"/files/"+way, "touched"), 400, 404, 405, 301, 307)
		add("download of "+way, s.head("GET", s.ended+"/files/"+way), 400, 404, 301, 307)
		add("result as "+way, s.put(s.job+"/results/"+way, "touched"), 400, 404, 405, 301, 307)
		add("job "+way, s.head("GET", "/api/jobs/"+way+"/files/graph.json"), 400, 404, 301, 307)
		page := []int{400, 404, 301, 307}
		if strings.Trim(way, "%2e") == "" {
			page = append(page, 200) // the page itself
		}
		add("page "+way, s.head("GET", "/"+way), page...)
		if plain, err := url.PathUnescape(way); err == nil {
			add("learning from "+way, s.asked(plain, ""), 400)
			add("writing to "+way, s.asked("mine.csv", quotedKey("write", "graph", plain)), 400)
			add("vertices from "+way, s.asked("mine.csv", quotedKey("known", "prior", plain)), 400)
		}
	}
}

// Another name that was pointed at this machine.
func (s *siege) rebindings(add func(string, string, ...int)) {
	_, port, _ := net.SplitHostPort(s.host)
	cookie := "Cookie: " + s.server.cookie() + "=" + s.server.token
	for _, host := range []string{
		"evil.example", "127.0.0.1.evil.example:" + port, "evil.example#127.0.0.1:" + port, "127.0.0.1:1", "127.0.0.2:" + port, "2130706433:" + port, "[::]:" + port,
		"localhost.:" + port, "", "127.0.0.1:" + port + "@evil.example", "evil.example@127.0.0.1:" + port,
	} {
		add("host "+host, s.strange("GET", "/", "Host: "+host, cookie), 421, 400)
		add("a job by host "+host, s.strange("POST", "/api/jobs", "Host: "+host, cookie, "Content-Length: 0"), 421, 400)
	}
	add("no host", s.strange("GET", "/", cookie), 400)
	add("two hosts", s.strange("GET", "/", "Host: "+s.host, "Host: evil.example", cookie), 400)
	add("a host in the request line", s.strange("GET", "http://evil.example/", "Host: "+s.host, cookie), 421)
	for _, header := range []string{"X-Forwarded-Host", "X-Host", "Forwarded", "X-Original-URL", "X-Rewrite-URL"} {
		add("host evil behind "+header, s.strange("GET", "/", "Host: evil.example", header+": "+s.host, cookie), 421)
	}
}

// Another site that drives the browser of somebody who has the cookie.
func (s *siege) forgeries(add func(string, string, ...int)) {
	paths := []string{"POST /api/jobs", "PUT " + s.job + "/files/evil.csv", "PUT " + s.job + "/results/graph.json", "POST " + s.job + "/run", "POST " + s.job + "/stop", "POST " + s.job + "/adopt", "DELETE " + s.job}
	for _, line := range paths {
		method, path, _ := strings.Cut(line, " ")
		for _, header := range []string{
			"Origin: http://evil.example", "Origin: null", "Origin: http://127.0.0.1:1", "Origin: https://" + s.host + ".evil.example",
			"Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site",
		} {
			add(line+" with "+header, s.head(method, path, header, "Content-Type: text/plain", "Content-Length: 0"), 403)
		}
	}
	for _, path := range []string{"/config.json", "/page.js", s.ended + "/files/graph.json", s.ended + "/events"} {
		add("reading "+path+" from another site", s.head("GET", path, "Sec-Fetch-Site: cross-site"), 403)
		add("reading "+path+" from another port", s.head("GET", path, "Sec-Fetch-Site: same-site"), 403)
	}
}

// Somebody without the token.
func (s *siege) tokens(add func(string, string, ...int)) {
	right, host, name := s.server.token, "Host: "+s.host, s.server.cookie()
	swapped := []byte(right)
	swapped[0] ^= 1
	for _, token := range []string{"", right[:len(right)-1], right + "A", strings.ToLower(right), string(swapped), "*", strings.Repeat("A", 20_000)} {
		add(fmt.Sprintf("cookie %.40q", token), s.strange("GET", "/config.json", host, "Cookie: "+name+"="+token), 403)
		add(fmt.Sprintf("token %.40q", token), s.strange("GET", "/?token="+url.QueryEscape(token), host), 403)
	}
	for what, header := range map[string]string{
		"as authorization": "Authorization: Bearer " + right, "as a header": "X-Token: " + right, "under another name": "Cookie: token=" + right,
		"under the name of another port": "Cookie: nervure-1=" + right, "after a wrong one": "Cookie: " + name + "=wrong; " + name + "=" + right, "as referer": "Referer: http://" + s.host + "/?token=" + right,
	} {
		add("the token "+what, s.strange("GET", "/config.json", host, header), 403)
	}
	for _, path := range []string{"/config.json?token=" + right, s.ended + "/files/graph.json?token=" + right, "//?token=" + right, "/index.html?token=" + right, "/?Token=" + right, "/?token[]=" + right} {
		add("the token on another path: "+strings.ReplaceAll(path, right, "…"), s.strange("GET", path, host), 403, 301, 307)
	}
	add("the token in a form", s.strange("POST", "/", host, "Content-Type: application/x-www-form-urlencoded", fmt.Sprintf("Content-Length: %d", 6+len(right)))+"token="+right, 403)
}

// Bodies that are larger than allowed or than they say, or that never come.
func (s *siege) bodies(add func(string, string, ...int)) {
	files := s.job + "/files/"
	add("an upload that claims 10¹² bytes", s.head("PUT", files+"big.csv", "Content-Length: 1000000000000")+"1", 413)
	add("an upload beyond the limit", s.put(files+"big.csv", strings.Repeat("1", 1001)), 413)
	add("chunks beyond the limit", s.head("PUT", files+"big.csv", "Transfer-Encoding: chunked")+"3e9\r\n"+strings.Repeat("1", 0x3e9)+"\r\n0\r\n\r\n", 413)
	add("a chunk that claims 10¹² bytes", s.head("PUT", files+"big.csv", "Transfer-Encoding: chunked")+"e8d4a51000\r\n1", 400, 413, 0)
	add("a length and chunks", s.head("PUT", "/none", "Content-Length: 4", "Transfer-Encoding: chunked")+"0\r\n\r\nDELETE "+s.job+" HTTP/1.1\r\n\r\n", 400, 404, 405)
	add("two lengths", s.head("PUT", files+"a.csv", "Content-Length: 1", "Content-Length: 40")+"1DELETE "+s.job+" HTTP/1.1\r\n\r\n", 400)
	add("a run that never comes", s.head("POST", s.job+"/run", "Content-Length: 50")+"{", 400, 0)
	add("a run beyond the limit", s.post(s.job+"/run", `{"version":1,"read":{"files":["`+strings.Repeat("x", 70_000)+`"]}}`), 400, 413)
	add("a run of a million brackets", s.post(s.job+"/run", strings.Repeat("[", 60_000)), 400)
	for _, body := range []string{"", "null", "[]", `"learn"`, `{"args":["learn","mine.csv"]}`, `{}`, `{"version":1}`, `{"version":1,"read":null}`, `{"version":1,"read":{"files":"mine.csv"}}`, `{"version":1,"read":{"files":[]}}`, `{"version":1,"read":{"files":[["mine.csv"]]}}`, `{"version":1,"read":{"files":["mine.csv"]}`, "\xff\xfe{}", `{"run":null}`, `{"__proto__":{"version":1,"read":{"files":["mine.csv"]}}}`} {
		add(fmt.Sprintf("a run of %q", body), s.post(s.job+"/run", body), 400)
	}
	add("a file too many", s.put(s.ended+"/files/a.csv", "1"), 409)
	add("a result over that of a job that has ended", s.put(s.ended+"/results/graph.json", "{}"), 409)
}

// Methods that are not for a path, heads that are too long, and names that would break out of a head.
func (s *siege) others(add func(string, string, ...int)) {
	for _, c := range [][2]string{{"TRACE", "/"}, {"OPTIONS", "/api/jobs"}, {"GET", "/api/jobs"}, {"PUT", s.job}, {"DELETE", s.ended + "/files/graph.json"}, {"GET", s.job + "/run"}, {"POST", s.job + "/files/a.csv"}} {
		add(c[0]+" on "+c[1], s.head(c[0], c[1]), 404, 405)
	}
	add("a GET that says DELETE", s.head("GET", s.job, "X-HTTP-Method-Override: DELETE"), 404, 405)
	add("a header of 100 kB", s.head("GET", "/config.json", "X-Long: "+strings.Repeat("x", 100_000)), 431)
	add("a line break in the name of a file", s.head("GET", s.ended+"/files/graph.json%0d%0aX-Evil:%201"), 404, 400)
	add("a quote in the name of a file", s.head("GET", s.ended+"/files/graph.json%22;%20filename=%22evil.exe"), 404, 400)
	add("a thousand ranges", s.head("GET", s.ended+"/files/graph.json", "Range: bytes="+strings.Repeat("0-0,", 1000)+"0-0"), 200, 416)
	for _, id := range []string{"-1", "99999999999999999999", "NaN"} {
		add("events after "+id, s.head("GET", s.ended+"/events", "Last-Event-ID: "+id), 200)
	}
}

// Command lines that reach for more than the page may ask for.
func (s *siege) commands(add func(string, string, ...int)) {
	for _, file := range []string{"", "-", "--help", "c.csv", "sample:../x", "@mine.csv", "http://evil.example/a.csv", "mine.csv\x00", "mine.csv\n", "./mine.csv", "/etc/passwd"} {
		add("the signals "+file, s.asked(file, ""), 400)
		add("the names "+file, s.post(s.job+"/run", fmt.Sprintf(`{"version": 1, "read": {"files": ["mine.csv"], "names": %q}}`, cmp.Or(file, ".."))), 400)
		add("the truth "+file, s.asked("mine.csv", quotedKey("compare", "truth", cmp.Or(file, ".."))), 400)
	}
	for _, more := range []string{
		`, "write": {"codes": "x.npy"}`, `, "write": {"laplacian": "x.npy"}`, `, "write": {"model": "x.json"}`, `, "write": {"graph": "summary.json"}`, `, "write": {"graph": "-"}`,
		`, "write": {"graph": "graph.json", "summary": "-"}`, `, "write": {"comparison": "comparison.json"}`, `, "write": {"report": "../report.html"}`, `, "compare": {}, "write": {"report": "report.html"}`,
		`, "compare": {}, "write": {"json": true}`, `, "windows": {"window": 20, "dir": "x"}`, `, "windows": {"dir": "/tmp"}`, `, "threads": 1000`, `, "progress": "none"`, `, "checkpoint": "x"`,
		`, "cluster": "listen:0.0.0.0:1"`, `, "known": {"init": "c.csv"}`, `, "read": {"files": ["mine.csv"]}`, `, "seed": -1`, `, "seed": 1e99`, `, "method": {"name": ["knn"]}`,
	} {
		add("the run with "+more, s.asked("mine.csv", more), 400)
	}
	add("two files", s.post(s.job+"/run", `{"version": 1, "read": {"files": ["mine.csv", "mine.csv"]}}`), 400)
}

// send makes an attack and returns the status of the answer, 0 if there is none, the
// answer, and what is wrong with it.
func (s *siege) send(a attack) (status int, answer []byte, fault string) {
	c, err := net.Dial("tcp", s.host)
	if err != nil {
		return 0, nil, "the server is gone: " + err.Error()
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(10 * time.Minute)) // only so that a fault ends
	go func() {
		_, _ = io.WriteString(c, a.text) // an answer may come before the end
		if half, ok := c.(*net.TCPConn); ok && slices.Contains(a.want, 0) {
			_ = half.CloseWrite()
		}
	}()
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
			return 0, nil, "it is not answered within ten minutes"
		}
		return 0, nil, ""
	}
	defer r.Body.Close()
	answer, _ = io.ReadAll(r.Body) // what was cut off is judged as it is
	for name, values := range r.Header {
		if strings.HasPrefix(name, "Access-Control-") || name == "X-Evil" || name == "Set-Cookie" {
			fault = fmt.Sprintf("the answer has %s: %s", name, values)
		}
	}
	if ours := r.Header.Get("Content-Security-Policy") != ""; ours || r.StatusCode < 400 { // Go's server refuses some itself
		for name, want := range map[string]string{"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin", "Referrer-Policy": "no-referrer"} {
			if name == "Cache-Control" && r.StatusCode == http.StatusRequestedRangeNotSatisfiable {
				continue // which Go takes away again; nothing is in the answer
			}
			if !strings.Contains(r.Header.Get(name), want) {
				fault = fmt.Sprintf("the answer has %s %q", name, r.Header.Get(name))
			}
		}
	}
	if kind := r.Header.Get("Content-Type"); r.StatusCode >= 400 && strings.Contains(kind, "html") {
		fault = "a refusal is HTML"
	}
	return r.StatusCode, answer, fault
}

// Attacks on the server: paths, other sites, tokens, methods, bodies, heads and commands.
// None gets through: each is refused as it should be, shows nothing, changes nothing, and
// leaves the server at work.
func TestNoAttackGetsThrough(t *testing.T) {
	s := laySiege(t)
	attacks := s.attacks()
	faults := 0
	for _, a := range attacks {
		status, answer, fault := s.send(a)
		switch {
		case fault != "":
		case !slices.Contains(a.want, status):
			fault = fmt.Sprintf("it is answered %d, want one of %v: %.200s", status, a.want, answer)
		case bytes.Contains(answer, []byte(treasure)) || bytes.Contains(answer, []byte("root:x:")):
			fault = fmt.Sprintf("it is told %.200s", answer)
		case bytes.Contains(answer, []byte(s.server.token)) && !strings.Contains(a.text, s.server.token):
			fault = "it is told the token"
		}
		if fault == "" {
			if after := s.files(); after != s.before {
				fault = "there are other files: " + after
				s.before = after
			}
		}
		if fault != "" {
			faults++
			t.Errorf("%s: %s", a.name, fault)
		}
	}
	if status, fields := s.ask("POST", "/api/jobs", nil); status != http.StatusCreated {
		t.Errorf("after all a job is answered %d %v", status, fields)
	}
	t.Attr("tried", fmt.Sprint(len(attacks)))
	t.Attr("faults", fmt.Sprint(faults))
}

// How long it takes to refuse a token says nothing about it: tokens are only compared by
// what takes as long for all.
func TestTokensAreComparedInConstantTime(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
				for _, side := range []ast.Expr{b.X, b.Y} {
					if field, ok := side.(*ast.SelectorExpr); ok && field.Sel.Name == "token" {
						t.Errorf("%s compares the token by %s", set.Position(b.Pos()), b.Op)
					}
				}
			}
			return true
		})
	}
}
