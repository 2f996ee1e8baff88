# Learn the graph behind a set of signals, with the program nervure.
#
#   source("nervure.R")
#   g <- nervure(x)                                # x: matrix, data frame or path of a file
#   g <- nervure(x, method = "glasso", param = c("rho=0.1", "absolute=1"), codes = TRUE)
#
# Rows of x are observations, columns are vertices, NA is a missing value. A data frame
# is read as the program reads a table with its columns: those of times, and of labels of
# rows, are no vertices. A file is read as "nervure learn" reads it. All other arguments are flags of "nervure learn", which "nervure learn --help" explains, with
# underscores for dashes if you like; a vector repeats a flag, TRUE and FALSE are also yes
# and no, and NULL leaves it out. Needs base R 4 or later, and the program on the path; the
# environment variable NERVURE_BINARY names another one.
#
# The result is a list of
#   adjacency   weights, a matrix with dimnames; row to column if the graph is directed
#   laplacian   normalised Laplacian; NULL if the graph is directed
#   names       names of the vertices
#   edges       data frame: source, target, weight and, if estimated, confidence
#   confidence  of each edge, in [0, 1], as a matrix; NULL if it was not estimated
#   verdict     how far to trust the graph: "exact", "supported", "weak", ...
#   warnings    sentences, which are also given as warnings, as are
#   notes       what was noticed when the signals were read
#   summary     all that the program says of the run
#   codes       one row per atom, one column per signal; only if asked for

nervure <- function(x, ..., names = colnames(x), codes = FALSE,
                    binary = Sys.getenv("NERVURE_BINARY", "nervure")) {
  named <- !missing(names)
  if (!(is.logical(codes) && length(codes) == 1 && !is.na(codes))) {
    stop("nervure: option codes must be TRUE or FALSE", call. = FALSE)
  }
  is_file <- is.character(x) && is.null(dim(x)) && length(x) == 1 && !is.na(x)
  is_table <- is.data.frame(x) && !named && .nervure_is_header(base::names(x))
  if (!is_file && !is_table) x <- .nervure_matrix(x)
  if (!is.null(names)) names <- .nervure_names(names, if (is_file) length(names) else ncol(x))
  flags <- .nervure_flags(...)
  dir <- tempfile("nervure-")
  dir.create(dir)
  on.exit(unlink(dir, recursive = TRUE))
  file <- function(name) file.path(dir, name)

  signals <- if (is_file) x else file(if (is_table) "signals.csv" else "signals.npy")
  if (is_table) .nervure_write_csv(x, signals)
  else if (!is_file) .nervure_write_npy(x, signals)
  args <- c("learn", signals, "--out", file("graph.json"), "--summary", file("summary.json"), "--progress", "none")
  if (!is.null(names) && !is_table) {
    writeLines(names, file("names.txt"), useBytes = TRUE)
    args <- c(args, "--names", file("names.txt"))
  }
  if (codes) args <- c(args, "--codes", file("codes.npy"))
  stopped <- .nervure_run(binary, c(args, flags), file)
  # R may lose a last digit when it reads a number as text.
  .nervure_run(binary, c("convert", file("graph.json"), "--out", file("weights.npy")), file)

  g <- .nervure_graph(file)
  g$summary <- .nervure_json(file("summary.json"))
  g$verdict <- g$summary$verdict
  g$warnings <- as.character(unlist(g$summary$warnings))
  g$notes <- as.character(unlist(g$summary$notes))
  if (codes && file.exists(file("codes.npy"))) g$codes <- .nervure_read_npy(file("codes.npy"))
  if (stopped) g$warnings <- c(g$warnings, "interrupted: this is the best graph so far")
  for (sentence in c(g$notes, g$warnings)) warning("nervure: ", sentence, call. = FALSE)
  structure(g, class = "nervure")
}

print.nervure <- function(x, ...) {
  cat(sprintf("graph of %d vertices and %d edges, method %s: %s\n",
              length(x$names), nrow(x$edges), x$summary$method, x$verdict))
  for (reason in unlist(x$summary$verdict_reasons)) cat("  ", reason, "\n", sep = "")
  invisible(x)
}

.nervure_matrix <- function(x) {
  if (is.data.frame(x)) {
    other <- base::names(x)[!vapply(x, function(v) is.numeric(v) || is.logical(v), NA)]
    if (length(other) > 0) stop(sprintf("nervure: column %s is not numeric", other[1]), call. = FALSE)
    x <- as.matrix(x)
  }
  if (!is.matrix(x) || !(is.numeric(x) || is.logical(x))) {
    stop("nervure: the signals must be a numeric matrix or data frame, rows are observations", call. = FALSE)
  }
  x
}

