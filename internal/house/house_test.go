// Package house has the tests of the repository itself: its layers, its public
// names, what it cites, fetches and publishes.
package house

import (
	"os"
	"testing"

	"github.com/nervure/nervure/internal/repository"
)

// Files are named by their paths in the repository.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// repositoryFiles lists the files of the repository, with slashes.
func repositoryFiles(t *testing.T) []string {
	t.Helper()
	files, err := repository.Files(".")
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// read returns the text of a file of the repository.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
