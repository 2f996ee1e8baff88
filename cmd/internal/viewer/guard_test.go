package viewer

import (
	"io"
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

// No other site can drive the server, nor read from it.
func TestOnlyThePageItselfIsServed(t *testing.T) {
	v := visitWith(t, "no program", Limits{})
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	bare := func(r *http.Request) { r.Header.Del("Cookie") }
	for _, c := range []struct {
		name   string
		method string
		path   string
		change func(*http.Request)
		want   int
	}{
		{"the page", "GET", "/", header("Sec-Fetch-Site", "none"), 200},
		{"the page, from a link elsewhere", "GET", "/", header("Sec-Fetch-Site", "cross-site"), 200},
		{"a job, by the page", "POST", "/api/jobs", header("Sec-Fetch-Site", "same-origin"), 201},
		{"a job, by a program", "POST", "/api/jobs", func(*http.Request) {}, 201},
		{"a job, by another site", "POST", "/api/jobs", header("Sec-Fetch-Site", "cross-site"), 403},
		{"a job, by another port", "POST", "/api/jobs", header("Sec-Fetch-Site", "same-site"), 403},
		{"a job, by another origin", "POST", "/api/jobs", header("Origin", "http://evil.example"), 403},
		{"a job, by an origin that is hidden", "POST", "/api/jobs", header("Origin", "null"), 403},
		{"a script, by another site", "GET", "/page.js", header("Sec-Fetch-Site", "cross-site"), 403},
		{"events, by another site", "GET", "/api/jobs/x/events", header("Sec-Fetch-Site", "cross-site"), 403},
		{"a name pointed at us", "GET", "/", func(r *http.Request) { r.Host = "evil.example" }, 421},
		{"no cookie", "GET", "/", bare, 403},
		{"no cookie, for a job", "POST", "/api/jobs", bare, 403},
		{"a wrong cookie", "GET", "/", func(r *http.Request) {
			r.Header.Set("Cookie", v.server.cookie()+"=wrong")
		}, 403},
		{"a wrong token", "GET", "/?token=wrong", bare, 403},
		{"the token, for something else", "POST", "/api/jobs?token=" + v.server.token, bare, 403},
		{"a way out of the page's files", "GET", "/../../etc/passwd", func(*http.Request) {}, 404},
		{"asking leave, as other sites do", "OPTIONS", "/api/jobs", header("Origin", "http://evil.example"), 405},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := v.request(c.method, c.path, nil, c.change)
			if answer.StatusCode != c.want {
				b, _ := io.ReadAll(answer.Body)
				t.Errorf("got %d, want %d: %.200s", answer.StatusCode, c.want, b)
			}
			for name := range answer.Header {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("the answer has %s", name)
				}
			}
			if policy := answer.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") {
				t.Errorf("the policy is %q", policy)
			}
		})
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