.nervure_names <- function(names, n) {
  names <- enc2utf8(as.character(names))
  if (length(names) != n) stop(sprintf("nervure: there are %d names for %d vertices", length(names), n), call. = FALSE)
  blank <- which(is.na(names) | !nzchar(trimws(names)))
  if (length(blank) > 0) stop(sprintf("nervure: column %d has no name: name every column, or none", blank[1]), call. = FALSE)
  twice <- names[duplicated(names)]
  if (length(twice) > 0) stop(sprintf("nervure: two columns are called %s: rename one", dQuote(twice[1], FALSE)), call. = FALSE)
  if (any(grepl("[\r\n]", names))) stop("nervure: the name of a vertex has a line break in it", call. = FALSE)
  names
}

# Options as arguments of the program.
.nervure_flags <- function(...) {
  options <- Filter(Negate(is.null), list(...))
  if (length(options) == 0) return(character())
  keys <- base::names(options)
  if (is.null(keys) || any(keys == "")) stop("nervure: every option needs a name", call. = FALSE)
  keys <- gsub("_", "-", keys, fixed = TRUE)
  own <- intersect(keys, c("out", "summary", "laplacian", "progress", "quiet", "until-eof", "format", "help"))
  if (length(own) > 0) stop(sprintf("nervure: option %s is set by nervure.R itself", own[1]), call. = FALSE)
  text <- function(key, v) {
    if (!is.atomic(v) || anyNA(v)) {
      stop(sprintf("nervure: option %s is a number, a text, TRUE or FALSE, or a vector of these, such as c(\"rho=0.1\", \"absolute=1\") for param",
                   key), call. = FALSE)
    }
    if (is.logical(v)) ifelse(v, "true", "false") # also for flags that take yes and no
    else if (is.numeric(v)) sprintf("%.17g", v)
    else as.character(v)
  }
  unlist(Map(function(key, value) paste0("--", key, "=", text(key, value)), keys, options), use.names = FALSE)
}

