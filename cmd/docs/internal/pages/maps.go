package pages

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/measure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/examples"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/inputs"
	"github.com/nervure/nervure/internal/plot"
)

// molene is the sample whose graph is drawn on a map.
const molene = inputs.SamplePrefix + "molene"

// A stationMap is the graph of the walk, drawn where the stations are.
type stationMap struct {
	section, title string
	against        bool // beside the proxy for the truth
}

var stationMaps = []stationMap{
	{"map", "The graph learned from hourly changes of temperature; lines are as wide as the confidence of their edges", false},
	{"against", "The same edges beside the Gabriel graph of the stations", true},
}

// fillMaps draws the maps of an edge list and shows them on the page; without an
// edge list there are none.
func fillMaps(p *page, learned string) ([]File, error) {
	var files []File
	for _, m := range stationMaps {
		text := ""
		if learned != "" {
			svg, err := m.draw(learned)
			if err != nil {
				return nil, err
			}
			name := fmt.Sprintf("results/molene-%s.svg", m.section)
			files = append(files, File{Path: "docs/" + name, Text: svg})
			text = fmt.Sprintf("\n![%s](%s)\n\n", m.title, name)
		}
		p.fill(m.section, text)
	}
	return files, nil
}

// draw returns the map of an edge list as SVG.
func (m stationMap) draw(learned string) (string, error) {
	n, err := m.network(learned)
	if err != nil {
		return "", err
	}
	var svg strings.Builder
	err = n.SVG(&svg)
	return svg.String(), err
}

// network is an edge list on the map, its lines as wide as the confidence of edges; against
// the truth they are right or wrong, and those of the truth that are missed are shown too.
func (m stationMap) network(learned string) (n figure.Network, err error) {
	stations, err := verticesOf(molene)
	if err != nil {
		return n, err
	}
	g, err := dataio.DecodeGraph(strings.NewReader(learned), measure.WalkGraph, dataio.CSV, stations.Names)
	if err != nil {
		return n, err
	}
	truth, err := inputs.Graph(molene, stations.Names, inputs.Open)
	if err != nil {
		return n, err
	}
	if n = plot.Graph(m.title, g, stations); m.against {
		n = plot.Against(m.title, g, truth, stations)
	} else {
		for k, c := range g.Confidence() {
			n.Edges[k].Weight = c
		}
	}
	n.Confidence = nil
	latitude, longitude := stations.Columns[0].Numbers, stations.Columns[1].Numbers
	// A degree of longitude is shorter than one of latitude, by the cosine of the latter.
	shrink := math.Cos(latitude[0] * math.Pi / 180)
	for k, name := range stations.Names {
		n.Vertices[k] = figure.Vertex{Name: stationName(name), X: shrink * longitude[k], Y: latitude[k]}
	}
	return n, nil
}

// stationName is a name as people write it: VANNES_SENE is Vannes Sene.
func stationName(s string) string {
	words := strings.Split(strings.ToLower(s), "_")
	for k, w := range words {
		if w != "" {
			words[k] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, " ")
}

// verticesOf is the table about the vertices of a sample: the two numbers that say where
// they are come first.
func verticesOf(sample string) (*dataio.VertexTable, error) {
	return inputs.From(inputs.Open, sample, examples.Vertices, func(r io.Reader, f dataio.Format) (*dataio.VertexTable, error) {
		return dataio.DecodeVertices(r, sample, f)
	})
}
