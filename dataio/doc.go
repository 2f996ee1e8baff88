// Package dataio is signals and graphs on disk.
//
// # Signals
//
// In a file rows are observations and columns are vertices, as in a data frame;
// in memory signals are columns ([Signals]). ReadOptions.Transpose reads files
// with vertices in rows. Text files (CSV, TSV) follow these rules:
//
//   - A first row with any cell that is not a number names the vertices;
//     without one they are v0, v1, …. Empty cells, NaN, NA, N/A, null and None,
//     in any case, are missing values, not text, so a row of numbers with one
//     NA is data.
//   - A first column of row labels, such as dates, is dropped: one where every
//     cell below the header is text, or one that the header leaves unnamed, as
//     R and pandas write it. A column where only some cells are text is an error.
//   - In a transposed file a first column with any text names the vertices, and
//     a first row with text beyond its first cell, or with an empty first cell
//     above vertex names, labels the observations and is dropped.
//   - An empty first cell above a column of text, or of 0, 1, 2, …, is the
//     corner of a table that pandas wrote with numbers for names: its first row
//     is a header although it has no text.
//   - In .csv files the separator is a comma, a semicolon or a tab, whichever
//     the first lines use. With semicolons, numbers may have a decimal comma.
//   - Text is UTF-8, with or without a byte-order mark. Lines end in LF or
//     CRLF. Blank lines are skipped; cells are trimmed unless quoted.
//
// In .npz and .mat files (MATLAB, versions 5 to 7) signals are the only matrix,
// or the one called signals, Y, X, data or arr_0, or ReadOptions.Variable; an
// array called names names the vertices. In .parquet files columns of numbers are
// vertices; what pandas keeps the index of a frame in, columns of times and a
// first column of text label the rows.
//
// What was dropped, and what looks like a time, an index, a header of numbers or a
// code for missing values, is told in Signals.Notes.
//
// Every value must be finite, or missing: NaN in memory. An observation without
// any value is left out, with a note; a vertex without any is an error. What is wrong with a file is an [input.Error]: one
// sentence that says what, where, and how to mend it.
//
// # Graphs
//
// An edge list (.csv, .tsv) has a line for each edge and so cannot hold isolated
// vertices: pass the names to [ReadGraph] to get them back. All other formats
// keep every vertex; .npy holds the weight matrix without names. A .mat file holds
// the weights W and the normalised Laplacian L, both sparse, and names.
//
// pandas reads an edge list with every name as it is by
//
//	pandas.read_csv("graph.csv", dtype={"source": str, "target": str}, keep_default_na=False)
//
// and without the last two takes 007 for a number and NA for missing.
//
// A confidence for each edge (graph.Graph.Confidence) is written where the graph
// has it: as a fourth column of an edge list, as an attribute called confidence
// of the edges of .json, .graphml, .gexf and .dot; .mtx, .npy and .mat have no
// place for it. The same four formats hold what is known about vertices
// ([GraphFile], [VertexTable]).
//
// Any file but .npz and .parquet may be written gzipped, and any may be read so.
// What decompresses beyond reason, or holds more values than
// ReadOptions.MaxValues, is an error. Files are written whole or not at all
// ([WriteFile]).
package dataio
