package commands

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/internal/inputs"
)

// Ctrl-C is how a server ends, not an accident.
func TestServeShowsThePageUntilItIsInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	said, stderr := io.Pipe()
	code := make(chan int, 1)
	go func() { code <- Run(ctx, []string{"serve", "--port", "0"}, strings.NewReader(""), io.Discard, stderr) }()
	line, err := bufio.NewReader(said).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, said) }() // what else it says
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "open ")
	if !ok || !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Fatalf("it says %q", line)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := (&http.Client{Jar: jar}).Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	page, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(page), "<title>Nervure") {
		t.Errorf("the page is answered %d, %v: %.100s", answer.StatusCode, err, page)
	}
	interrupt()
	if got := <-code; got != views.ExitDone {
		t.Errorf("exit code: got %d, want %d", got, views.ExitDone)
	}
}

// What the browser is started with is for all users to see: it does not have the token, but
// names a file that has.
func TestOpenKeepsTheTokenOutOfTheListOfProcesses(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("left out: the program that opens pages is replaced as on Linux")
	}
	bin, temp := t.TempDir(), t.TempDir()
	opener := "#!/bin/sh\nprintf '%s\\n' \"$@\" > " + bin + "/told\ncp \"$1\" " + bin + "/page.part\nmv " + bin + "/page.part " + bin + "/page\n"
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte(opener), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("TMPDIR", temp)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	said, stderr := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- Run(ctx, []string{"serve", "--port", "0", "--open"}, strings.NewReader(""), io.Discard, stderr)
	}()
	line, err := bufio.NewReader(said).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, said) }() // what else it says
	url := strings.TrimSpace(strings.TrimPrefix(line, "open "))
	_, token, _ := strings.Cut(url, "token=")
	var page []byte
	for range 3000 { // until the browser is there
		if page, err = os.ReadFile(filepath.Join(bin, "page")); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	told, err := os.ReadFile(filepath.Join(bin, "told"))
	if err != nil || len(token) < 20 || strings.Contains(string(told), token) || !strings.Contains(string(page), url) {
		t.Errorf("the browser is started with %q, %v, and finds %s", told, err, page)
	}
	interrupt()
	if got := <-code; got != views.ExitDone {
		t.Errorf("exit code: got %d, want %d", got, views.ExitDone)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("%v is left behind, %v", left, err)
	}
}

func TestServeSaysHowToMendAPortThatIsTaken(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, err := net.SplitHostPort(taken.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	code := Run(t.Context(), []string{"serve", "--port", port}, strings.NewReader(""), io.Discard, &said)
	want := "nervure: --port " + port + " is in use: choose another port, or omit --port to use a free one\n"
	if code != views.ExitMisuse || !strings.HasPrefix(said.String(), want) {
		t.Errorf("exit code %d: got %q, want %q", code, said.String(), want)
	}
}

// Every method can be chosen on the page, and every sample.
func TestThePageKnowsTheProgram(t *testing.T) {
	c := pageConfig()
	var methods, samples []string
	for _, m := range c.Methods {
		methods = append(methods, m.Name)
	}
	for _, s := range c.Samples {
		samples = append(samples, s.Name)
	}
	if got, want := strings.Join(samples, " "), strings.Join(inputs.SampleNames(), " "); got != want {
		t.Errorf("samples: got %s, want %s", got, want)
	}
	for _, line := range strings.Split(aboutMethods(nervure.Methods()), "\n") {
		if name, _, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, " ") && !strings.Contains(" "+strings.Join(methods, " ")+" ", " "+name+" ") {
			t.Errorf("method %s is not on the page", name)
		}
	}
}

// An empty address, as of a variable that is not set, would be every address; and a place that cannot be
// written to is found before the program is built.
func TestServeLooksAtItsFlagsFirst(t *testing.T) {
	file := put(t, filepath.Join(t.TempDir(), "file"), "")
	for want, args := range map[string][]string{
		"--host is empty": {"--host", "", "--port", "0"}, "this directory cannot be created": {"--export", file},
	} {
		code, _, said := run(t.Context(), nil, append([]string{"serve"}, args...)...)
		if code != views.ExitMisuse || !strings.Contains(said, want) || strings.Contains(said, "building") {
			t.Errorf("%q: exit code %d: %s", args, code, said)
		}
	}
}
