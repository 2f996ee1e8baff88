package dataio

import (
	"bytes"

	"github.com/nervure/nervure/input"
)

// Files that people have and that are not read: what they are, and what to do with them.

// oldOffice is how files of Microsoft Office begin that are older than 2007, or have a password.
const oldOffice = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

// A foreign format is one that is not read.
type foreign struct {
	extensions []string
	start      string // of such files; empty if that says nothing
	means      string
	mend       string
}

var foreigners = []foreign{
	{[]string{"xls"}, oldOffice, "a workbook of Excel 97 to 2003, or one with a password", "save it as .xlsx or .csv"},
	{[]string{"xlsb"}, "", "a binary Excel workbook", "save it as .xlsx or .csv"},
	{[]string{"ods", "fods", "numbers", "gsheet"}, "", "a workbook of another program than Excel", "save it as .xlsx or .csv"},
	{
		[]string{"h5", "hdf5", "hdf", "he5", "nc", "nc4", "cdf", "netcdf"},
		"\x89HDF\r\n\x1a\n",
		"an HDF5 or NetCDF file",
		"save the array as .npy or .mat (v7), such as numpy.save(\"signals.npy\", h5py.File(name)[\"signals\"][:])",
	},
	{
		[]string{"edf", "bdf", "gdf", "vhdr", "set", "fif"},
		"",
		"a recording in a format of its own",
		"export it as .csv, or save its array as .npy, such as numpy.save(\"signals.npy\", raw.get_data().T) with MNE",
	},
	{[]string{"rds", "rda", "rdata"}, "", "a file of R", "write the data frame with write.csv(x, \"signals.csv\", row.names = FALSE)"},
	{
		[]string{"pkl", "pickle", "joblib"},
		"\x80\x04\x95",
		"a pickle of Python",
		"write the frame with to_csv or to_parquet, or the array with numpy.save",
	},
	{[]string{"feather", "arrow"}, "ARROW1", "an Arrow file", "write it as .parquet"},
	{[]string{"sav", "zsav", "dta", "sas7bdat", "xpt"}, "", "a file of a statistics program", "export it as .csv"},
	{
		[]string{"nii", "mgz", "gii", "dtseries"},
		"",
		"an image of the brain",
		"extract a time series for each region first, and save them as .csv or .npy",
	},
	{[]string{"pdf", "doc", "docx"}, "%PDF", "a document", "copy its table into a file .csv"},
	{[]string{"zip", "7z", "rar", "tar", "bz2", "xz", "zst"}, "", "an archive", "unpack it first, or compress the file with gzip"},
}

// remedy is what to do with a file of an extension that is not read; empty if that is not known.
func remedy(extension string) string {
	for _, f := range foreigners {
		for _, known := range f.extensions {
			if known == extension {
				return f.mend
			}
		}
	}
	return ""
}

// recogniseForeign answers a file that is not read, and was taken for text.
func recogniseForeign(start []byte) error {
	for _, f := range foreigners {
		if f.start != "" && bytes.HasPrefix(start, []byte(f.start)) {
			return &input.Error{Msg: "this is " + f.means + ", not text: " + f.mend, Format: f.extensions[0]}
		}
	}
	return nil
}
