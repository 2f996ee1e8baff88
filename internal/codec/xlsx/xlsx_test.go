package xlsx

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nervure/nervure/internal/codec/inflate"
	"github.com/nervure/nervure/internal/fuzzing"
)

// parts are those of a workbook that its sheets have in common.
func parts(sheet string, more map[string]string) map[string]string {
	p := map[string]string{
		"_rels/.rels":                `<Relationships><Relationship Id="a" Type="http://x/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml":            `<workbook><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Type="http://x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="http://x/styles" Target="styles.xml"/><Relationship Id="r3" Type="http://x/sharedStrings" Target="/xl/shared.xml"/></Relationships>`,
		"xl/styles.xml":              `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="d.m.yyyy hh:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="20"/><xf numFmtId="164"/><xf numFmtId="46"/></cellXfs></styleSheet>`,
		"xl/shared.xml":              `<sst><si><t>north</t></si><si><r><t>so</t></r><r><t>uth</t></r><rPh sb="0" eb="1"><t>aside</t></rPh></si></sst>`,
		"xl/worksheets/sheet1.xml":   `<worksheet><sheetData>` + sheet + `</sheetData></worksheet>`,
	}
	for name, text := range more {
		p[name] = text
	}
	return p
}

func zipped(t testing.TB, p map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	var names []string
	for name := range p {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(p[name]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// read reads the first sheet, as lines of a number and cells.
func read(file []byte, most int) (string, error) {
	w, err := Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, s := range w.Sheets[:min(len(w.Sheets), 1)] {
		rows, err := w.Read(s, most)
		if err != nil {
			return "", err
		}
		for _, row := range rows {
			fmt.Fprintf(&text, "%d:%s\n", row.Number, strings.Join(row.Cells, "|"))
		}
	}
	return text.String(), nil
}

// The kinds of cells are those of ISO/IEC 29500-1, 18.18.11, and the days those of its 18.17.4.1.
func TestCellsAreReadByTheirKind(t *testing.T) {
	for name, c := range map[string]struct {
		sheet string
		more  map[string]string
		want  string
	}{
		"shared texts":             {`<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>`, nil, "1:north|south\n"},
		"texts within":             {`<row r="1"><c r="A1" t="inlineStr"><is><t>a &amp; b</t></is></c></row>`, nil, "1:a & b\n"},
		"a gap, and rows apart":    {`<row r="2"><c r="C2"><v>1.5</v></c></row><row r="5"><c r="A5"><v>-1E-3</v></c></row>`, nil, "2:||1.5\n5:-1E-3\n"},
		"no references":            {`<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row>`, nil, "1:1|2\n2:3\n"},
		"formulas with values":     {`<row><c><f>1+1</f><v>2</v></c><c t="str"><f>"a"</f><v>a</v></c><c t="str"><f>""</f><v></v></c></row>`, nil, "1:2|a\n"},
		"faults and truth":         {`<row><c t="e"><v>#N/A</v></c><c t="b"><v>1</v></c></row>`, nil, "1:#N/A|TRUE\n"},
		"a date":                   {`<row><c s="1"><v>45322</v></c><c s="1"><v>1</v></c><c s="1"><v>61</v></c></row>`, nil, "1:2024-01-31|1900-01-01|1900-03-01\n"},
		"a time":                   {`<row><c s="3"><v>45322.5625</v></c><c s="2"><v>0.5625</v></c><c s="4"><v>1.5</v></c></row>`, nil, "1:2024-01-31 13:30:00|13:30:00|1.5\n"},
		"days from 1904":           {`<row><c s="1"><v>43860</v></c></row>`, map[string]string{"xl/workbook.xml": `<workbook><workbookPr date1904="1"/><sheets><sheet name="One" r:id="r1"/></sheets></workbook>`}, "1:2024-01-31\n"},
		"a date of another format": {`<row><c t="d"><v>2024-01-31T13:30:00</v></c></row>`, nil, "1:2024-01-31 13:30:00\n"},
		"empty cells":              {`<row r="1"><c r="A1" s="1"/><c r="B1"><v></v></c></row>`, nil, ""},
	} {
		if got, err := read(zipped(t, parts(c.sheet, c.more)), 100); err != nil || got != c.want {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, c.want)
		}
	}
}

func TestWhatIsNoWorkbookIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		file []byte
		want error
	}{
		"no archive":             {[]byte("PK"), ErrDamaged},
		"another archive":        {zipped(t, map[string]string{"a": "b"}), ErrDamaged},
		"a lost sheet":           {zipped(t, parts("", map[string]string{"xl/_rels/workbook.xml.rels": "<Relationships/>"})), ErrDamaged},
		"a lost text":            {zipped(t, parts(`<row><c t="s"><v>2</v></c></row>`, nil)), ErrDamaged},
		"cells that go back":     {zipped(t, parts(`<row><c r="B1"><v>2</v></c><c r="A1"><v>2</v></c></row>`, nil)), ErrDamaged},
		"a sheet without an end": {zipped(t, parts(`<row><c>`, map[string]string{"xl/worksheets/sheet1.xml": "<row><c>"})), ErrDamaged},
		"no value":               {zipped(t, parts(`<row r="3"><c r="AB3"><f>1+1</f></c></row>`, nil)), &FormulaError{"AB3"}},
		"too many cells":         {zipped(t, parts(`<row r="1"><c r="ZZ1"><v>1</v></c></row>`, nil)), ErrCells},
		"a bomb":                 {zipped(t, parts("", map[string]string{"xl/worksheets/sheet1.xml": strings.Repeat(" ", 20<<20)})), inflate.ErrRatio},
	} {
		if got, err := read(c.file, 100); err == nil || !errors.Is(err, c.want) && err.Error() != c.want.Error() {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}

// The codes are those of ISO/IEC 29500-1, 18.8.31, and of spreadsheets in several languages.
func TestFormatsOfDatesAreToldFromOthers(t *testing.T) {
	for code, want := range map[string]clock{
		"General": noClock, "0.00": noClock, "#,##0.00 [$€-407]": noClock, `0.0" days"`: noClock, "[Red]-0": noClock, "0.00E+00": noClock, "[h]:mm": noClock, "@": noClock, `0\h`: noClock,
		"yyyy-mm-dd": date, "d. mmmm yyyy": date, "[$-409]m/d/yy h:mm AM/PM;@": date, "dd/mm/yyyy hh:mm:ss.000": date, `yyyy"年"m"月"`: date, "mmm-yy": date,
		"hh:mm": daytime, "h:mm:ss AM/PM": daytime, "mm:ss.0": daytime,
	} {
		if got := clockOf(code); got != want {
			t.Errorf("%s: got %d, want %d", code, got, want)
		}
	}
	for column, want := range map[int]string{1: "A", 26: "Z", 27: "AA", 52: "AZ", 53: "BA", 702: "ZZ", 703: "AAA", 16384: "XFD"} {
		if got := Name(7, column); got != want+"7" || columnOf(got) != column {
			t.Errorf("column %d: got %s and %d back", column, got, columnOf(got))
		}
	}
}

// longest is how much of an input is looked at; more of it is slower and says no more.
const longest = 16 << 10

// Whatever a file holds, it is read or refused.
func FuzzWorkbook(f *testing.F) {
	f.Add(zipped(f, parts(`<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="3"><v>45322.5</v></c></row>`, nil)))
	for _, name := range []string{"openpyxl.xlsx", "xlsxwriter.xlsx"} { // which other programs wrote
		file, err := os.ReadFile(filepath.Join("../../../dataio/testdata/everyday", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		_, err := read(file[:min(len(file), longest)], 1<<12)
		var formula *FormulaError
		if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrBinary) && !errors.Is(err, ErrCells) && !errors.Is(err, inflate.ErrRatio) && !errors.As(err, &formula) {
			t.Fatalf("%v is none of the errors of the package", err)
		}
	})
}

// build returns a sheet, and what it holds.
func build(c *fuzzing.Choices) (sheet, want string) {
	var rows, text strings.Builder
	number := 0
	for range 1 + c.Int(5) {
		number += 1 + c.Int(3)
		var cells []string
		fmt.Fprintf(&rows, `<row r="%d">`, number)
		for column := 1; column <= 1+c.Int(5); column++ {
			ref := ""
			if c.Bool() || len(cells) < column-1 {
				ref = fmt.Sprintf(` r="%s"`, Name(number, column))
			}
			var escaped strings.Builder
			value := strconv.FormatFloat(c.Number(), 'g', -1, 64)
			switch c.Int(5) {
			case 0:
				fmt.Fprintf(&rows, `<c%s><v>%s</v></c>`, ref, value)
			case 1:
				fmt.Fprintf(&rows, `<c%s t="s"><v>1</v></c>`, ref)
				value = "south"
			case 2:
				fmt.Fprintf(&rows, `<c%s><f>A1*2</f><v>%s</v></c>`, ref, value)
			case 3:
				value = strings.TrimSpace(strings.Map(func(r rune) rune {
					if r < ' ' || r == '\ufffd' || r > 0xfffd { // what XML cannot hold
						return -1
					}
					return r
				}, c.Text()))
				_ = xml.EscapeText(&escaped, []byte(value)) // into memory
				fmt.Fprintf(&rows, `<c%s t="inlineStr"><is><t>%s</t></is></c>`, ref, escaped.String())
			default:
				value = ""
			}
			if value != "" {
				for len(cells) < column-1 {
					cells = append(cells, "")
				}
				cells = append(cells, value)
			} else if ref == "" { // the next has to say where it is
				cells = cells[:min(len(cells), column-1)]
			}
		}
		rows.WriteString(`</row>`)
		if len(cells) > 0 {
			fmt.Fprintf(&text, "%d:%s\n", number, strings.Join(cells, "|"))
		}
	}
	return rows.String(), text.String()
}

// A sheet that was written reads as what was put in. Damaged, it reads as it was or not at all: all that is in an
// archive has a checksum, and what leads from part to part is in parts.
func FuzzBuiltWorkbook(f *testing.F) {
	f.Add([]byte{}, []byte{})
	f.Add([]byte("\x02\x01\x03\x01\x00\x09\x01\x01\x02\x01\x03\x02ab\x00\x01"), []byte{2, 30, 8, 4})
	f.Add([]byte("\x03\x00\x04\x00\x01\x01\x03\x01\x05\x02\x02\x07\x01\x00\x03\x02<&"), []byte{0, 200, 4, 2})
	f.Fuzz(func(t *testing.T, recipe, harm []byte) {
		sheet, want := build(fuzzing.By(recipe))
		file := zipped(t, parts(sheet, nil))
		if got, err := read(file, 1<<12); err != nil || got != want {
			t.Fatalf("%s: got %q, %v, want %q", sheet, got, err, want)
		}
		damaged := fuzzing.By(harm).Damage(file)
		if got, err := read(damaged, 1<<12); err == nil && got != want && got != "" {
			t.Errorf("%s: damaged, got %q, want %q", sheet, got, want)
		}
	})
}
