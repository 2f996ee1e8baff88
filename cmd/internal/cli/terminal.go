package cli

import (
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/nervure/nervure/internal/figure"
)

// watched says whether a stream is a terminal, so that somebody is looking.
func watched(stream any) bool {
	if w, ok := stream.(io.Writer); ok {
		stream = unguarded(w)
	}
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// charset tells from the locale, as the C library does, what can be shown.
func charset(getenv func(string) string) figure.Charset {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToUpper(getenv(name)); locale != "" {
			if strings.Contains(locale, "UTF-8") || strings.Contains(locale, "UTF8") {
				return figure.Unicode
			}
			return figure.ASCII
		}
	}
	return figure.ASCII
}
