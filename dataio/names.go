package dataio

import (
	"io"
	"strings"

	"github.com/nervure/nervure/graph"
)

// DecodeNames reads the names of vertices from a text for [ReadOptions.Names]: one per
// line, in the order of the vertices, as they stand. file stands for the text in errors.
// Everything wrong with it is an [input.Error].
func DecodeNames(r io.Reader, file string) ([]string, error) {
	names, err := decodeNames(r)
	if err != nil {
		return nil, inFile(file, err)
	}
	return names, nil
}

func decodeNames(r io.Reader) ([]string, error) {
	names, err := textLines(r, "name", "name every vertex", maxLine)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		if err := checkName(name); err != nil {
			return nil, faultAt(i+1, 0, "%s", err)
		}
	}
	return names, distinct(names, func(i int) (string, int, int) { return place(i+1, 0), i + 1, 0 })
}

// textLines reads a text that has one thing a line, without blank lines but at its end. The
// sentences about it say what there is one of, and what to do for each.
func textLines(r io.Reader, one, each string, limit int64) ([]string, error) {
	b, _, _, err := openText(r)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(b, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > limit {
		return nil, fault("there are more than %d bytes of %ss: is this the right file?", limit, one)
	}
	lines := strings.Split(string(text), "\n")
	blank := func(line string) bool { return strings.TrimSpace(line) == "" }
	for len(lines) > 0 && blank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 {
		return nil, fault("there are no %ss in the file: write one per line", one)
	}
	for i, line := range lines {
		if blank(line) {
			return nil, faultAt(i+1, 0, "there is no %s here: %s, one per line", one, each)
		}
		lines[i] = strings.TrimSuffix(line, "\r")
	}
	return lines, nil
}

// vertexNames returns the names of n vertices: the file's own, those given for a file that
// has none, or v0, v1, ….
func (o ReadOptions) vertexNames(own []string, n int) ([]string, error) {
	switch {
	case own != nil && o.Names != nil:
		return nil, fault("the file has names of its own for the vertices: leave out those given besides")
	case own != nil:
		return own, nil
	case o.Names == nil:
		return graph.DefaultNames(n), nil
	case len(o.Names) != n:
		return nil, fault("there are %d given names for %d vertices: check the names, or whether the file has vertices in rows", len(o.Names), n)
	}
	return o.Names, nil
}
