package pages

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/benchmark"
	"github.com/nervure/nervure/cmd/docs/internal/realdata"
)

// realData makes docs/real-data.md: the commands of the walk with what they
// printed, its maps, and the tables of real sets and of known graphs. What was not
// run or measured is empty.
func realData(_ context.Context, root string) ([]File, error) {
	p, err := openPage(root, "docs/real-data.md")
	if err != nil {
		return nil, err
	}
	records, err := realdata.ReadRecords(filepath.Join(root, realdata.Results))
	if err != nil {
		return nil, err
	}
	for section, table := range realTables(records) {
		p.fillTable(section, table)
	}
	measured, err := benchmark.Read(filepath.Join(root, benchmark.File(robustRun)))
	if err != nil {
		return nil, err
	}
	for _, g := range robustGroups {
		p.fillTable(g.name, g.table(measured))
	}
	kept, err := realdata.ReadWalk(filepath.Join(root, realdata.WalkResults))
	if err != nil {
		return nil, err
	}
	for _, s := range realdata.Walk {
		text, err := screen(s, kept)
		if err != nil {
			p.fault(err)
		}
		p.fill(s.Name, text)
	}
	files, err := fillMaps(p, kept[realdata.WalkGraph])
	if err != nil {
		return nil, err
	}
	file, err := p.file()
	return append(files, file), errors.Join(checkRobustRows(measured), err)
}

// screen is the commands of a step with what they printed, alone if they were not
// run. It is an error if other commands were.
func screen(s realdata.Step, kept map[string]string) (string, error) {
	text, ran := kept[s.Name]
	var commands strings.Builder
	for command := range strings.Lines(s.Commands) {
		commands.WriteString("$ " + command)
		if ran && !strings.Contains(text, "$ "+command) {
			return "", fmt.Errorf("%s: %s was not run; make realdata runs it", realdata.WalkResults, strings.TrimSpace(command))
		}
	}
	if !ran {
		text = commands.String()
	}
	return "\n```console\n" + text + "```\n\n", nil
}
