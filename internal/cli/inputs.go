package cli

import (
	"errors"
	"io/fs"
	"os"

	"github.com/nervure/nervure/dataio"
)

// checkInput finds out that there is no such file before anybody wonders about
// the extension of its name.
func checkInput(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &dataio.InputError{File: path, Msg: "there is no such file"}
	case err == nil && info.IsDir():
		return &dataio.InputError{File: path, Msg: "this is a directory: give a file in it"}
	}
	return nil
}
