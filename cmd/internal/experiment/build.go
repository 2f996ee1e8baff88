package experiment

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/nervure/nervure/internal/build"
)

// A Build says which program measured: results of different ones do not mix.
type Build struct {
	Version  string `json:"version"`
	Revision string `json:"revision"` // commit, or "" if the build does not know
	Modified bool   `json:"modified"` // the source differed from the commit
	Program  string `json:"program"`  // SHA-256 of the executable, which tells sources apart that have no revision; "" if not known
	Go       string `json:"go"`
	Platform string `json:"platform"` // rounding may differ between processors
}

// ThisBuild says which program this is.
func ThisBuild() Build {
	b := build.Read()
	return Build{
		Version: b.Version, Revision: b.Revision, Modified: b.Modified, Program: programSum(),
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
}

// String tells builds apart for people.
func (b Build) String() string {
	var marks []string
	if b.Revision != "" {
		marks = append(marks, b.Revision)
	}
	if b.Modified {
		marks = append(marks, "modified")
	}
	if b.Program != "" {
		marks = append(marks, "program "+b.Program[:min(len(b.Program), 12)])
	}
	s := b.Version
	if len(marks) > 0 {
		s += " (" + strings.Join(marks, ", ") + ")"
	}
	return s + " " + b.Go + " " + b.Platform
}

// programSum returns the SHA-256 of the running executable, "" if it cannot be read.
func programSum() string {
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
}
