package viewer

import (
	"crypto/subtle"
	"fmt"
	"html"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nervure/nervure/internal/durable"
)

// A hostList is the names by which a server may be called. A name that another
// site has pointed at this machine is none of them.
type hostList struct {
	main     string // for people, with the port
	port     string
	names    []string
	anywhere bool // listens on every address: any address, but no other name
}

func newHostList(address net.Addr) hostList {
	host, port, err := net.SplitHostPort(address.String())
	if err != nil {
		host = address.String()
	}
	h := hostList{main: address.String(), port: port, names: []string{host}}
	ip, err := netip.ParseAddr(host)
	switch {
	case err != nil:
	case ip.IsLoopback():
		h.names = append(h.names, "localhost", "127.0.0.1", "::1")
	case ip.IsUnspecified():
		h.anywhere = true
		h.names = append(h.names, "localhost")
		if name, err := os.Hostname(); err == nil {
			h.names = append(h.names, name)
			h.main = net.JoinHostPort(name, port)
		}
	}
	return h
}

// knows reports whether a Host header names this server.
func (h hostList) knows(header string) bool {
	host, port, err := net.SplitHostPort(header)
	if err != nil {
		host, port = strings.Trim(header, "[]"), "80"
	}
	if port != h.port {
		return false
	}
	_, err = netip.ParseAddr(host)
	return h.anywhere && err == nil || slices.ContainsFunc(h.names, func(name string) bool { return strings.EqualFold(name, host) })
}

// contentPolicy lets the page run its own scripts, the learner among them, and
// talk to its own server; nothing else.
const contentPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; worker-src 'self'; " +
	"img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guarded refuses requests that do not come from the page itself.
func (s *Server) guarded(next http.Handler) http.Handler {
	sameOrigin := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, pair := range [][2]string{
			{"Content-Security-Policy", contentPolicy},
			{"X-Content-Type-Options", "nosniff"},
			{"Referrer-Policy", "no-referrer"},
			{"Cross-Origin-Opener-Policy", "same-origin"},
			{"Cross-Origin-Resource-Policy", "same-origin"},
			{"Cache-Control", "no-store"},
		} {
			w.Header().Set(pair[0], pair[1])
		}
		if r.ContentLength != 0 { // a body that never comes must not hold a connection for ever
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.limits.Body))
		}
		if !s.hosts.knows(r.Host) {
			answer(w, refuse(http.StatusMisdirectedRequest, "%q is not the name of this server", r.Host))
			return
		}
		if err := sameOrigin.Check(r); err != nil || (isForeign(r) && r.URL.Path != "/") {
			answer(w, refuse(http.StatusForbidden, "only nervure's own page may make this request"))
			return
		}
		if r.URL.Path == "/" && s.isToken(r.URL.Query().Get("token")) {
			http.SetCookie(w, &http.Cookie{Name: s.cookie(), Value: s.token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
			s.closeDoors()
			if isForeign(r) {
				// Somebody followed a link, in a mail for one. Along a redirect such a
				// browser would keep the cookie back, from a page of ours it does not.
				w.Header().Set("Refresh", "0; url=/")
				return
			}
			http.Redirect(w, r, "/", http.StatusSeeOther)
			return
		}
		if c, err := r.Cookie(s.cookie()); err != nil || !s.isToken(c.Value) {
			answer(w, refuse(http.StatusForbidden, "open the address that nervure serve printed: it contains an access token"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isForeign reports whether a browser tells that another site asks.
func isForeign(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "cross-site" || site == "same-site"
}

// cookie is the name of the cookie with the token. Browsers share cookies between
// the ports of a host.
func (s *Server) cookie() string { return "nervure-" + s.hosts.port }

func (s *Server) isToken(t string) bool {
	return subtle.ConstantTimeCompare([]byte(t), []byte(s.token)) == 1
}

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
