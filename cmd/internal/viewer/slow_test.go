package viewer

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// A client that announces a body and does not send it is left, whether it has the
// cookie or not.
func TestABodyThatNeverComesIsNotWaitedFor(t *testing.T) {
	v := visitWith(t, "no program", Limits{Body: 50 * time.Millisecond})
	job := v.newJob()
	for name, cookie := range map[string]string{"a stranger": "", "the page": v.server.cookie() + "=" + v.server.token} {
		t.Run(name, func(t *testing.T) {
			host := strings.TrimPrefix(v.url, "http://")
			c, err := net.Dial("tcp", host)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			fmt.Fprintf(c, "POST %s/run HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\nContent-Length: 100\r\n\r\n{", job, host, cookie)
			_ = c.SetReadDeadline(time.Now().Add(10 * time.Minute)) // only so that a fault ends
			if _, err := io.Copy(io.Discard, bufio.NewReader(c)); err != nil {
				t.Errorf("the connection is still there: %v", err)
			}
		})
	}
}
