package build

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
)

// A Program says which program this is: results of different ones do not mix.
type Program struct {
	Version  string `json:"version"`
	Revision string `json:"revision"` // commit, or "" if the build does not know
	Modified bool   `json:"modified"` // the source differed from the commit
	Program  string `json:"program"`  // SHA-256 of the executable, which tells sources apart that have no revision; "" if not known
	Go       string `json:"go"`
	Platform string `json:"platform"` // rounding may differ between processors
}

// This says which program this is.
func This() Program {
	b := Read()
	return Program{
		Version: b.Version, Revision: b.Revision, Modified: b.Modified, Program: programSum(),
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
}

// String tells programs apart for people.
func (p Program) String() string {
	var marks []string
	if p.Revision != "" {
		marks = append(marks, p.Revision)
	}
	if p.Modified {
		marks = append(marks, "modified")
	}
	if p.Program != "" {
		marks = append(marks, "program "+p.Program[:min(len(p.Program), 12)])
	}
	s := p.Version
	if len(marks) > 0 {
		s += " (" + strings.Join(marks, ", ") + ")"
	}
	return s + " " + p.Go + " " + p.Platform
}

// programSum is the SHA-256 of the running executable, "" if it cannot be read.
var programSum = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil))
})
