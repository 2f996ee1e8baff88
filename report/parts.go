package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"io/fs"

	"github.com/nervure/nervure/figure"
)

// Style returns the style sheet of pages about many graphs, which is that of the report
// and of lists, and its hash as a security policy wants it.
func Style() (text template.CSS, hash string, err error) {
	for _, name := range []string{"theme.css", "report.css", "list.css"} {
		part, err := fs.ReadFile(Assets(), name)
		if err != nil {
			return "", "", err
		}
		text += template.CSS(part)
	}
	sum := sha256.Sum256([]byte(text))
	return text, "sha256-" + base64.StdEncoding.EncodeToString(sum[:]), nil
}

// Picture returns a drawing as the address of an image, for such pages.
func Picture(d figure.Drawing) (template.URL, error) {
	var b bytes.Buffer
	if err := figure.Write(&b, figure.SVG, figure.Page{}, d); err != nil {
		return "", err
	}
	return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(b.Bytes())), nil
}
