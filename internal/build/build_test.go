package build

import (
	"runtime/debug"
	"testing"
)

func TestVersionsOfPrograms(t *testing.T) {
	const pseudo = "0.0.0-20250102030405-abcdefabcdef"
	settings := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: modified}}
	}
	for name, c := range map[string]struct {
		info debug.BuildInfo
		want Info
	}{
		"nothing is known": {debug.BuildInfo{}, Info{Version: sourceVersion}},
		"a tag":            {debug.BuildInfo{Main: debug.Module{Path: module, Version: "v1.2.3"}}, Info{Version: "1.2.3", Released: "1.2.3"}},
		"a checkout":       {debug.BuildInfo{Main: debug.Module{Path: module, Version: "(devel)"}}, Info{Version: sourceVersion}},
		"a commit without a tag": {
			debug.BuildInfo{Main: debug.Module{Path: module, Version: "v" + pseudo}, Settings: settings("false")},
			Info{Version: sourceVersion, Released: pseudo, Revision: "abc"},
		},
		"a changed source": {
			debug.BuildInfo{Main: debug.Module{Path: module, Version: "v1.2.3+dirty"}, Settings: settings("true")},
			Info{Version: sourceVersion, Revision: "abc", Modified: true},
		},
		"another program": {
			debug.BuildInfo{Main: debug.Module{Path: "example.org/x", Version: "(devel)"}, Deps: []*debug.Module{{Path: "example.org/y", Version: "v9.0.0"}, {Path: module, Version: "v1.2.3"}}},
			Info{Version: "1.2.3"},
		},
	} {
		if got := of(&c.info); got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

func TestAReleaseKnowsItself(t *testing.T) {
	defer func(v, c string) { releaseVersion, releaseCommit = v, c }(releaseVersion, releaseCommit)
	releaseVersion, releaseCommit = "1.2.3-rc.1", "abc"
	if got, want := Read(), (Info{Version: "1.2.3-rc.1", Released: "1.2.3-rc.1", Revision: "abc"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
