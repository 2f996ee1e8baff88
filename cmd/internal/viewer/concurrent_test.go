package viewer

import (
	"fmt"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"testing"
)

// Two hundred requests at once, of all kinds, leave the server up and tidy.
func TestManyRequestsAtOnce(t *testing.T) {
	v := visit(t, Limits{Running: 2, Queue: 4})
	signals := learnable(t)
	before := heap()
	var all sync.WaitGroup
	var taken, refused atomic.Int32
	for k := range 200 {
		all.Go(func() {
			switch k % 4 {
			case 0:
				if status, _ := v.ask("GET", "/page.js", nil); status != http.StatusOK {
					t.Errorf("the page is answered %d", status)
				}
			case 1:
				if status, _ := v.ask("GET", fmt.Sprintf("/api/jobs/%d/events", k), nil); status != http.StatusNotFound {
					t.Errorf("a job that is not there is answered %d", status)
				}
			default:
				status, fields := v.ask("POST", "/api/jobs", nil)
				if status != http.StatusCreated {
					refused.Add(1)
					return
				}
				job := "/api/jobs/" + fields["id"].(string)
				if status, _ := v.upload(job, "signals.csv", signals); status != http.StatusCreated {
					refused.Add(1)
					return
				}
				switch status, fields := v.run(job, quick); status {
				case http.StatusAccepted:
					taken.Add(1)
					if end := v.end(job); end["code"] != 0.0 {
						t.Errorf("a job ends with %v", end)
					}
				case http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusNotFound:
					refused.Add(1)
					if fields["error"] == "" {
						t.Error("a refusal does not say why")
					}
				default:
					t.Errorf("a job is answered %d %v", status, fields)
				}
			}
		})
	}
	all.Wait()
	t.Logf("%d jobs were run, %d refused", taken.Load(), refused.Load())
	if taken.Load() == 0 {
		t.Error("no job was run at all")
	}
	if grown := int64(heap()) - int64(before); grown > 64<<20 {
		t.Errorf("the server has grown by %s", bytesInWords(grown))
	}
	left, err := os.ReadDir(v.server.dir)
	if err != nil || len(left) > v.server.limits.Kept {
		t.Errorf("%d directories are kept, %v", len(left), err)
	}
}
