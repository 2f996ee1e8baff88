package document

import (
	"encoding/json"
	"testing"
)

func TestRoundedNumbersKeepVerticesWhole(t *testing.T) {
	for number, want := range map[Rounded]string{0: "0", 123456: "123456", -2: "-2", 1.0 / 3: "0.33333", 1234.5678: "1234.6", 1e300: "1e+300"} {
		if got, err := json.Marshal(number); err != nil || string(got) != want {
			t.Errorf("%g: got %s (%v), want %s", float64(number), got, err, want)
		}
	}
}

// What is read is written again byte by byte: nothing is lost between the program
// and whoever passes its events on.
func TestEventsAreReadBack(t *testing.T) {
	for _, line := range []string{
		`{"event":"begin","what":"learning"}`,
		`{"event":"step","start":1,"round":2,"phase":"coding","residual":0.25,"objective":null,"edges":3,"graph":{"vertices":["a","b"],"edges":[[0,1,0.33333]],"x":[0,1],"y":[0.5,-1]}}`,
		`{"event":"half","done":3,"of":40}`,
		`{"event":"half","done":3,"of":40,"stage":5,"stages":5,"stage_name":"confidence","seconds_left":0.5}`,
		`{"event":"graph","graph":{"edges":[[0,1,1.5,0.9]],"x":[0,1],"y":[0,1]}}`,
	} {
		var e Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(e); err != nil || string(got) != line {
			t.Errorf("got  %s (%v)\nwant %s", got, err, line)
		}
	}
}
