package viewer

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHosts(t *testing.T) {
	for _, c := range []struct {
		address string
		yes, no string
	}{
		{"127.0.0.1:8737", "127.0.0.1:8737 localhost:8737 LOCALHOST:8737 [::1]:8737", "127.0.0.1 127.0.0.1:80 evil.example:8737 localhost.evil.example:8737 127.0.0.2:8737"},
		{"192.168.0.4:8737", "192.168.0.4:8737", "localhost:8737 evil.example:8737 192.168.0.5:8737"},
		{"0.0.0.0:8737", "192.168.0.4:8737 localhost:8737 [fe80::1]:8737", "evil.example:8737 192.168.0.4:80"},
		{"127.0.0.1:80", "127.0.0.1 localhost localhost:80", "evil.example"},
	} {
		address, err := net.ResolveTCPAddr("tcp", c.address)
		if err != nil {
			t.Fatal(err)
		}
		h := newHostList(address)
		for _, host := range strings.Fields(c.yes) {
			if !h.knows(host) {
				t.Errorf("%s does not know %s", c.address, host)
			}
		}
		for _, host := range strings.Fields(c.no) {
			if h.knows(host) {
				t.Errorf("%s knows %s", c.address, host)
			}
		}
	}
}

// The page itself, a link to it and programs are let in; whom else the server keeps out, attack_test.go asks.
func TestThePageItselfIsServed(t *testing.T) {
	v := visitWith(t, "no program", Limits{})
	for _, c := range []struct {
		method, path, site string
		want               int
	}{
		{"GET", "/", "none", 200}, {"GET", "/", "cross-site", 200}, {"POST", "/api/jobs", "same-origin", 201}, {"POST", "/api/jobs", "", 201}, {"POST", "/api/jobs", "cross-site", 403},
	} {
		answer := v.request(c.method, c.path, nil, func(r *http.Request) {
			if c.site != "" {
				r.Header.Set("Sec-Fetch-Site", c.site)
			}
		})
		if policy := answer.Header.Get("Content-Security-Policy"); answer.StatusCode != c.want || !strings.Contains(policy, "default-src 'none'") {
			t.Errorf("%v: got %d, the policy is %q", c, answer.StatusCode, policy)
		}
	}
}

func TestTheTokenBecomesACookie(t *testing.T) {
	v := visitWith(t, "no program", Limits{})
	if want := v.url + "/?token=" + v.server.token; v.server.URL() != want {
		t.Fatalf("the address is %s, want %s", v.server.URL(), want)
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, v.server.URL(), nil)
	v.server.Handler().ServeHTTP(w, r)
	cookies := w.Result().Cookies()
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/" || len(cookies) != 1 {
		t.Fatalf("%d to %q, %d cookies", w.Code, w.Header().Get("Location"), len(cookies))
	}
	if c := cookies[0]; !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Value != v.server.token {
		t.Errorf("the cookie is %v", c)
	}
}
