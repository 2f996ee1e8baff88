// Command manual turns the Markdown of docs into a small static site that needs
// no host and no server: `make site` runs it.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	docs := flag.String("docs", "docs", "directory of the Markdown")
	out := flag.String("out", "bin/site", "directory to write the site to")
	flag.Parse()
	s, err := read(*docs)
	if err == nil {
		err = s.write(*out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "manual:", err)
		os.Exit(1)
	}
	fmt.Printf("%d pages in %s: open %s/index.html\n", len(s.pages), *out, *out)
}
