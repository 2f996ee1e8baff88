package figure

import (
	"strings"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// typefaces are those of Liberation Sans, whose letters are as wide as those of
// Arial and Helvetica: what is measured with them fits in SVG, too.
var typefaces = sync.OnceValue(func() [2]font.Face {
	var faces [2]font.Face
	for k, ttf := range [2][]byte{liberationsansregular.TTF, liberationsansbold.TTF} {
		face, err := opentype.Parse(ttf)
		if err != nil {
			panic(err) // the font is part of the program
		}
		weight := [2]xfont.Weight{xfont.WeightNormal, xfont.WeightBold}[k]
		faces[k] = font.Face{Font: font.Font{Typeface: "Liberation", Variant: "Sans", Weight: weight}, Face: face}
	}
	return faces
})

// face returns the typeface of letters, that many points large.
func (l letters) face(points float64) font.Face {
	f := typefaces()[0]
	if l.bold {
		f = typefaces()[1]
	}
	f.Font.Size = vg.Length(points)
	return f
}

// width returns how wide a text is.
func (l letters) width(text string) float64 {
	f := l.face(l.size)
	return float64(f.Width(text))
}

// fitted shortens a text that is wider than there is room for.
func (l letters) fitted(text string, room float64) string {
	if l.width(text) <= room {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && l.width(string(runes)+"…") > room {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}

// known puts an empty box for each character that the typeface lacks.
func (l letters) known(text string) string {
	const missing = '□'
	var b sfnt.Buffer
	f := l.face(1)
	return strings.Map(func(r rune) rune {
		if k, err := f.Face.GlyphIndex(&b, r); err != nil || k == 0 || r > 0xffff { // which PDF's fonts end at
			return missing
		}
		return r
	}, text)
}
