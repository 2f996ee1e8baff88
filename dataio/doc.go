// Package dataio is signals and graphs on disk.
//
// Which formats there are, and what each can do and hold, is one table: [Formats]
// lists those with a [Capability], [Format.Can] and [Format.Describe] ask about one.
// Files are chosen by extension, and may be gzipped.
//
// # Signals
//
// In a file rows are observations and columns are vertices, as in a data frame;
// in memory signals are columns ([signals.Set]). ReadOptions.Transpose reads files
// with vertices in rows. Tables of text (CSV, TSV, TXT, DAT) and sheets (XLSX) follow these rules:
//
//   - The table begins below remarks, titles and the like, where rows of its width begin; units
//     between the names and the numbers are left out. What separates cells, and
//     how numbers are written, is told from the first rows. A file in which any of
//     this is unclear is read from its first row, and refused where that is wrong.
//   - A first row with any cell that is not a number names the vertices, and so does one of years, one that counts 0, 1, 2, …
//     above values that are not whole, and one that alone is in quotation marks or, in a sheet, text;
//     without one they are v0, v1, …. Empty cells, NaN, NA, N/A, null and None,
//     in any case, are missing values, not text, so a row of numbers with one
//     NA is data. Below the first row -, *, . and the like are missing, too.
//   - A first column of dates or times, or one anywhere whose name says that it is
//     one, such as timestamp, has the times of the observations (signals.Set.Times), by which
//     these are sorted; epochs in numbers and dates such as 2024013113 count as well. A time without a zone is UTC.
//     Times may stand in parts: columns of years, months, days, hours, minutes and seconds, in several languages, days of the year, or a
//     column of dates and one of hours. Hours and what is finer are parts only where times repeat without them, or where they are the
//     same throughout. A part that most rows have must be right in all.
//   - A first column of other row labels is dropped: one where every cell below
//     the header is text, or one that the header leaves unnamed, as R and pandas
//     write it; so is one that only counts or rises, if its name says that it is an index
//     or a time. Another column of nothing but text is left out. A column where only some cells are text,
//     or text that may be meant for numbers, is an error.
//   - A table with a row for each value (time, sensor, value; country, year, value) has a vertex for each name in its
//     column of names. One with several columns of values is refused until one is chosen, together with the names.
//   - In a transposed file a first column with any text names the vertices, and
//     a first row with text beyond its first cell, or with an empty first cell
//     above vertex names, has the times of the observations or labels them.
//   - An empty first cell above a column of text, or of 0, 1, 2, …, is the
//     corner of a table that pandas wrote with numbers for names: its first row
//     is a header although it has no text.
//   - Text is UTF-8, with or without a byte-order mark, UTF-16 if its first bytes say so, or Windows-1252
//     if it is no UTF-8. Lines end in LF or
//     CRLF. Blank lines are skipped; cells are trimmed unless quoted.
//
// What was dropped, and what looks like a time, an index, a header of numbers or a
// code for missing values, is told in the notes of the signals.
//
// Every value must be finite, or missing: NaN in memory. An observation without
// any value is left out, with a note; a vertex without any is an error. What is
// wrong with a file is an [input.Error]: one sentence that says what, where, and
// how to mend it.
//
// # Graphs
//
// An edge list has a line for each edge and so cannot hold isolated vertices: pass
// the names to [ReadGraph] to get them back. pandas reads an edge list with every
// name as it is by
//
//	pandas.read_csv("graph.csv", dtype={"source": str, "target": str}, keep_default_na=False)
//
// and without the last two takes 007 for a number and NA for missing.
//
// A confidence for each edge (graph.Graph.Confidence), the evidence for it
// (graph.Graph.Evidence) and what is known about vertices ([GraphFile], [VertexTable])
// are written where the format has a place for them. Confidence and evidence are the
// columns confidence, partial, low, high and q of an edge list, after the weight, or
// attributes of these names. The last four are there together or not at all, and those of
// arrows are not read. [Align] matches the graphs of two files by the names of vertices.
//
// What decompresses beyond reason, or holds more values than
// ReadOptions.MaxValues, is an error. Files are written whole or not at all
// ([WriteFile]).
package dataio
