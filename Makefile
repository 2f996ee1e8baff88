# Needs Go, make and bash; everything else is fetched by Go.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

# The tools run at a fixed version straight from the module cache. As tool lines
# in go.mod they would put golangci-lint's two hundred modules into the build
# list of everyone who imports this library.
GOFUMPT := go run mvdan.cc/gofumpt@v0.12.0
GOLANGCI := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.14.0

# make test counts inputs instead of seconds: up to Go 1.26 a run that ends by
# the clock now and then fails with "context deadline exceeded" and no failing
# input (go.dev/issue/75804). Without a bound, making inputs smaller takes nearly
# all of a minute: some hundred inputs of FuzzParquet were tried instead of 100 000.
FUZZ_SHORT := -fuzztime 5000x -fuzzminimizetime 100x
FUZZ_LONG := -fuzztime 60s -fuzzminimizetime 100x

# Some tests have other software read what we write, and a benchmark runs against
# NumPy. Where python3 can make a virtual environment they get one; elsewhere
# those tests say that they were left out.
PYTHON := $(CURDIR)/.venv/bin/python
PYTHON_PACKAGES := numpy==2.4.6 scipy==1.17.1 networkx==3.6.1 pydot==4.0.1 pandas==3.1.1 pyarrow==26.0.1
export NERVURE_PYTHON = $(if $(wildcard $(PYTHON)),$(PYTHON),python3)

# Benchmarks: make bench BENCH=OMP COUNT=10 > new.txt, then compare with benchstat.
BENCH := .
COUNT := 1

heading = @printf '\n== %s\n' '$(1)'

.PHONY: help
help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | while IFS='|' read -r name what; do printf '%-16s %s\n' "$$name" "$$what"; done

.PHONY: build
build: ## build the tool as bin/nervure
	go build -o bin/nervure ./cmd/nervure

.PHONY: test
test: check-format vet lint unit race fuzz-short readme ## everything below that checks: what CI runs
	$(call heading,all passed)

.PHONY: format
format: ## format all Go files
	$(GOFUMPT) -w .

.PHONY: check-format
check-format:
	$(call heading,format)
	@unformatted=$$($(GOFUMPT) -l .); \
	if [[ -n $$unformatted ]]; then printf 'not formatted; run make format:\n%s\n' "$$unformatted"; exit 1; fi

.PHONY: vet
vet:
	$(call heading,build and vet)
	@go build ./...
	@go vet ./...
	@go vet -tags purego ./internal/linalg

.PHONY: lint
lint: ## run the linters
	$(call heading,lint)
	@$(GOLANGCI) run ./...

.PHONY: python
python:
	$(call heading,other software for the tests to compare with)
	@if ! command -v python3 > /dev/null; then echo 'left out: no python3 here'; \
	elif [[ ! -x $(PYTHON) ]] && ! python3 -m venv .venv > /dev/null 2>&1; then rm -rf .venv; echo 'left out: python3 has no venv'; \
	else $(PYTHON) -m pip install --quiet --disable-pip-version-check $(PYTHON_PACKAGES) && echo '$(PYTHON_PACKAGES)'; fi

# Pages are tested in Chromium. NERVURE_CHROMIUM names one that is called otherwise.
.PHONY: browser
browser:
	$(call heading,a browser for the tests of pages)
	@for name in "$${NERVURE_CHROMIUM:-chromium}" chromium chromium-browser google-chrome; do \
		if command -v "$$name"; then exit 0; fi; done; \
	if [[ $$(id -u) == 0 ]] && command -v apt-get > /dev/null; \
	then { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; } > /dev/null 2>&1 \
		&& command -v chromium || echo 'left out: apt-get could not install chromium'; \
	else echo 'left out: no chromium here, and no right to install it'; fi

.PHONY: unit
unit: python browser ## run the tests
	$(call heading,tests)
	@go test -timeout 5m ./...

# The race detector needs a C compiler with its headers. Packages that do one thing
# at a time have nothing to show it: the tests of the repository itself, drawings
# and pages.
ONE_AT_A_TIME := nervure|nervure/(figure|report|internal/layout|cmd/docs(/.*)?)
.PHONY: race
race: ## run the short tests under the race detector, if there is a C compiler
	$(call heading,tests with the race detector (short))
	@if [[ $$(go env CGO_ENABLED) == 1 ]] && printf '#include <stdlib.h>\nint main(void) { return 0; }\n' | $$(go env CC) -x c -o /dev/null - 2>/dev/null; \
	then go test -race -short -timeout 10m $$(go list ./... | grep -vE '/($(ONE_AT_A_TIME))$$'); \
	else echo 'left out: no C compiler here'; fi

# Run every fuzz target with the flags $(1).
define fuzz
@packages=$$(go list ./...); \
for pkg in $$packages; do \
	targets=$$(go test -list '^Fuzz' $$pkg | sed -n '/^Fuzz/p'); \
	for target in $$targets; do \
		echo "$$pkg $$target"; \
		go test -run '^$$' -fuzz "^$$target\$$" $(1) $$pkg; \
	done; \
done
endef

.PHONY: fuzz-short
fuzz-short:
	$(call heading,short fuzz of each target)
	$(call fuzz,$(FUZZ_SHORT))

.PHONY: fuzz
fuzz: ## fuzz each target for a minute
	$(call fuzz,$(FUZZ_LONG))

# The program behind the manual.
DOCS := go run ./cmd/docs

.PHONY: readme
readme: python ## run the code blocks of the README and of the manual as written
	$(call heading,the code blocks of the README and the manual)
	@$(DOCS) run

.PHONY: pages
pages: ## write the generated tables and figures of README.md and docs anew
	@$(DOCS) pages

SITE := bin/site

.PHONY: site
site: ## build the manual as a static site, in bin/site or SITE=directory
	@$(DOCS) site --out '$(SITE)'

# Benchmarks that take minutes have targets of their own.
LONG := ^Benchmark(Tune|Performance|BothWays|Robust)$$|^BenchmarkAgainstReference$$/er/n=500

.PHONY: bench
bench: python ## run the benchmarks, in the format benchstat reads
	@go test -run '^$$' -bench '$(BENCH)' -skip '$(LONG)' -benchmem -count $(COUNT) -timeout 60m ./...

.PHONY: recovery
recovery: ## measure the recovery figures of the README again: a minute
	@$(DOCS) measure recovery
	@$(DOCS) pages

.PHONY: robust
robust: ## measure noise, missing values and unknown models again: twenty minutes
	@$(DOCS) measure robust
	@$(DOCS) pages

# Most sets of real data may not be redistributed. Without them only the commands of
# docs/real-data.md are run, on the set that may.
.PHONY: realdata
realdata: ## run the tool on real data again (DATA=directory of the sets): twenty minutes
	@if [[ -n '$(DATA)' ]]; then $(DOCS) measure realdata --data '$(DATA)'; \
	else echo 'left out: all sets but molene; DATA=directory says where they are'; fi
	@$(DOCS) measure walk
	@$(DOCS) pages

.PHONY: tuning
tuning: ## run the grid search behind the recipe maretic2017 again: four minutes
	@$(DOCS) measure tuning

.PHONY: performance
performance: python ## measure speed and memory again, best on an idle machine: twenty minutes
	@$(DOCS) measure performance
	@$(DOCS) pages
