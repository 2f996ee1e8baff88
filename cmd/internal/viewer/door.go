package viewer

import (
	"fmt"
	"html"
	"os"
	"path/filepath"

	"github.com/nervure/nervure/internal/durable"
)

// doors is how directories with a door are called.
var doors = durable.Temporaries{Prefix: "nervure-open-"}

// A door is a file that leads a browser to the page. All users of a machine can read with
// which arguments programs were started, a browser among them; the token is in the file,
// which only this user can read.
const door = `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=%[1]s">
<title>Nervure</title>
<p><a href="%[1]s">Open Nervure</a></p>
`

// Door makes a file to open in a browser instead of [Server.URL], so that the token does
// not show in the list of processes. It is removed when somebody has come with the token,
// or the server is closed.
func (s *Server) Door() (path string, err error) {
	dir, release, err := doors.Mkdir(os.TempDir())
	if err != nil {
		return "", err
	}
	remove := func() {
		_ = os.RemoveAll(dir) // what cannot be removed now is swept by the next server
		release()
	}
	path = filepath.Join(dir, "nervure.html")
	if err := os.WriteFile(path, fmt.Appendf(nil, door, html.EscapeString(s.URL())), 0o600); err != nil {
		remove()
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		remove()
		return "", os.ErrClosed
	}
	s.doors = append(s.doors, remove)
	return path, nil
}

// closeDoors removes the files that lead to the page.
func (s *Server) closeDoors() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, remove := range s.doors {
		remove()
	}
	s.doors = nil
}
