# Checks nervure.R. The directory it runs in has signals.npy, names.txt and what the
# command line makes of them: expected.npy, laplacian.npy and codes.npy.
options(warn = 2) # warnings are errors until the end
source(Sys.getenv("NERVURE_R"))
x <- .nervure_read_npy("signals.npy")
names <- readLines("names.txt", encoding = "UTF-8")
colnames(x) <- names

g <- nervure(as.data.frame(x, check.names = FALSE), codes = TRUE)
stopifnot(identical(unname(g$adjacency), .nervure_read_npy("expected.npy")),
          max(abs(g$laplacian - .nervure_read_npy("laplacian.npy"))) < 1e-15,
          identical(g$codes, .nervure_read_npy("codes.npy")),
          identical(g$names, names), identical(rownames(g$adjacency), names),
          g$verdict == "exact", length(g$warnings) == 0, g$summary$method == "sparse",
          nrow(g$edges) == sum(g$adjacency > 0) / 2,
          isTRUE(all.equal(g$confidence[cbind(g$edges$target, g$edges$source)], g$edges$confidence)),
          identical(g$adjacency[cbind(g$edges$source, g$edges$target)], g$edges$weight))
shown <- capture.output(print(g))
stopifnot(grepl("method sparse: exact", shown[1], fixed = TRUE))

# Arguments become the document of a run. Methods may doubt what these options make them find.
doubted <- function(...) suppressWarnings(nervure(...))
p <- doubted(unname(x), method = "glasso", params = list(rho = 0.2, absolute = TRUE), edges = 7, confidence = "no", options = list(prepare = list(scale = FALSE)))
stopifnot(nrow(p$edges) == 7, p$summary$method == "glasso", is.null(p$confidence), is.null(p$edges$confidence))
stopifnot(identical(p$summary$run$method$params, list(absolute = 1, rho = 0.2)), p$summary$run$prepare$scale == "no", p$summary$run$cut$edges == 7)
d <- doubted(apply(x, 2, cumsum), method = "ggl", difference = TRUE, confidence = "no", options = list(prepare = list(center = FALSE)))
stopifnot(d$summary$preparation$difference)
k <- doubted(x, kernels = c("heat:2", "heat:1"), threshold = "auto", season = c(5, 7), time_limit = 90, seed = 3, threads = 1,
             confidence = FALSE, options = list(method = list(sparsity = 3), check = list(structure = FALSE), sample = 150))$summary$run
stopifnot(identical(k$kernels$given, list("heat:2", "heat:1")), k$cut$rule == "auto", identical(k$prepare$periods, c(5, 7)),
          k$time_limit == "1m30s" || k$time_limit == "90s", k$seed == 3, k$method$sparsity == 3, k$check$structure == "no", k$sample == 150)

a <- doubted(x, method = "causal", confidence = "no")
stopifnot(a$summary$directed, is.null(a$laplacian))

for (yes in c(TRUE, FALSE)) {
  s <- doubted(x, method = "ggl", confidence = yes, edges = NULL, options = list(prepare = list(center = yes, scale = yes)))
  stopifnot(s$summary$preparation$centered == yes, s$summary$preparation$scaled == yes, is.null(s$confidence) != yes)
}

# What takes auto, yes or no takes TRUE and FALSE as well.
with_option <- function(flag, value) {
  fixed <- list(x, method = "ggl", confidence = "no")
  fixed[[gsub("-", "_", flag)]] <- value
  do.call(doubted, fixed)[c("adjacency", "confidence", "verdict", "warnings")]
}
flags <- strsplit(Sys.getenv("YES_OR_NO"), " ", fixed = TRUE)[[1]]
stopifnot("difference" %in% flags)
for (flag in flags) {
  stopifnot(identical(with_option(flag, TRUE), with_option(flag, "yes")), identical(with_option(flag, FALSE), with_option(flag, "no")))
  with_option(flag, "auto")
}
stopifnot(identical(with_option("season", FALSE), with_option("season", "no")))

# Empty answers.
set.seed(1)
none <- doubted(matrix(rnorm(200), 40), method = "glasso", params = c(rho = 0.999))
stopifnot(nrow(none$edges) == 0, all(none$adjacency == 0), length(none$names) == 5)

