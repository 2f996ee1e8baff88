package needs

import (
	"fmt"
	"testing"
)

// A recorder records how a test ends.
type recorder struct{ skipped, failed string }

func (*recorder) Helper()             {}
func (r *recorder) Skip(args ...any)  { r.skipped = fmt.Sprint(args...) }
func (r *recorder) Fatal(args ...any) { r.failed = fmt.Sprint(args...) }

func TestMissingSoftwareFailsInCIAlone(t *testing.T) {
	for ci, want := range map[string]recorder{
		"":      {skipped: "left out: no browser"},
		"false": {skipped: "left out: no browser"},
		"true":  {failed: "CI=true allows nothing to be left out: no browser"},
	} {
		t.Setenv("CI", ci)
		var got recorder
		if LeaveOut(&got, "no browser"); got != want {
			t.Errorf("CI=%s: got %+v, want %+v", ci, got, want)
		}
	}
}

func TestLongTestsAreOfTestAllAlone(t *testing.T) {
	for all, want := range map[string]bool{"": false, "no": false, "true": !testing.Short()} {
		t.Setenv("NERVURE_TEST_ALL", all)
		var got recorder
		if Long(&got, "takes long"); (got.skipped == "") != want || got.failed != "" {
			t.Errorf("NERVURE_TEST_ALL=%s: got %+v", all, got)
		}
	}
}

func TestPythonIsTheOneNamed(t *testing.T) {
	for named, want := range map[string]string{"": "python3", "other/python": "other/python"} {
		t.Setenv("NERVURE_PYTHON", named)
		if got := Python(); got != want {
			t.Errorf("NERVURE_PYTHON=%s: got %s, want %s", named, got, want)
		}
	}
}
