package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestNoticeListsAllThatIsLinked(t *testing.T) {
	root := filepath.Join("..", "..")
	want, err := noticeOf(t.Context(), source{dir: root})
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, noticeFile))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("NOTICE is out of date: run make notice\n%s", want)
	}
}