# Run the program. What it refuses is an error with its sentence. TRUE if it was
# interrupted and left the best graph so far.
.nervure_run <- function(binary, args, file) {
  windows <- .Platform$OS.type == "windows"
  log <- file("messages.txt")
  if (!nzchar(Sys.which(binary))) {
    stop(sprintf("nervure: cannot run %s: install nervure, or name the program with the argument binary or the environment variable NERVURE_BINARY",
                 binary), call. = FALSE)
  }
  status <- suppressWarnings(system2(binary, shQuote(args, if (windows) "cmd" else "sh"), stdout = FALSE, stderr = log))
  stopped <- status == 130
  if (status == 0 || (stopped && file.exists(file("graph.json")))) return(stopped)
  said <- paste(readLines(log, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  said <- sub("\nrun 'nervure [^\n]*--help'[^\n]*$", "", said) # flags are written otherwise here
  at <- gregexpr("(^|\n)nervure: ", said)[[1]]
  if (at[1] > 0) {
    last <- length(at)
    stop("nervure: ", .nervure_sentence(substring(said, at[last] + attr(at, "match.length")[last]), file), call. = FALSE)
  }
  stop(sprintf("nervure: the program ended with status %d: %s", status, said), call. = FALSE)
}

# A sentence of the program in the words of R: no temporary files, and counted from 1.
.nervure_sentence <- function(said, file) {
  for (slash in c("/", "\\")) {
    dir <- gsub("[/\\]", if (slash == "/") "/" else "\\\\", file(""))
    for (name in c("signals.npy: ", "signals.csv: ")) said <- gsub(paste0(dir, name), "", said, fixed = TRUE)
    said <- gsub(dir, "", said, fixed = TRUE)
  }
  own <- any(file.exists(file(c("signals.npy", "signals.csv")))) # or it is a file of the user
  said <- sub("add --transpose", if (own) "transpose them with t(x)" else "add transpose = TRUE", said, fixed = TRUE)
  at <- regmatches(said, regexec("at index \\[(\\d+), (\\d+)\\]", said))[[1]]
  if (length(at) == 3) {
    said <- sub(at[1], sprintf("in row %.0f, column %.0f", as.numeric(at[2]) + 1, as.numeric(at[3]) + 1), said, fixed = TRUE)
  }
  said
}

.nervure_graph <- function(file) {
  graph <- .nervure_json(file("graph.json"))
  names <- vapply(graph$nodes, function(v) as.character(v$id), "")
  weights <- .nervure_read_npy(file("weights.npy"))
  dimnames(weights) <- list(names, names)
  field <- function(key, type) vapply(graph$edges, function(e) e[[key]], type)
  edges <- data.frame(source = field("source", ""), target = field("target", ""), stringsAsFactors = FALSE)
  at <- cbind(match(edges$source, names), match(edges$target, names))
  edges$weight <- weights[at]
  confidence <- NULL
  if (nrow(edges) > 0 && !is.null(graph$edges[[1]]$confidence)) {
    edges$confidence <- field("confidence", 0)
    confidence <- weights * 0
    confidence[at] <- edges$confidence
    if (!isTRUE(graph$directed)) confidence[at[, 2:1, drop = FALSE]] <- edges$confidence
  }
  laplacian <- NULL
  if (!isTRUE(graph$directed)) { # the diagonal is 1 for vertices without edges, too
    degrees <- rowSums(weights)
    scale <- ifelse(degrees > 0, 1 / sqrt(degrees), 0)
    laplacian <- diag(1, length(names)) - weights * outer(scale, scale)
  }
  list(adjacency = weights, laplacian = laplacian, names = names, edges = edges, confidence = confidence)
}

# Whether names of columns are the header of a table, which they are not if all are numbers.
.nervure_is_header <- function(names) {
  length(names) > 1 && all(names == trimws(names)) && anyNA(suppressWarnings(as.numeric(names)))
}

# A data frame as a table with a header, with all digits.
.nervure_write_csv <- function(x, path) {
  quoted <- function(text) paste0("\"", gsub("\"", "\"\"", enc2utf8(text), fixed = TRUE), "\"")
  cells <- lapply(x, function(column) {
    if (is.logical(column)) column <- as.numeric(column)
    ifelse(is.na(column), "", if (is.numeric(column)) sprintf("%.17g", column) else quoted(as.character(column)))
  })
  rows <- do.call(paste, c(unname(cells), sep = ","))
  writeLines(c(paste(quoted(base::names(x)), collapse = ","), rows), path, useBytes = TRUE)
}

# A matrix as an .npy file, column by column: R keeps it in that order.
.nervure_write_npy <- function(x, path) {
  con <- base::file(path, "wb")
  on.exit(close(con))
  header <- sprintf("{'descr': '<f8', 'fortran_order': True, 'shape': (%d, %d), }", nrow(x), ncol(x))
  header <- paste0(header, strrep(" ", 63 - (10 + nchar(header)) %% 64), "\n")
  writeBin(as.raw(c(0x93, utf8ToInt("NUMPY"), 1, 0)), con)
  writeBin(nchar(header), con, size = 2, endian = "little")
  writeChar(header, con, eos = NULL)
  for (k in seq_len(ncol(x))) writeBin(as.double(x[, k]), con, size = 8, endian = "little")
}

# A matrix of doubles from an .npy file that nervure wrote.
.nervure_read_npy <- function(path) {
  con <- base::file(path, "rb")
  on.exit(close(con))
  readBin(con, "raw", 8)
  header <- readChar(con, readBin(con, "integer", size = 2, signed = FALSE, endian = "little"), useBytes = TRUE)
  shape <- as.numeric(regmatches(header, regexec("'shape': \\((\\d+), (\\d+)\\)", header))[[1]][2:3])
  by_column <- grepl("'fortran_order': True", header, fixed = TRUE)
  matrix(readBin(con, "double", shape[1] * shape[2], size = 8, endian = "little"), shape[1], shape[2], byrow = !by_column)
}

# A JSON document as lists: objects with names, arrays without; arrays of numbers are
# vectors. The program writes well-formed ones.
.nervure_json <- function(path) {
  text <- paste(readLines(path, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  tokens <- regmatches(text, gregexpr('"(\\\\.|[^"\\\\])*"|[][{}:,]|[^][{}:,"[:space:]]+', text, perl = TRUE))[[1]]
  at <- 0
  following <- function() tokens[[at <<- at + 1]]
  scalar <- function(token) {
    if (startsWith(token, '"')) {
      if (!grepl("\\", token, fixed = TRUE)) return(substr(token, 2, nchar(token) - 1))
      return(parse(text = gsub("\\/", "/", token, fixed = TRUE), keep.source = FALSE, encoding = "UTF-8")[[1]])
    }
    switch(token, true = TRUE, false = FALSE, null = NULL, as.numeric(token))
  }
  items <- function(end, item) {
    all <- list()
    if (tokens[[at + 1]] == end) {
      at <<- at + 1
      return(all)
    }
    repeat {
      all <- item(all)
      if (following() == end) return(all)
    }
  }
  numbers <- function() { # a long array of numbers, at once
    end <- at + match("]", tokens[(at + 1):length(tokens)])
    inside <- tokens[seq_len(end - at - 1) + at]
    if (length(inside) == 0 || any(grepl('^["{[tfn]', inside))) return(NULL)
    at <<- end
    as.numeric(inside[inside != ","])
  }
  value <- function() {
    token <- following()
    if (token == "{") {
      items("}", function(all) {
        key <- scalar(following())
        following() # the colon
        all[key] <- list(value())
        all
      })
    } else if (token == "[") {
      plain <- numbers()
      if (is.null(plain)) items("]", function(all) c(all, list(value()))) else plain
    } else {
      scalar(token)
    }
  }
  value()
}
