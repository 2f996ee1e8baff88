# Learn the graph behind a set of signals, with the program nervure.
#
#   source("nervure.R")
#   g <- nervure(x)                                # x: matrix, data frame or path of a file
#   plot(g)
#   g <- nervure(x, method = "glasso", params = list(rho = 0.1, absolute = 1), edges = 30)
#   g <- nervure(x, options = list(prepare = list(center = FALSE), method = list(sparsity = 3)))
#
# Rows of x are observations, columns are vertices, NA is a missing value. A data frame
# is read as the program reads a table with its columns: those of times, and of labels of
# rows, are no vertices. A file is read as "nervure learn" reads it. What is NULL is left to
# the program.
#
#   method       name of the method
#   params       its parameters, a list
#   kernels      kernels such as "heat:2", a character vector
#   edges        keep only this many edges, the heaviest
#   threshold    keep edges of this weight or more, or "auto"
#   season       periods of cycles to remove, in observations, or "auto" or FALSE
#   difference   learn from differences between consecutive observations: TRUE, FALSE or "auto"
#   rows         what the rows are to each other: "time", "independent" or "auto"
#   scores       learn fields from normal scores, for values that are skewed or ordinal: TRUE, FALSE or "auto"
#   bad_sensors  what is done about sensor faults: "report", "mask" or "drop"
#   confidence   estimate the confidence of each edge: TRUE, FALSE or "auto"
#   time_limit   seconds, or a text such as "2m"
#   seed         random seed
#   options      all else that the document of a run says, a list of lists: the manual lists
#                its keys (The run document), and the program checks them. Arrays of one
#                value are lists: list(kernels = list(given = list("heat:2")))
#   names        names of the vertices
#   codes        TRUE to return the sparse codes, too
#   ...          flags of "nervure run", which do not affect the result, such as threads = 2
#   binary       the program; by default the environment variable NERVURE_BINARY, or nervure
#
# Needs base R 4 or later, and the program on the path. The result is a list of
#   adjacency   weights, a matrix with dimnames; row to column if the graph is directed; negative
#               where two vertices move against each other
#   laplacian   normalised Laplacian; NULL if the graph is directed
#   names       names of the vertices
#   edges       data frame: source, target, weight and, if estimated, confidence, and partial, low, high
#               and q: the partial correlation given all other vertices, its 90 % interval, and the false
#               discovery rate at which the edge passes the test of being stronger than a floor
#   confidence  of each edge, in [0, 1], as a matrix; NULL if it was not estimated
#   verdict     how far to trust the graph: "exact", "supported", "weak", ...
#   warnings    sentences, which are also given as warnings, as are
#   notes       what was noticed when the signals were read
#   summary     all that the program says of the run
#   codes       one row per atom, one column per signal; only if asked for

# Several recordings:
#
#   s <- nervure_groups(list(x1, x2, x3, x4), groups = c("control", "control", "patient", "patient"))
#   s <- nervure_groups(c("a.csv", "b.csv"), groups = data.frame(when = c("before", "after")), by = "when")
#
#   x            list of matrices and data frames, with or without names, or paths of files
#   groups       the group of each, in the order of x, or a data frame with a row for each
#   by           the column of the groups, if groups is a data frame
#   paired       whose each recording is, such as before and after: values, or a column of groups
#   covariate    a number for each that groups are adjusted for, or graphs are compared by without groups
#   permutations number of permutations, 999 if NULL
#   each         TRUE to choose method and preprocessing for each recording by itself
#   out          a folder to keep all tables, figures and pages in
#   ...          method and the other arguments of nervure() about learning, and flags of "nervure batch"
#
# The result is a list of
#   graphs      for each recording adjacency, names, edges, verdict, warnings and summary, as nervure() returns
#               them, or error, a text
#   comparison  whether the graphs of groups differ: answer, p, strength, edges, vertices, groups and notes as in
#               groups.json, and differences, a data frame of all pairs; NULL without groups
#   index       what was chosen for all, and what was learned from each

