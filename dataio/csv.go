package dataio

// CSV is a table of text with commas between cells. Files that are read may have
// semicolons or tabs instead, whichever their first lines use; with semicolons,
// numbers may have a decimal comma. A graph is an edge list: a line for each edge,
// so that vertices without one are not in it.
const CSV Format = "csv"

var _ = register(delimited{CSV, ',', false}.codec(10, Description{Name: "comma-separated table", MediaType: "text/csv; charset=utf-8"}))
