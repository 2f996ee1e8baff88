package viewer

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Forty requests at once, of all kinds, leave the server up and tidy.
func TestManyRequestsAtOnce(t *testing.T) {
	v := visit(t, Limits{Running: 2, Queue: 4})
	signals := learnable(t)
	before := heap()
	var all sync.WaitGroup
	var taken, refused atomic.Int32
	for k := range 40 {
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
				case http.StatusTooManyRequests, http.StatusServiceUnavailable:
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

// A job waits for its files, and one that is deleted meanwhile says so.
func TestUploadsOnTheirWay(t *testing.T) {
	v := visit(t, Limits{Kept: 1, Idle: time.Nanosecond})
	job := v.newJob()
	body, upload := io.Pipe()
	answered := make(chan int)
	go func() {
		answer := v.request("PUT", job+"/files/signals.csv", body)
		answered <- answer.StatusCode
	}()
	if _, err := upload.Write(bytes.Repeat([]byte("1,2,3\n"), 20000)); err != nil {
		t.Fatal(err)
	}
	v.eventually("the upload has begun", func() bool {
		v.server.mu.Lock()
		defer v.server.mu.Unlock()
		return v.server.jobs[0].arriving["signals.csv"]
	})
	if status, fields := v.upload(job, "signals.csv", []byte("1,2\n")); status != http.StatusConflict || fields["error"] != "signals.csv is already being uploaded: wait until that has ended" {
		t.Errorf("a second upload of the same name is answered %d %v", status, fields)
	}
	if status, fields := v.upload(job, "vertices.csv", []byte("1,2\n")); status != http.StatusCreated {
		t.Errorf("an upload of another name is answered %d %v", status, fields)
	}
	if status, fields := v.run(job, quick); status != http.StatusConflict {
		t.Errorf("a start during the upload is answered %d %v", status, fields)
	}
	if status, fields := v.ask("PUT", job+"/results/graph.json", []byte("{}")); status != http.StatusConflict {
		t.Errorf("a result during the upload is answered %d %v", status, fields)
	}
	if status, fields := v.ask("POST", "/api/jobs", nil); status != http.StatusServiceUnavailable {
		t.Errorf("a second job is answered %d %v", status, fields)
	}
	if status, _ := v.ask("DELETE", job, nil); status != http.StatusNoContent {
		t.Errorf("deleting is answered %d", status)
	}
	upload.Close()
	if status := <-answered; status != http.StatusNotFound {
		t.Errorf("the upload of a job that was deleted is answered %d", status)
	}
}

// A file for which there is no room leaves the earlier one of its name as it is; one that
// breaks off has written over it.
func TestAFileWithoutRoomLeavesTheEarlierOne(t *testing.T) {
	v := visitWith(t, "no program", Limits{Upload: 100})
	job := v.newJob()
	if status, fields := v.upload(job, "signals.csv", []byte("1,2\n")); status != http.StatusCreated {
		t.Fatal(status, fields)
	}
	j := v.server.jobs[0]
	most := v.server.limits.stored()
	wantRefusal(t, v.server.expect(j, "signals.csv", most+1), http.StatusInsufficientStorage)
	wantRefusal(t, v.server.expect(j, "others.csv", most+1), http.StatusInsufficientStorage)
	if _, err := j.root.Stat("signals.csv"); err != nil || len(j.uploads) != 1 || j.size() != 4 {
		t.Errorf("%v and %v are left", j.uploads, err)
	}
	if err := v.server.expect(j, "signals.csv", 10); err != nil {
		t.Fatal(err)
	}
	wantRefusal(t, v.server.arrived(j, "signals.csv", most+1, nil), http.StatusInsufficientStorage)
	if _, err := j.root.Stat("signals.csv"); !os.IsNotExist(err) || len(j.uploads) != 0 || len(j.arriving) != 0 {
		t.Errorf("%v and %v are left", j.uploads, err)
	}
}
