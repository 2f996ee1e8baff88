package document_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
)

// Read the document of a run, as nervure run does, and change what it asks for.
func ExampleParseRun() {
	run, err := document.ParseRun(strings.NewReader(`{"version": 1, "read": {"files": ["gauges.csv"]}, "method": {"name": "ggl"}}`))
	if err != nil {
		log.Fatal(err)
	}
	run.Prepare.Difference = "yes"
	if err := document.Write(os.Stdout, run); err != nil {
		log.Fatal(err)
	}

	_, err = document.ParseRun(strings.NewReader(`{"version": 1, "read": {"file": "gauges.csv"}}`))
	fmt.Println(input.Sentence(err))
	// Output:
	// {
	//   "version": 1,
	//   "read": {
	//     "files": [
	//       "gauges.csv"
	//     ]
	//   },
	//   "prepare": {
	//     "difference": "yes"
	//   },
	//   "method": {
	//     "name": "ggl"
	//   }
	// }
	// `read.file` is not a key of a run; did you mean read.files?
}
