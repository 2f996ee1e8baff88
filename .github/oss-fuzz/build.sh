#!/bin/bash -eu
# Builds every fuzz target of the module for OSS-Fuzz; its image has compile_native_go_fuzzer_v2.
cd "$SRC/nervure"

# Tests of a package are compiled into the package itself, where those that stand outside of it
# cannot be.
go list -f '{{range .XTestGoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}' ./... | xargs -r rm

# target DIRECTORY FUNCTION. A function that is not found is passed over without a word, so
# look for what was built.
target() {
	local package=github.com/nervure/nervure name=${1//\//_}_$2
	[[ $1 == . ]] && name=nervure_$2 || package=$package/$1
	compile_native_go_fuzzer_v2 "$package" "$2" "$name"
	[[ -f $OUT/$name ]] || { echo "$name was not built" >&2; exit 1; }
}

target model FuzzBuiltModel
target model FuzzReadModel
target internal/checkpoint FuzzBuiltPiece
target internal/checkpoint FuzzRead
target cmd/internal/commands FuzzPlotSummary
target cmd/internal/viewer FuzzCheckRun
target dataio FuzzBuiltGraph
target dataio FuzzBuiltTable
target dataio FuzzDecodeNames
target dataio FuzzDecodeTimes
target dataio FuzzReadGraph
target dataio FuzzRowsAgreeWithEncodingCSV
target dataio FuzzSignalsFile
target dataio FuzzSignalsTable
target dataio FuzzVertices
target dataio/internal/parse FuzzParseStamp
target document FuzzRun
target internal/codec/matlab FuzzBuiltFile
target internal/codec/matlab FuzzFile
target internal/codec/npy FuzzArchive
target internal/codec/npy FuzzArray
target internal/codec/npy FuzzBuiltArchive
target internal/codec/npy FuzzBuiltArray
target internal/codec/parquet FuzzBuiltFile
target internal/codec/parquet FuzzFile
target internal/codec/xlsx FuzzBuiltWorkbook
target internal/codec/xlsx FuzzWorkbook
target internal/durable FuzzBuiltJournal
target internal/durable FuzzParseJournal
target internal/linalg FuzzEigen
target internal/linalg FuzzProduct
target kernel FuzzUnmarshalBinary
target method FuzzWithParams
