package browsertest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nervure/nervure/internal/needs"
)

// FirefoxNames are what Firefox is called on a machine; the environment variable NERVURE_FIREFOX comes first.
var FirefoxNames = []string{"firefox-esr", "firefox"}

// Firefox is a window of Firefox with one page, as long as the test runs that started it. It is driven by
// Marionette, the protocol that it speaks by itself: messages are JSON after their length.
type Firefox struct {
	t    testing.TB
	conn net.Conn
	read *bufio.Reader
	last int // number of the last command
}

// StartFirefox starts Firefox without a window on the screen, for make test-all. Where there is none the test is
// left out.
func StartFirefox(t testing.TB) *Firefox {
	t.Helper()
	needs.Long(t, "Firefox is opened")
	path := findFirefox()
	if path == "" {
		needs.LeaveOut(t, "there is no Firefox here (make parts installs it where it can; NERVURE_FIREFOX names one)")
	}
	profile := t.TempDir()
	settings := `user_pref("marionette.port", 0);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("app.update.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("browser.startup.page", 0);
user_pref("ui.prefersReducedMotion", 1);
`
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless", "--marionette", "--no-remote", "--profile", profile, "about:blank")
	cmd.Env = append(os.Environ(), "HOME="+profile, "MOZ_HEADLESS_WIDTH=1280", "MOZ_HEADLESS_HEIGHT=900")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	f := &Firefox{t: t}
	t.Cleanup(func() {
		if f.conn != nil {
			f.tell("Marionette:Quit", map[string]any{"flags": []string{"eForceQuit"}})
			f.conn.Close()
		}
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
		}
	})
	f.connect(filepath.Join(profile, "MarionetteActivePort"), ended)
	f.call("WebDriver:NewSession", map[string]any{"pageLoadStrategy": "normal", "acceptInsecureCerts": false}, nil)
	f.call("WebDriver:SetTimeouts", map[string]any{"script": limit.Milliseconds(), "pageLoad": limit.Milliseconds()}, nil)
	return f
}

func findFirefox() string {
	for _, name := range append([]string{os.Getenv("NERVURE_FIREFOX")}, FirefoxNames...) {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// connect waits until Firefox says at which port it listens.
func (f *Firefox) connect(portFile string, ended <-chan struct{}) {
	f.t.Helper()
	for begun := time.Now(); time.Since(begun) < limit; time.Sleep(50 * time.Millisecond) {
		select {
		case <-ended:
			f.t.Fatal("Firefox has ended before it could be driven")
		default:
		}
		port, err := os.ReadFile(portFile)
		if err != nil || len(port) == 0 {
			continue
		}
		if conn, err := net.Dial("tcp", "127.0.0.1:"+strings.TrimSpace(string(port))); err == nil {
			f.conn, f.read = conn, bufio.NewReader(conn)
			if _, err := f.message(); err != nil { // it introduces itself
				f.t.Fatal(err)
			}
			return
		}
	}
	f.t.Fatal("Firefox does not say where it can be driven")
}

func (f *Firefox) message() ([]byte, error) {
	_ = f.conn.SetReadDeadline(time.Now().Add(2 * limit))
	length, err := f.read.ReadString(':')
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(strings.TrimSuffix(length, ":"))
	if err != nil {
		return nil, err
	}
	b := make([]byte, n)
	_, err = io.ReadFull(f.read, b)
	return b, err
}

// tell sends a command.
func (f *Firefox) tell(name string, params any) {
	f.last++
	b, err := json.Marshal([]any{0, f.last, name, params})
	if err != nil {
		f.t.Fatal(err)
	}
	_, _ = fmt.Fprintf(f.conn, "%d:%s", len(b), b) // who has gone does not answer, which is noticed
}

// call sends a command and reads its answer.
func (f *Firefox) call(name string, params, answer any) {
	f.t.Helper()
	f.tell(name, params)
	b, err := f.message()
	if err != nil {
		f.t.Fatalf("%s: %v", name, err)
	}
	var reply [4]json.RawMessage // kind, number, fault, answer
	if err := json.Unmarshal(b, &reply); err != nil {
		f.t.Fatal(err)
	}
	if string(reply[2]) != "null" {
		f.t.Fatalf("%s: %.600s", name, reply[2])
	}
	if answer == nil {
		return
	}
	if err := json.Unmarshal(reply[3], &struct{ Value any }{answer}); err != nil {
		f.t.Fatalf("%s: %v: %.300s", name, err, reply[3])
	}
}

// Open opens an address and waits until it is loaded.
func (f *Firefox) Open(address string) {
	f.t.Helper()
	f.call("WebDriver:Navigate", map[string]any{"url": address}, nil)
}

// Look changes the size of the window.
func (f *Firefox) Look(width, height int) {
	f.t.Helper()
	f.call("WebDriver:SetWindowRect", map[string]any{"width": width, "height": height}, nil)
}

// EvalIn returns the value of a JavaScript expression in Firefox, which may be a promise.
func EvalIn[T any](f *Firefox, expression string, args ...any) (value T) {
	f.t.Helper()
	script := "const done = arguments[arguments.length - 1]; Promise.resolve().then(() => (" + fmt.Sprintf(expression, args...) + ")).then(done, (e) => done({ failed: String(e) }));"
	var raw json.RawMessage
	f.call("WebDriver:ExecuteAsyncScript", map[string]any{"script": script, "args": []any{}, "newSandbox": false}, &raw)
	var fault struct{ Failed string }
	if json.Unmarshal(raw, &fault) == nil && fault.Failed != "" {
		f.t.Fatalf("%.200s: %s", expression, fault.Failed)
	}
	if err := json.Unmarshal(raw, &value); err != nil {
		f.t.Fatalf("%.200s: %v: %.200s", expression, err, raw)
	}
	return value
}

// Wait waits until a JavaScript expression is true.
func (f *Firefox) Wait(expression string, args ...any) {
	f.t.Helper()
	for begun := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		if EvalIn[bool](f, "Boolean(%s)", fmt.Sprintf(expression, args...)) {
			return
		}
		if time.Since(begun) > limit {
			f.t.Fatalf("in Firefox this does not become true: "+expression, args...)
		}
	}
}

// Keys presses keys, one after the other: letters, or the codes of WebDriver such as "\uE007" for Enter.
func (f *Firefox) Keys(keys string) {
	f.t.Helper()
	var list []map[string]string
	for _, key := range keys {
		list = append(list, map[string]string{"type": "keyDown", "value": string(key)}, map[string]string{"type": "keyUp", "value": string(key)})
	}
	f.call("WebDriver:PerformActions", map[string]any{"actions": []any{map[string]any{"type": "key", "id": "keyboard", "actions": list}}}, nil)
}

// Screenshot returns a PNG, in base64, of what the window shows.
func (f *Firefox) Screenshot() string {
	f.t.Helper()
	var picture string
	f.call("WebDriver:TakeScreenshot", map[string]any{"full": false}, &picture)
	return picture
}