# Errors have the sentence of the program.
refused <- function(words, ...) {
  fault <- tryCatch({ nervure(...); "nothing" }, error = conditionMessage)
  if (!grepl(words, fault, fixed = TRUE) || grepl("--help|signals\\.npy|names\\.txt", fault)) stop("want ", words, ", got ", fault)
}
refused("nonsense", x, method = "nonsense")
refused("prepare.scale \"none\": want auto, yes or no", x, options = list(prepare = list(scale = "none")))
refused("prepare.centre is not a key of a run", x, options = list(prepare = list(centre = FALSE)))
refused("nervure: edges: got 2.5, want a whole number", x, edges = 2.5)
refused("options must be a list with names", x, options = list(3))
refused("a part of options$prepare has no name", x, options = list(prepare = list(center = "no", 3)))
refused("option write.graph is set by nervure.R itself", x, options = list(write = list(graph = "x.csv")))
refused("--no-such-option", x, no_such_option = 3)
refused("needs a name", x, 3)
refused("set by nervure.R itself", x, out = "x.csv")
refused("must be a numeric matrix", list(1, 2))
refused("1 column holds text (column 2: \"x\") and 1 holds numbers", data.frame(a = 1:3, b = c("x", "y", "z")))
refused("2 names for", x, names = c("a", "b"))
refused("two columns are called \"b\": rename one", x, names = c("a", "b", "b", 4:24))
refused("column 2 has no name", x, names = c("a", " ", 3:24))
refused("column 1 has no name", x, names = c(NA, 2:24))
refused("a line break", x, names = c("a\nb", 2:24))
refused("nervure: signals: got 1, want at least 2; if vertices are in rows, transpose them with t(x)", x[1, , drop = FALSE])
infinite <- x
infinite[3, 2] <- Inf
refused("nervure: the value in row 3, column 2 (NA) is not finite", infinite)
refused("option codes must be TRUE or FALSE", x, codes = "yes")
refused("option help is set by nervure.R itself", x, help = TRUE)
refused("params is a list such as list(k = 3)", x, method = "knn", params = 3)
refused("has no parameter \"q\"", x, method = "knn", params = list(q = 3))
refused("option edges is a number, a text", x, edges = NA)
refused("option edges is a number, a text", x, edges = sum)
refused("NERVURE_BINARY", x, binary = "./there is none")

# Missing values, and warnings.
x[3, 2] <- NA
x[, 5] <- 1
heard <- character()
w <- withCallingHandlers(nervure(x, confidence = "no"), warning = function(w) {
  heard <<- c(heard, conditionMessage(w))
  invokeRestart("muffleWarning")
})
stopifnot(w$summary$preparation$missing == 1, length(heard) > 0, identical(heard, paste0("nervure: ", c(w$notes, w$warnings))))

# Vertices without edges have a Laplacian, too.
.nervure_write_npy(x, "constant.npy")
said <- system2(Sys.getenv("NERVURE_BINARY"), shQuote(c("learn", "constant.npy", "--names", "names.txt", "--confidence", "no",
  "--laplacian", "constant-laplacian.npy", "--out", "constant.csv", "--quiet")), stdout = FALSE, stderr = FALSE)
stopifnot(said == 0, any(rowSums(w$adjacency) == 0), all(diag(w$laplacian) == 1),
          max(abs(w$laplacian - .nervure_read_npy("constant-laplacian.npy"))) < 1e-15)

# What is known of edges goes into their data frame, each kind with or without the other.
writeLines('{"directed": false, "nodes": [{"id": "a"}, {"id": "b"}], "edges": [{"source": "a", "target": "b", "weight": 2, "partial": -0.25, "low": -0.5, "high": 0, "q": 1e-9}]}', "graph.json")
.nervure_write_npy(matrix(c(0, 2, 2, 0), 2), "weights.npy")
e <- .nervure_graph(identity)
stopifnot(identical(e$edges, data.frame(source = "a", target = "b", weight = 2, partial = -0.25, low = -0.5, high = 0, q = 1e-9)), is.null(e$confidence))

# The writer and the reader of JSON.
stopifnot(.nervure_to_json(list(a = 1L, b = c(0.1, 1e300), c = list("x"), d = "q\"\\\n\u00fc", e = TRUE, f = list(), g = I(2))) ==
          '{"a": 1, "b": [0.1, 1e+300], "c": ["x"], "d": "q\\"\\\\\\u000a\u00fc", "e": true, "f": null, "g": [2]}',
          as.numeric(.nervure_digits(1 / 3)) == 1 / 3)
