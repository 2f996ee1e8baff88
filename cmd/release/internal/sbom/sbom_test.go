package sbom

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"testing"
	"time"
)

func release() Release {
	return Release{
		Module: Module{"example.org/tool", "v1.2.3", "", "MIT"}, Commit: "abc", Created: time.Unix(1_700_000_000, 0),
		Parts: []Module{{"stdlib", "v1.26.0", "", "BSD-3-Clause"}, {
			"git.example.org/~ann/x", "v0.1.0", "h1:abc=",
			"MIT AND (FTL OR GPL-2.0-or-later)",
		}},
	}
}

func TestBytesDependOnContentAlone(t *testing.T) {
	var a, b, c bytes.Buffer
	other, changed := release(), release()
	slices.Reverse(other.Parts)
	changed.Commit = "abd"
	if err := errors.Join(Write(&a, release()), Write(&b, other), Write(&c, changed)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("another order of the parts gives other bytes")
	}
	serial := regexp.MustCompile(`"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"`)
	if x, y := serial.Find(a.Bytes()), serial.Find(c.Bytes()); x == nil || bytes.Equal(x, y) {
		t.Errorf("two releases have the serial numbers %s and %s", x, y)
	}
}

func TestBillNamesAllPartsAndTheirLicences(t *testing.T) {
	var out bytes.Buffer
	if err := Write(&out, release()); err != nil {
		t.Fatal(err)
	}
	var got struct {
		BOMFormat, SpecVersion string
		Metadata               struct {
			Timestamp string
			Component struct{ PURL string }
		}
		Components []struct {
			Name, Version, PURL string
			Licenses            []struct{ Expression string }
		}
		Dependencies []struct {
			Ref       string
			DependsOn []string
		}
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	refs := regexp.MustCompile(`"bom-ref": *"([^"]*)"`).FindAllSubmatch(out.Bytes(), -1)
	if len(refs) != 3 || bytes.Equal(refs[1][1], refs[2][1]) {
		t.Errorf("parts are told apart as %q", refs)
	}
	if got.BOMFormat != "CycloneDX" || got.SpecVersion != "1.6" || got.Metadata.Timestamp != "2023-11-14T22:13:20Z" ||
		got.Metadata.Component.PURL != "pkg:golang/example.org/tool@v1.2.3" {
		t.Errorf("%+v", got)
	}
	c := got.Components
	if len(c) != 2 || c[0].PURL != "pkg:golang/git.example.org/%7Eann/x@v0.1.0" ||
		c[0].Licenses[0].Expression != "MIT AND (FTL OR GPL-2.0-or-later)" || c[1].Name != "stdlib" {
		t.Errorf("%+v", c)
	}
	if d := got.Dependencies; len(d) != 3 || d[0].Ref != got.Metadata.Component.PURL ||
		!slices.Equal(d[0].DependsOn, []string{c[0].PURL, c[1].PURL}) {
		t.Errorf("%+v", d)
	}
}
