package dataio

import (
	"archive/zip"
	"fmt"
	"strings"
	"testing"
)

// sheetFile is a workbook of one sheet. Cells are text, or numbers after =.
func sheetFile(t testing.TB, rows ...string) string {
	t.Helper()
	var data, file strings.Builder
	for r, row := range rows {
		fmt.Fprintf(&data, `<row r="%d">`, r+1)
		for c, cell := range strings.Split(row, ",") {
			if number, is := strings.CutPrefix(cell, "="); is {
				fmt.Fprintf(&data, `<c r="%c%d"><v>%s</v></c>`, 'A'+c, r+1, number)
			} else if cell != "" {
				fmt.Fprintf(&data, `<c r="%c%d" t="inlineStr"><is><t>%s</t></is></c>`, 'A'+c, r+1, cell)
			}
		}
		data.WriteString("</row>")
	}
	w := zip.NewWriter(&file)
	for name, text := range map[string]string{
		"xl/workbook.xml":            `<workbook><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Type="http://x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml":   "<worksheet><sheetData>" + data.String() + "</sheetData></worksheet>",
	} {
		part, err := w.Create(name)
		if err == nil {
			_, err = part.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// Numbers that a sheet has as text above others name the vertices.
func TestTextAboveNumbersOfASheetIsNames(t *testing.T) {
	const note = "row 1 is text and is read as the names of the vertices"
	for name, c := range map[string]struct{ file, names, note string }{
		"text above numbers":     {sheetFile(t, "8336,8337", "=1,=2", "=3,=5"), "8336 8337", note},
		"beside labels of rows":  {sheetFile(t, ",8336,8337", "=7,=1,=2", "=9,=3,=5"), "8336 8337", note},
		"numbers throughout":     {sheetFile(t, "=8336,=8337", "=1,=2", "=3,=5"), "v0 v1", ""},
		"text throughout":        {sheetFile(t, "8336,8337", "1,2", "3,5"), "v0 v1", ""},
		"text only in some cell": {sheetFile(t, "8336,=8337", "=1,=2", "=3,=5"), "v0 v1", ""},
	} {
		s, err := decode(c.file, XLSX, ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := strings.Join(s.Names, " "); got != c.names || !strings.Contains(strings.Join(s.Notes, "; "), c.note) {
			t.Errorf("%s: the vertices are %s, notes %q", name, got, s.Notes)
		}
	}
}
