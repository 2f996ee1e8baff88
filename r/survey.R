# What polychoric correlations and EBICglasso make of the surveys that TestSurveyAnswers draws: the
# F1 of the edges, at their own number. Needs the packages qgraph and lavaan.
#
#   go test . -run SurveyAnswers -args -surveys DIR && Rscript r/survey.R DIR
suppressMessages(library(qgraph))
dir <- commandArgs(TRUE)[1]
for (file in sort(list.files(dir, "-answers.csv$", full.names = TRUE))) {
  answers <- read.csv(file, header = FALSE)
  truth <- as.matrix(read.csv(sub("-answers", "-truth", file), header = FALSE))
  net <- suppressMessages(suppressWarnings(EBICglasso(cor_auto(answers, verbose = FALSE), nrow(answers), gamma = 0.5)))
  found <- which(upper.tri(net) & net != 0, arr.ind = TRUE)
  key <- function(e) paste(pmin(e[, 1], e[, 2]), pmax(e[, 1], e[, 2]))
  hits <- sum(key(found) %in% key(truth))
  cat(sprintf("%s %.3f (%d edges, %d true)\n", basename(file), 2 * hits / (nrow(found) + nrow(truth)), nrow(found), nrow(truth)))
}
