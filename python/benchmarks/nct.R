# Lets NetworkComparisonTest compare two groups: nct.R FOLDER [GAMMA] [STUDIES]
#
# Reads FOLDER/study-*.csv as groups.py draws them, a row a person, and writes FOLDER/nct-GAMMA.csv, the p-values of the
# largest difference between edges and of global strength for each study, and FOLDER/nct-GAMMA-edges.csv, those of each
# edge, as they are and adjusted by Benjamini and Hochberg. GAMMA is that of the extended BIC, .5 by the package's own
# choice. Studies that the tables have already are left out. Needs the R package NetworkComparisonTest 2.2.2.
suppressMessages(library(NetworkComparisonTest))
args <- commandArgs(trailingOnly = TRUE)
folder <- args[1]
gamma <- if (length(args) > 1) as.numeric(args[2]) else 0.5
files <- sort(list.files(folder, "^study-.*\\.csv$"))
count <- if (length(args) > 2) min(as.integer(args[3]), length(files)) else length(files)
PERMUTATIONS <- 199

table <- function(name) file.path(folder, sprintf("nct-%g%s.csv", gamma, name))

# append adds rows to a table, so that what is done stays when the run is ended.
append <- function(rows, path) {
  new <- !file.exists(path)
  write.table(rows, path, sep = ",", quote = FALSE, row.names = FALSE, col.names = new, append = !new)
}

done <- if (file.exists(table(""))) read.csv(table(""))$study else c()
for (k in seq_len(count)) {
  study <- sub("\\.csv$", "", files[k])
  if (study %in% done) next
  data <- read.csv(file.path(folder, files[k]))
  parts <- split(data[names(data) != "group"], data$group)
  set.seed(k)
  begin <- proc.time()
  fit <- NCT(parts[[1]], parts[[2]],
    gamma = gamma, it = PERMUTATIONS, test.edges = TRUE, p.adjust.methods = "none",
    progressbar = FALSE, verbose = FALSE
  )
  used <- sum((proc.time() - begin)[c("user.self", "sys.self")])
  p <- fit$einv.pvals[["p-value"]]
  edges <- data.frame(study, source = fit$einv.pvals$Var1, target = fit$einv.pvals$Var2, p, q = p.adjust(p, "BH"))
  append(edges, table("-edges"))
  tests <- data.frame(study, maximum = fit$nwinv.pval, strength = fit$glstrinv.pval, seconds = round(used, 3))
  append(tests, table(""))
}