writeLines('{"a": [], "b": {}, "c": [1, -2.5e-3], "d": [[1], "x"], "e": "q\\"\\\\\\u003c\\n\\/ü, ]", "f": null, "g": [true, false]}', "x.json", useBytes = TRUE)
j <- .nervure_json("x.json")
stopifnot(identical(j$c, c(1, -0.0025)), identical(j$d, list(1, "x")), j$e == "q\"\\<\n/\u00fc, ]",
          identical(base::names(j), c("a", "b", "c", "d", "e", "f", "g")), is.null(j$f), identical(j$g, list(TRUE, FALSE)))

# Several recordings: each has the graph that the command line learns, and groups that differ in an edge are told
# apart there.
set.seed(1)
recording <- function(without) {
  precision <- diag(1.2, 6)
  for (i in 1:5) if (!(without && i == 3)) precision[i, i + 1] <- precision[i + 1, i] <- -0.45
  round(matrix(rnorm(150 * 6), 150) %*% chol(solve(precision)), 3)
}
many <- lapply(1:12, function(k) recording(k > 6))
diagnosis <- rep(c("control", "patient"), each = 6)
fast <- list(method = "ggm", confidence = FALSE, rows = "independent", permutations = 99)
study <- function(...) suppressWarnings(do.call(nervure_groups, c(list(...), fast)))
s <- study(many, groups = diagnosis)
first <- s$comparison$edges[[1]]
stopifnot(length(s$graphs) == 12, identical(base::names(s$graphs)[2], "subject02"), s$comparison$p < 0.05,
          identical(c(first$source, first$target), c("v2", "v3")), nrow(s$comparison$differences) == 15)
for (k in 1:12) write.table(many[[k]], sprintf("many%02d.csv", k), sep = ",", row.names = FALSE, col.names = paste0("v", 0:5), quote = FALSE)
files <- sprintf("many%02d.csv", 1:12)
writeLines(c("file,who,when", sprintf("%s,%d,%s", files, rep(1:6, 2), rep(c("before", "after"), each = 6))), "table.csv")
said <- system2(Sys.getenv("NERVURE_BINARY"), shQuote(c("batch", files, "--out", "made", "--groups", "table.csv", "--by", "when", "--paired", "who",
  "--method", "ggm", "--confidence", "no", "--rows", "independent", "--permutations", "99", "--quiet")), stdout = FALSE, stderr = FALSE)
about <- data.frame(when = rep(c("before", "after"), each = 6), who = rep(1:6, 2))
p <- study(files, groups = about, by = "when", paired = "who")
expected <- .nervure_json("made/groups.json")
stopifnot(said == 0, identical(p$comparison$p, expected$p), identical(p$comparison$edges, expected$edges),
          identical(base::names(p$graphs)[3], "many03"), identical(read.csv("made/many03.csv")$weight, p$graphs$many03$edges$weight))
broken <- study(c(many[1:11], list(many[[12]] * NA)), groups = diagnosis)
stopifnot(is.character(broken$graphs$subject12$error), broken$comparison$units == 11)
wrong <- function(sentence, ...) {
  said <- tryCatch({ study(...); "" }, error = conditionMessage)
  if (!grepl(sentence, said, fixed = TRUE)) stop(sprintf("got %s, want %s", said, sentence))
}
wrong("x must be a list of matrices", many[[1]])
wrong("groups has 3 values, want 12", many, groups = 1:3)
wrong("groups has no column age", many, groups = about, by = "age")
wrong("by is missing: the column of groups to compare by, one of when, who", many, groups = about)
wrong("there are no groups to compare within subjects", many, paired = 1:12)
wrong("write.report does not apply", many, options = list(write = list(report = "x.html")))
# A graph can be drawn, and no edges at all are refused as everywhere.
p <- nervure(many[[1]], method = "ggm", confidence = FALSE)
grDevices::pdf(NULL)
stopifnot(identical(plot(p), p))
invisible(grDevices::dev.off())
said <- tryCatch(nervure(many[[1]], edges = 0), error = conditionMessage)
stopifnot(identical(said, "nervure: edges: got 0, want a whole number of at least 1"))
cat("all checked\n")
