package guard

import (
	"errors"
	"strings"
	"testing"
)

func TestAPanicIsAnErrorOfItsPart(t *testing.T) {
	fault := errors.New("as it is")
	if err := Run("a part", func() error { return fault }); err != fault { //nolint:errorlint // the same one
		t.Errorf("got %v", err)
	}
	err := Run("report.html", func() error { panic("boom") })
	if err == nil || !strings.HasPrefix(err.Error(), "report.html could not be made: internal error: boom; ") {
		t.Errorf("got %v", err)
	}
}
