# Lets QUIC and BigQUIC learn from a field: rivals.R DIRECTORY PROGRAM VERTICES SIGNALS PENALTY
#
# Called by `go run ./cmd/docs measure sizes`, with the files of rivals.py. BigQUIC penalises the diagonal as well,
# so that a penalty means a little more there. Needs the R packages QUIC 1.1.1 and BigQuic 1.1-13.
args <- commandArgs(trailingOnly = TRUE)
directory <- args[1]
n <- as.integer(args[3])
m <- as.integer(args[4])
penalty <- as.numeric(args[5])
y <- matrix(readBin(file.path(directory, "signals.bin"), "double", n * m), m, n)
used <- function() sum(proc.time()[c("user.self", "sys.self")])

# by_quic returns the pairs that have an entry, as rows.
by_quic <- function() {
  rho <- matrix(penalty, n, n)
  diag(rho) <- 0
  which(QUIC::QUIC(crossprod(y) / m, rho, msg = 0)$X != 0, arr.ind = TRUE)
}

by_bigquic <- function() {
  fit <- BigQuic::BigQuic(y, lambda = penalty, numthreads = 1, use_ram = TRUE)
  as.matrix(Matrix::summary(fit$precision_matrices[[1]])[, 1:2])
}

# BigQUIC chooses by stability among penalties that are given.
by_bigquic_chosen <- function() {
  fit <- BigQuic::BigQuic(y, lambda = c(0.15, 0.2, 0.3, 0.4, 0.5), numthreads = 1, use_ram = TRUE)
  fit <- BigQuic::BigQuic.select(fit, verbose = FALSE)
  penalty <<- fit$opt.lambda
  as.matrix(Matrix::summary(fit$precision_matrices[[which(fit$lambda == fit$opt.lambda)]])[, 1:2])
}

begin <- used()
pairs <- switch(args[2], "QUIC" = by_quic(), "BigQUIC" = by_bigquic(), by_bigquic_chosen())
seconds <- used() - begin
pairs <- unname(pairs[pairs[, 1] < pairs[, 2], , drop = FALSE]) - 1
write.table(pairs, file.path(directory, "edges.csv"), sep = ",", row.names = FALSE, col.names = FALSE)
cat(sprintf('\n{"seconds": %.3f, "penalty": %g}\n', seconds, penalty))
