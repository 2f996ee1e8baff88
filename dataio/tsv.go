package dataio

// TSV is [CSV] with tabs between cells.
const TSV Format = "tsv"

var _ = register(delimited{TSV, '\t', true}.codec(20, Description{Name: "tab-separated table", MediaType: "text/tab-separated-values; charset=utf-8", VariantOf: CSV}))
