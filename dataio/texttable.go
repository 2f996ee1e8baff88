package dataio

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nervure/nervure/input"
)

// A TextTable is a table with a header, of text as it is written.
type TextTable struct {
	Header []string
	Rows   [][]string
}

// Column returns the cells of a column, by its name; nil if there is none.
func (t *TextTable) Column(name string) []string {
	c := slices.Index(t.Header, name)
	if c < 0 {
		return nil
	}
	cells := make([]string, len(t.Rows))
	for k, row := range t.Rows {
		cells[k] = row[c]
	}
	return cells
}

// ReadTextTable reads a table from a .csv or .tsv file or, as from a pipe, one without an extension, perhaps gzipped.
// Everything wrong with the file is an [input.Error].
func ReadTextTable(path string) (*TextTable, error) {
	return fromFile(path, func(r io.Reader) (*TextTable, error) {
		if f, _ := FormatOf(path); f != "" && !f.Can(ReadsVertexTables) {
			return nil, &input.Error{File: path, Msg: fmt.Sprintf("a table is read from a .csv or .tsv file, not from .%s", f)}
		}
		return DecodeTextTable(r, path)
	})
}

// DecodeTextTable is [ReadTextTable] for text that comes from elsewhere; name is what sentences call it.
func DecodeTextTable(r io.Reader, name string) (*TextTable, error) {
	t, err := readContent(codecOf(CSV), r, readTextTable)
	return t, inFile(name, err)
}

func readTextTable(r io.Reader) (*TextTable, error) {
	rows, err := newRowReader(r, 0)
	if err != nil {
		return nil, err
	}
	cells, lines, err := rows.all()
	if err != nil {
		return nil, err
	}
	for _, row := range cells {
		for c := range row {
			row[c] = strings.TrimSpace(row[c])
		}
	}
	for c, name := range cells[0] {
		if name != "" && slices.Contains(cells[0][:c], name) {
			return nil, faultAt(lines[0], c+1, "another column is called %q, too: give each a name of its own", name)
		}
	}
	if len(cells) == 1 {
		return nil, faultAt(lines[0], 0, "there is a header but no row below it")
	}
	return &TextTable{Header: cells[0], Rows: cells[1:]}, nil
}
