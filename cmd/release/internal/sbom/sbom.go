// Package sbom writes what a release is made of as a software bill of materials in
// the format CycloneDX 1.6.
package sbom

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// A Module is a release or a part of it.
type Module struct {
	Path, Version string
	Sum           string // as in go.sum; "" if there is none
	Licence       string // SPDX expression
}

// A Release is what the bill is of.
type Release struct {
	Module
	Commit  string
	Created time.Time
	Parts   []Module // in any order
}

type bill struct {
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Serial       string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type       string          `json:"type"`
	Ref        string          `json:"bom-ref"`
	Name       string          `json:"name"`
	Version    string          `json:"version"`
	Licences   []licenceChoice `json:"licenses"`
	PURL       string          `json:"purl"`
	Properties []property      `json:"properties,omitempty"`
}

type licenceChoice struct {
	Expression string `json:"expression"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn,omitempty"`
}

// Write writes the bill as JSON.
func Write(w io.Writer, r Release) error {
	main := describe("application", r.Module, property{"commit", r.Commit})
	all := dependency{Ref: main.Ref}
	b := bill{Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{r.Created.UTC().Format(time.RFC3339), main}}
	parts := slices.Clone(r.Parts)
	slices.SortFunc(parts, func(a, b Module) int { return strings.Compare(a.Path, b.Path) })
	for _, m := range parts {
		c := describe("library", m, property{"go.sum", m.Sum})
		all.DependsOn = append(all.DependsOn, c.Ref)
		b.Components, b.Dependencies = append(b.Components, c), append(b.Dependencies, dependency{Ref: c.Ref})
	}
	b.Dependencies = append([]dependency{all}, b.Dependencies...)
	b.Serial = serial(b)
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(b)
}

func describe(kind string, m Module, more property) component {
	purl := "pkg:golang/" + strings.ReplaceAll(m.Path, "~", "%7E") + "@" + m.Version
	c := component{Type: kind, Ref: purl, Name: m.Path, Version: m.Version, Licences: []licenceChoice{{m.Licence}}, PURL: purl}
	if more.Value != "" {
		c.Properties = []property{more}
	}
	return c
}

// serial numbers a bill by its content: a UUID of version 8.
func serial(b bill) string {
	sum := sha256.Sum256(fmt.Append(nil, b))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
