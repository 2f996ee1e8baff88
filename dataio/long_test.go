package dataio

import (
	"strings"
	"testing"
)

// A year beside a name makes a table with a row for each value only if most names have most years, or if the name says
// what it is of: else it is one of things that have a year.
func TestYearsOfThingsMakeNoLongTable(t *testing.T) {
	const cars = "brand,year,price\nFord,2001,1500\nOpel,2003,2500\nFord,2004,1700\nFiat,2004,2600\nOpel,1999,900\nVW,2010,5000\nFiat,2011,3000\n"
	for name, c := range map[string]struct{ text, want string }{
		"cars":                  {cars, "year price"},
		"cars and their colour": {strings.NewReplacer("brand,", "brand,colour,", "Ford,", "Ford,red,", "Opel,", "Opel,red,", "Fiat,", "Fiat,blue,", "VW,", "VW,blue,").Replace(cars), "year price"},
		"stations, few years":   {strings.Replace(cars, "brand", "station", 1), "Ford Opel Fiat VW"},
		"most years":            {"party,year,share\nleft,2001,3\nright,2001,4\nleft,2005,5\nright,2005,2\n", "left right"},
	} {
		s, err := decode(c.text, CSV, ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := strings.Join(s.Names, " "); got != c.want {
			t.Errorf("%s: the vertices are %s, want %s", name, got, c.want)
		}
	}
}