nervure <- function(x, ..., method = NULL, params = NULL, kernels = NULL, edges = NULL, threshold = NULL, season = NULL,
                    difference = NULL, rows = NULL, scores = NULL, bad_sensors = NULL, confidence = NULL, time_limit = NULL, seed = NULL,
                    options = NULL, names = colnames(x), codes = FALSE,
                    binary = Sys.getenv("NERVURE_BINARY", "nervure")) {
  named <- !missing(names)
  if (!(is.logical(codes) && length(codes) == 1 && !is.na(codes))) {
    stop("nervure: option codes must be TRUE or FALSE", call. = FALSE)
  }
  is_file <- is.character(x) && is.null(dim(x)) && length(x) == 1 && !is.na(x)
  is_table <- is.data.frame(x) && !named && .nervure_is_header(base::names(x))
  if (!is_file && !is_table) x <- .nervure_matrix(x)
  if (!is.null(names)) names <- .nervure_names(names, if (is_file) length(names) else ncol(x))
  more <- .nervure_split(list(...))
  run <- .nervure_document(list(
    method = method, params = params, kernels = kernels, edges = edges, threshold = threshold, season = season, difference = difference,
    rows = rows, scores = scores, bad_sensors = bad_sensors, confidence = confidence, time_limit = time_limit, seed = seed), options)
  dir <- tempfile("nervure-")
  dir.create(dir)
  on.exit(unlink(dir, recursive = TRUE))
  file <- function(name) file.path(dir, name)

  signals <- if (is_file) x else file(if (is_table) "signals.csv" else "signals.npy")
  if (is_table) .nervure_write_csv(x, signals)
  else if (!is_file) .nervure_write_npy(x, signals)
  own <- list(version = 1, read = list(files = list(signals)), write = list(graph = file("graph.json"), summary = file("summary.json")))
  if (!is.null(names) && !is_table) {
    writeLines(names, file("names.txt"), useBytes = TRUE)
    own$read$names <- file("names.txt")
  }
  if (codes) own$write$codes <- file("codes.npy")
  writeLines(.nervure_to_json(.nervure_merge(run, own)), file("job.json"), useBytes = TRUE)
  stopped <- .nervure_run(binary, c("run", file("job.json"), "--progress", "none", more), file)
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

# Draw a graph: vertices where the program puts them, in the colours of its communities; edges green and blue
# by their sign if there are both, wider if they are heavier, fainter if they are less sure. names: TRUE, FALSE or "auto".
plot.nervure <- function(x, names = "auto", binary = Sys.getenv("NERVURE_BINARY", "nervure"), ...) {
  dir <- tempfile("nervure-")
  dir.create(dir)
  on.exit(unlink(dir, recursive = TRUE))
  file <- function(name) file.path(dir, name)
  .nervure_write_npy(unname(x$adjacency), file("weights.npy"))
  .nervure_run(binary, c("convert", file("weights.npy"), "--layout", "--out", file("graph.json")), file)
  about <- .nervure_json(file("graph.json"))$nodes
  node <- function(key) vapply(about, function(v) as.numeric(v[[key]]), 0)
  at <- cbind(node("x"), node("y"))
  community <- node("community")
  colours <- c("#2f7d46", "#2563a8", "#c27c0e", "#8d4bb0", "#c2452d", "#16858a", "#a3386c", "#6b6f1d", "#4a55a8", "#7a5236")
  fill <- ifelse(tabulate(community)[community] > 1, colours[community], NA)
  fill[is.na(fill)] <- "#8b988f" # those of one vertex, and what comes after the last colour
  graphics::plot(at, type = "n", axes = FALSE, xlab = "", ylab = "", asp = 1, ...)
  weight <- abs(x$edges$weight)
  sure <- if (is.null(x$edges$confidence)) rep(0.75, length(weight)) else 0.15 + 0.75 * x$edges$confidence
  from <- at[match(x$edges$source, x$names), , drop = FALSE]
  to <- at[match(x$edges$target, x$names), , drop = FALSE]
  draw <- if (isTRUE(x$summary$directed)) function(...) graphics::arrows(..., length = 0.08) else graphics::segments
  if (length(weight) > 0) {
    negative <- x$edges$weight < 0
    shade <- ifelse(negative, "#2563a8", if (any(negative)) "#2f7d46" else "#48584d")
    shade <- mapply(grDevices::adjustcolor, shade, alpha.f = sure)
    draw(from[, 1], from[, 2], to[, 1], to[, 2], lwd = 0.4 + 3.2 * sqrt(weight / max(weight)), col = shade)
  }
  graphics::points(at, pch = 21, bg = fill, col = "white", cex = 1.6)
  if (isTRUE(names) || identical(names, "auto") && length(x$names) <= 60) {
    graphics::text(at, labels = x$names, pos = 4, cex = 0.7, col = "#1c261f", xpd = NA)
  }
  invisible(x)
}

nervure_groups <- function(x, groups = NULL, ..., by = NULL, paired = NULL, covariate = NULL, permutations = NULL, each = FALSE,
                           out = NULL, options = NULL, binary = Sys.getenv("NERVURE_BINARY", "nervure")) {
  if (is.data.frame(x) || is.matrix(x) || !(is.list(x) || is.character(x)) || length(x) == 0) {
    stop("nervure: x must be a list of matrices or data frames, or paths of files: nervure() takes a single one", call. = FALSE)
  }
  labels <- base::names(x)
  if (is.null(labels)) {
    stems <- if (is.character(x)) sub("[.][^.]*$", "", sub("[.]gz$", "", basename(x)))
    labels <- if (is.character(x) && !anyDuplicated(stems)) stems else sprintf("subject%0*d", nchar(length(x)), seq_along(x))
  }
  more <- list(...)
  learned <- base::names(more) %in% base::names(.nervure_keys)
  split <- .nervure_split(more[!learned])
  run <- .nervure_document(more[learned], options)
  dir <- tempfile("nervure-")
  dir.create(dir)
  on.exit(unlink(dir, recursive = TRUE))
  file <- function(name) file.path(dir, name)
  made <- file("made")

  files <- vapply(seq_along(x), function(k) .nervure_recording(x[[k]], file(sprintf("r%0*d", nchar(length(x)), k))), "")
  args <- c("batch", files, "--out", made, "--progress", "none", .nervure_flags(run), split)
  if (isTRUE(each)) args <- c(args, "--each")
  if (!is.null(out)) args <- c(args, "--report")
  table <- .nervure_group_table(length(x), groups, by, paired, covariate)
  if (length(table$columns) > 0) {
    .nervure_write_csv(data.frame(file = files, table$columns, check.names = FALSE, stringsAsFactors = FALSE), file("table.csv"))
    args <- c(args, "--groups", file("table.csv"), paste0("--", base::names(table$roles), "=", table$roles))
    if (!is.null(permutations)) args <- c(args, sprintf("--permutations=%d", as.integer(permutations)))
  }
  .nervure_run(binary, args, file, wanted = file.path(made, "index.json"))

  index <- .nervure_json(file.path(made, "index.json"))
  graphs <- lapply(index$graphs, function(row) .nervure_learned(row, made, binary, file))
  base::names(graphs) <- labels
  for (k in seq_along(graphs)) if (!is.null(graphs[[k]]$error)) {
    warning("nervure: ", labels[k], " has no graph: ", graphs[[k]]$error, call. = FALSE)
  }
  for (sentence in unique(unlist(lapply(graphs, function(g) g$warnings)))) {
    about <- sum(vapply(graphs, function(g) sentence %in% g$warnings, NA))
    warning(sprintf("nervure: %s (%d of %d recordings)", sentence, about, length(graphs)), call. = FALSE)
  }
  if (!is.null(index$unanswered)) warning("nervure: groups were not compared: ", index$unanswered, call. = FALSE)
  comparison <- NULL
  if (file.exists(file.path(made, "groups.json"))) {
    comparison <- .nervure_json(file.path(made, "groups.json"))
    comparison$differences <- utils::read.csv(file.path(made, "differences.csv"), check.names = FALSE)
  }
  if (!is.null(out)) {
    dir.create(out, showWarnings = FALSE, recursive = TRUE)
    file.copy(list.files(made, full.names = TRUE, all.files = FALSE), out, overwrite = TRUE)
  }
  structure(list(graphs = graphs, comparison = comparison, index = index), class = "nervure_groups")
}

print.nervure_groups <- function(x, ...) {
  failed <- sum(vapply(x$graphs, function(g) !is.null(g$error), NA))
  cat(sprintf("%d graphs%s\n", length(x$graphs) - failed, if (failed > 0) sprintf(", %d failed", failed) else ""))
  if (!is.null(x$comparison)) cat("  ", x$comparison$answer, "\n", sep = "")
  invisible(x)
}

# A recording as a file; that of the user if it is one.
.nervure_recording <- function(x, stem) {
  if (is.character(x) && is.null(dim(x)) && length(x) == 1 && !is.na(x)) return(normalizePath(x, mustWork = FALSE))
  if (is.matrix(x) && !is.null(colnames(x))) x <- as.data.frame(x, check.names = FALSE)
  if (is.data.frame(x) && .nervure_is_header(base::names(x))) {
    .nervure_write_csv(x, paste0(stem, ".csv"))
    return(paste0(stem, ".csv"))
  }
  .nervure_write_npy(.nervure_matrix(x), paste0(stem, ".npy"))
  paste0(stem, ".npy")
}

# The columns of a table about recordings, and which of them is what.
.nervure_group_table <- function(n, groups, by, paired, covariate) {
  frame <- if (is.data.frame(groups)) groups
  if (is.null(frame) && !is.null(by)) stop("nervure: by names a column of groups, which is no data frame", call. = FALSE)
  if (!is.null(frame) && is.null(by) && is.null(covariate)) {
    stop(sprintf("nervure: by is missing: the column of groups to compare by, one of %s", paste(base::names(frame), collapse = ", ")), call. = FALSE)
  }
  given <- list(by = if (is.null(frame)) groups else by, paired = paired, covariate = covariate)
  plain <- c(by = "group", paired = "subject", covariate = "covariate")
  columns <- list()
  roles <- character()
  for (role in base::names(given)) {
    value <- given[[role]]
    if (is.null(value)) next
    name <- plain[[role]]
    if (!is.null(frame) && is.character(value) && length(value) == 1) {
      name <- value
      if (!name %in% base::names(frame)) {
        stop(sprintf("nervure: groups has no column %s: it has %s", name, paste(base::names(frame), collapse = ", ")), call. = FALSE)
      }
      value <- frame[[name]]
    }
    if (length(value) != n) {
      stop(sprintf("nervure: %s has %d values, want %d: one for each recording", if (role == "by") "groups" else role, length(value), n), call. = FALSE)
    }
    columns[[name]] <- if (is.factor(value)) as.character(value) else value
    roles[role] <- name
  }
  if (identical(base::names(roles), "paired")) stop("nervure: paired: there are no groups to compare within subjects", call. = FALSE)
  list(columns = columns, roles = roles)
}

# What a document says, as flags of a command that takes none.
.nervure_flags <- function(run, outer = "") {
  unlist(lapply(setdiff(base::names(run), "version"), function(key) {
    value <- run[[key]]
    path <- paste0(outer, key)
    if (is.list(value) && !is.null(base::names(value))) return(.nervure_flags(value, paste0(path, ".")))
    text <- function(v) if (is.logical(v)) tolower(v) else if (is.numeric(v)) .nervure_digits(v) else as.character(v)
    rbind("--set", paste0(path, "=", vapply(as.list(value), text, "")))
  }))
}

# What a batch wrote of a recording.
.nervure_learned <- function(row, made, binary, file) {
  if (!is.null(row$error)) return(list(error = row$error))
  summary <- .nervure_json(file.path(made, paste0(row$name, ".json")))
  edges <- utils::read.csv(file.path(made, paste0(row$name, ".csv")), check.names = FALSE, colClasses = c(source = "character", target = "character"))
  about <- file.path(made, paste0(row$name, ".correlations.json"))
  names <- if (file.exists(about)) unlist(.nervure_json(about)$names) else unique(c(edges$source, edges$target))
  adjacency <- matrix(0, length(names), length(names), dimnames = list(names, names))
  at <- cbind(match(edges$source, names), match(edges$target, names))
  adjacency[at] <- edges$weight
  if (!isTRUE(summary$directed)) adjacency[at[, 2:1, drop = FALSE]] <- edges$weight
  list(adjacency = adjacency, names = names, edges = edges, verdict = summary$verdict, warnings = as.character(unlist(summary$warnings)), summary = summary)
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

# Where in the document of a run the value of an argument stands.
# generated: go test ./document -run OtherLanguages -update
.nervure_keys <- c(
  bad_sensors = "prepare.bad_sensors",
  rows = "prepare.rows",
  season = "prepare.season",
  difference = "prepare.difference",
  scores = "prepare.scores",
  method = "method.name",
  params = "method.params",
  kernels = "kernels.given",
  edges = "cut.edges",
  threshold = "cut.threshold",
  seed = "seed",
  time_limit = "time_limit",
  confidence = "check.confidence")
# end of what is generated

# Arguments that have no place in the signature, which are flags of nervure run.
.nervure_split <- function(more) {
  more <- Filter(Negate(is.null), more)
  keys <- base::names(more)
  if (length(more) > 0 && (is.null(keys) || any(keys == ""))) stop("nervure: every option needs a name", call. = FALSE)
  keys <- gsub("-", "_", keys, fixed = TRUE)
  base::names(more) <- keys
  own <- intersect(keys, c("out", "summary", "progress", "quiet", "until_eof", "help"))
  if (length(own) > 0) stop(sprintf("nervure: option %s is set by nervure.R itself", own[1]), call. = FALSE)
  flags <- Map(function(key, value) {
    if (!is.atomic(value) || anyNA(value)) stop(sprintf("nervure: option %s is a number, a text, TRUE or FALSE", key), call. = FALSE)
    text <- if (is.logical(value)) tolower(value) else if (is.numeric(value)) .nervure_digits(value) else as.character(value)
    paste0("--", gsub("_", "-", key, fixed = TRUE), "=", text)
  }, keys, more)
  unlist(flags, use.names = FALSE)
}

# The document of a run that arguments ask for, and options.
.nervure_document <- function(arguments, options) {
  run <- list()
  for (name in base::names(arguments)) {
    value <- arguments[[name]]
    if (is.null(value)) next
    .nervure_to_json(value, name) # refuses what is no value
    run <- .nervure_merge(run, .nervure_value(name, .nervure_keys[[name]], value))
  }
  if (is.null(options)) return(run)
  if (!is.list(options) || (length(options) > 0 && is.null(base::names(options)))) {
    stop("nervure: options must be a list with names, such as list(prepare = list(center = FALSE))", call. = FALSE)
  }
  .nervure_to_json(options) # refuses what is no value
  set <- c(if (is.list(options$read)) paste0("read.", base::names(options$read)), if (is.list(options$write)) paste0("write.", base::names(options$write)))
  own <- intersect(set, c("read.files", "write.graph", "write.summary", "write.codes"))
  if (length(own) > 0) stop(sprintf("nervure: option %s is set by nervure.R itself", own[1]), call. = FALSE)
  .nervure_merge(run, options)
}

# The part of a document that the value of an argument is.
.nervure_value <- function(name, key, value) {
  if (key == "cut.edges" && is.numeric(value) && identical(as.numeric(value), 0)) { # which in a document means all that the method finds
    stop("nervure: edges: got 0, want a whole number of at least 1", call. = FALSE)
  }
  at <- function(key, value) Reduce(function(inner, part) structure(list(inner), names = part), rev(strsplit(key, ".", fixed = TRUE)[[1]]), value)
  if (key == "method.params") return(at(key, .nervure_params(value)))
  if (key == "kernels.given") return(at(key, as.list(value)))
  if (name == "threshold" && is.character(value)) return(at("cut.rule", value))
  if (name == "season" && is.character(value) && grepl("^[0-9]", value[1])) value <- as.numeric(strsplit(value, ",", fixed = TRUE)[[1]])
  if (name == "season" && is.numeric(value)) return(at("prepare.periods", as.list(value)))
  if (name == "time_limit" && is.numeric(value)) return(if (value == 0) list() else at(key, paste0(.nervure_digits(value), "s")))
  at(key, value)
}

# Parameters of a method, a list.
.nervure_params <- function(value) {
  value <- as.list(value)
  if (length(value) > 0 && is.null(base::names(value))) stop("nervure: params is a list such as list(k = 3)", call. = FALSE)
  base::names(value) <- gsub("_", "-", base::names(value), fixed = TRUE)
  lapply(value, function(v) if (is.logical(v)) as.numeric(v) else v)
}

# One document with what another one says.
.nervure_merge <- function(run, other) {
  for (key in base::names(other)) {
    value <- other[[key]]
    is_object <- is.list(value) && !is.null(base::names(value))
    run[[key]] <- if (is_object) .nervure_merge(if (is.list(run[[key]])) run[[key]] else list(), value) else value
  }
  run
}

# A number with as many digits as it needs.
.nervure_digits <- function(v) ifelse(as.numeric(sprintf("%.15g", v)) == v, sprintf("%.15g", v), sprintf("%.17g", v))

# A value as JSON: lists and vectors with names are objects, lists without and vectors of
# several values are arrays.
.nervure_to_json <- function(v, key = "options") {
  quoted <- function(text) {
    text <- gsub("\"", "\\\"", gsub("\\", "\\\\", enc2utf8(text), fixed = TRUE), fixed = TRUE)
    for (code in 1:31) text <- gsub(rawToChar(as.raw(code)), sprintf("\\u%04x", code), text, fixed = TRUE)
    paste0("\"", text, "\"")
  }
  if (is.factor(v)) v <- as.character(v)
  keys <- base::names(v)
  if (is.atomic(v) && !is.null(keys)) v <- as.list(v)
  if (is.list(v)) {
    if (length(v) == 0) return("null") # which is the default
    if (!is.null(keys) && any(keys == "")) stop(sprintf("nervure: a part of %s has no name", key), call. = FALSE)
    items <- vapply(seq_along(v), function(k) .nervure_to_json(v[[k]], if (is.null(keys)) key else paste(key, keys[k], sep = "$")), "")
    if (is.null(keys)) return(paste0("[", paste(items, collapse = ", "), "]"))
    return(paste0("{", paste0(quoted(keys), ": ", items, collapse = ", "), "}"))
  }
  if (is.null(v)) return("null")
  if (!is.atomic(v) || anyNA(v) || is.complex(v) || is.raw(v) || (is.numeric(v) && any(is.infinite(v)))) {
    stop(sprintf("nervure: option %s is a number, a text, TRUE or FALSE, or a vector or list of these", key), call. = FALSE)
  }
  text <- if (is.logical(v)) tolower(v) else if (is.numeric(v)) .nervure_digits(v) else quoted(as.character(v))
  if (length(v) == 1 && !inherits(v, "AsIs")) text else paste0("[", paste(text, collapse = ", "), "]")
}

# Run the program. What it refuses is an error with its sentence, but for a part of its work that failed where
# the wanted file is there. Its own fault is a warning if that file, or the summary, is there. TRUE if it was
# interrupted and left the best graph so far.
.nervure_run <- function(binary, args, file, wanted = NULL) {
  windows <- .Platform$OS.type == "windows"
  log <- file("messages.txt")
  if (!nzchar(Sys.which(binary))) {
    stop(sprintf("nervure: cannot run %s: install nervure, or name the program with the argument binary or the environment variable NERVURE_BINARY",
                 binary), call. = FALSE)
  }
  status <- suppressWarnings(system2(binary, shQuote(args, if (windows) "cmd" else "sh"), stdout = FALSE, stderr = log))
  stopped <- status == 130
  if (status == 0 || (stopped && file.exists(file("graph.json")))) return(stopped)
  if (status == 1 && !is.null(wanted) && file.exists(wanted)) return(FALSE)
  said <- paste(readLines(log, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  said <- sub("\nrun 'nervure [^\n]*--help'[^\n]*$", "", said) # flags are written otherwise here
  at <- gregexpr("(^|\n)nervure: ", said)[[1]]
  if (at[1] > 0) {
    last <- length(at)
    sentence <- .nervure_sentence(substring(said, at[last] + attr(at, "match.length")[last]), file)
    if (status != 70 || !file.exists(c(wanted, file("summary.json"))[1])) stop("nervure: ", sentence, call. = FALSE)
    warning("nervure: ", sentence, call. = FALSE)
    return(FALSE)
  }
  stop(sprintf("nervure: the program ended with status %d: %s", status, said), call. = FALSE)
}

# A sentence of the program in the words of R: no temporary files, and counted from 1.
.nervure_sentence <- function(said, file) {
  said <- sub('^--set "([a-z_.]+)=([^"]*)": ', '\\1 "\\2": ', said)
  for (slash in c("/", "\\")) {
    dir <- gsub("[/\\]", if (slash == "/") "/" else "\\\\", file(""))
    for (name in c("job.json: ", "signals.npy: ", "signals.csv: ")) said <- gsub(paste0(dir, name), "", said, fixed = TRUE)
    said <- gsub(dir, "", said, fixed = TRUE)
  }
  own <- any(file.exists(file(c("signals.npy", "signals.csv")))) # or it is a file of the user
  said <- sub("add --transpose", if (own) "transpose them with t(x)" else "add options = list(read = list(transpose = TRUE))", said, fixed = TRUE)
  said <- gsub("method\\.params ([A-Za-z0-9-]+)", "params$\\1", said)
  for (name in base::names(.nervure_keys)) {
    key <- gsub(".", "\\.", .nervure_keys[[name]], fixed = TRUE)
    said <- gsub(sprintf("(?<![\\w.])%s(?![\\w.]*\\w)", key), name, said, perl = TRUE)
  }
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
  for (key in c("confidence", "partial", "low", "high", "q")) {
    if (nrow(edges) > 0 && !is.null(graph$edges[[1]][[key]])) edges[[key]] <- field(key, 0)
  }
  confidence <- NULL
  if (!is.null(edges$confidence)) {
    confidence <- weights * 0
    confidence[at] <- edges$confidence
    if (!isTRUE(graph$directed)) confidence[at[, 2:1, drop = FALSE]] <- edges$confidence
  }
  laplacian <- NULL
  if (!isTRUE(graph$directed)) { # the diagonal is 1 for vertices without edges, too
    degrees <- rowSums(abs(weights)) # a signed graph has negative ones
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
