package pages

import "testing"

func TestNumbersInTables(t *testing.T) {
	for got, want := range map[string]string{
		digits(0):          unmeasured,
		digits(0.012345):   "0.0123",
		digits(99.96):      "100",
		digits(12345.6):    "12346",
		ratio(1, 3):        "0.333",
		ratio(1, 0):        unmeasured,
		share(1, 8):        "12 %",
		share(0, 8):        unmeasured,
		whole(10_000):      "10000",
		hundredths(0.005):  "0.01",
		tenThousandths(.5): "0.5000",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
