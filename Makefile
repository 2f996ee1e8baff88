# Needs Go, make and bash. Go fetches the tools, and .ci/parts what tests need besides.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

# The tools run at a fixed version straight from the module cache. As tool lines in
# go.mod they would put golangci-lint's two hundred modules into the build list of
# everyone who imports this library.
GOFUMPT := go run mvdan.cc/gofumpt@v0.12.0
GOLANGCI := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.14.0
ACTIONLINT := go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
export GOVULNCHECK := go run golang.org/x/vuln/cmd/govulncheck@v1.9.0

# Tests that need Python use this one.
PYTHON := $(CURDIR)/.venv/bin/python
export NERVURE_PYTHON = $(if $(wildcard $(PYTHON)),$(PYTHON),python3)

# Benchmarks: make bench BENCH=OMP COUNT=10 > new.txt, then compare with benchstat.
BENCH := .
COUNT := 1

heading = @printf '\n== %s\n' '$(1)'

.PHONY: help
help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1|\2/p' Makefile | while IFS='|' read -r name what; do printf '  %-17s %s\n' "$$name" "$$what"; done

.PHONY: build
build: ## build the tool as bin/nervure
	go build -o bin/nervure ./cmd/nervure

# Parts that are left out are counted at the end.
define passed
@count=$$(grep -c . $(LEFT_OUT) || true); \
printf '\n== all passed, %s left out\n' "$$count $$([[ $$count == 1 ]] && echo part || echo parts)"; cat $(LEFT_OUT)
endef

.PHONY: test
test: parts check-format vet lint unit race python-test readme times ## run the checks of every change, as CI does: ten minutes
	$(passed)

# Tests that call needs.Long, and those of other software than that of PARTS, are of this target alone.
.PHONY: test-all
test-all: export NERVURE_TEST_ALL = true
test-all: PARTS += firefox axe pdf slurm
test-all: parts check-format vet lint unit race python-test manual vulncheck ## run all checks there are: an hour
	$(passed)

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
	$(call heading,vet)
	@go vet ./...
	@go vet -tags purego ./internal/linalg

.PHONY: lint
lint: ## run the linters
	$(call heading,lint)
	@$(GOLANGCI) run ./...
	@$(ACTIONLINT) .github/workflows/*.yml

.PHONY: vulncheck
vulncheck: ## look for known vulnerabilities in what the programs call, where Go's database can be reached
	$(call heading,known vulnerabilities)
	@.ci/vulncheck

.PHONY: notice
notice: ## rewrite NOTICE: what the program is made of, and the licences
	@mkdir -p bin && go run ./cmd/release --notice > bin/NOTICE && mv bin/NOTICE NOTICE

# What the tests need besides Go; .ci/parts explains it. Go runs tests that were left
# out again when NERVURE_LEFT_OUT changes.
export LEFT_OUT := bin/left-out.txt
export NERVURE_LEFT_OUT = $(shell cat $(LEFT_OUT) 2> /dev/null)

PARTS := python browser compiler octave r node
.PHONY: parts
parts: ## find or install what the tests need besides Go
	$(call heading,what the tests need besides Go)
	@.ci/parts $(PARTS)

.PHONY: python
python:
	@.ci/parts python

# The program that tests run is built once for all of them. It is replaced only where it
# has changed, and says nothing of the commit, so that Go's cache of test results holds.
BUILT := $(CURDIR)/bin/built/nervure
.PHONY: built
built:
	@mkdir -p bin/built && go build -buildvcs=false -ldflags='-s -w' -o bin/built/new ./cmd/nervure
	@cmp -s bin/built/new $(BUILT) || cp bin/built/new $(BUILT)

unit race readme manual: export NERVURE_BUILT = $(BUILT)

# Tests and the programs that they run are many short lives on small signals: garbage is
# collected less often than by default, which saves a quarter of their processor time.
unit race readme manual python-test: export GOGC = 400

# A time limit only stops tests that hang: go test gives it to each package, and a package
# that takes two minutes by itself takes forty beside twenty busy processes. The longest
# packages come first, so that none of them runs alone at the end. The target vet has looked
# at more than go test would. Processor time is noted where results of tests are not taken from
# Go's cache: with CI=true or TIMED=yes.
TIMED := $(CI)
export CPU_TIMES := $(CURDIR)/bin/cpu-times.txt
GO_TEST = go test -vet=off -timeout 90m $(if $(filter true yes,$(TIMED)),-exec '$(CURDIR)/.ci/cpu')
LONGEST := ./cmd/internal/commands ./learn

# The race detector runs instead of the plain tests, not after them: in the packages that are made of
# goroutines, and in the tests elsewhere that have Threads in their name. What a short test leaves out is no
# race. With test-all it runs, besides the plain tests, in all packages that start goroutines or call those that do.
RACED := cmd/internal/(experiment|faults|viewer|views)|groups|baseline/internal/local|internal/(browsertest|checkpoint|checkpoint/disk|cluster|durable|guard|memory|run|task)
NOT_RACED := nervure|nervure/(dataio|document|examples|graph|input|kernel|method|metrics|prepare|report|signals|synth|internal/(build|checks|codec/.*|figure|house|layout|matrix|modelfile|needs|plot|repository|rng|sample|words)|cmd/(docs|nervure|release|internal/pairs)(/.*)?)
packages = go list ./... | grep -E
no_compiler = grep -qs '^compiler ' $(LEFT_OUT)

.PHONY: unit
unit: parts built ## run the tests
	$(call heading,tests)
	@rm -f $(CPU_TIMES); \
	if [[ -n '$(NERVURE_TEST_ALL)' ]] || $(no_compiler); then $(GO_TEST) $(LONGEST) ./...; \
	else $(GO_TEST) -skip Threads $(LONGEST) $$($(packages) -v '/nervure/($(RACED))$$'); fi

.PHONY: race
race: parts built ## run tests with the race detector
	$(call heading,tests with the race detector)
	@if $(no_compiler); then echo 'left out: there is no C compiler'; \
	elif [[ -n '$(NERVURE_TEST_ALL)' ]]; then $(GO_TEST) -race -short $$($(packages) -v '/($(NOT_RACED))$$'); \
	else $(GO_TEST) -race -short $$($(packages) '/nervure/($(RACED))$$'); \
	$(GO_TEST) -race -short -run Threads $$(grep -rlE --include='*_test.go' '^func Test\w*Threads' . | xargs -n 1 dirname | sort -u | grep -vE '^\./($(RACED))$$'); fi

# A package may take half as much again as internal/house/testdata/times.txt says.
.PHONY: times
times:
	@if [[ -s $(CPU_TIMES) ]]; then go test ./internal/house -count 1 -run '^TestPackagesKeepTheirTime$$' -cpu-times $(CPU_TIMES); fi

.PHONY: budget
budget: ## lower the figures of internal/house/testdata/budget.txt, and of times.txt after make test TIMED=yes, to what is
	@go test ./internal/house -count 1 -run 'KeepsTheBudget|KeepTheirTime' -update -cpu-times $(CPU_TIMES)

# Some minutes: programs for other processors are built, and emulated.
.PHONY: processors
processors: ## compare the graphs of all processors, also of arm64 and WebAssembly
	@.ci/parts qemu node
	@$(GO_TEST) ./cmd/nervure -run AllProcessors -processors -v

.PHONY: python-package
python-package: parts built
	@if ! grep -q '^python ' $(LEFT_OUT); then \
	NERVURE_PROGRAM=$(BUILT) $(PYTHON) -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall ./python; fi

.PHONY: python-test
python-test: python-package ## run the tests of the Python package
	$(call heading,tests of the Python package)
	@if grep -q '^python ' $(LEFT_OUT); then echo 'left out: there is no Python'; \
	else cd python && $(PYTHON) -m ruff check --quiet . && $(PYTHON) -m ruff format --check --quiet . && $(PYTHON) -m mypy && $(PYTHON) -m pytest -q; fi

# The seeds of the fuzz targets are among the tests.
fuzz-each = @go test ./internal/house -count 1 -timeout 0 -v -run '^TestEveryTargetIsFuzzed$$/$(FUZZ)' -fuzz-each

.PHONY: fuzz
fuzz: ## fuzz each target for a minute (FUZZ=FuzzVertices: only those that match)
	$(fuzz-each) 60s

# Targets that read nothing but numbers are no parsers.
.PHONY: fuzz-long
fuzz-long: ## run each fuzz target of a parser a million times: an hour and more (FUZZ=as above)
	$(fuzz-each) 1000000x -skip '/linalg'

# The program behind the manual.
DOCS := go run ./cmd/docs

.PHONY: readme
readme: python-package ## run the code blocks of the README as written
	$(call heading,the code blocks of the README)
	@$(DOCS) run README.md

.PHONY: manual
manual: python-package ## run the code blocks of the README and of the manual as written: five minutes
	$(call heading,the code blocks of the README and the manual)
	@$(DOCS) run

.PHONY: pages
pages: ## rewrite the generated tables and figures of README.md and docs
	@$(DOCS) pages

SITE := bin/site

.PHONY: site
site: ## build the manual as a static site, in bin/site or SITE=directory
	@$(DOCS) site --out '$(SITE)'

# Five minutes if nothing is in Go's cache.
.PHONY: release
release: ## build all that is published of the last commit into dist: VERSION=1.2.3
	@go run ./cmd/release --version '$(VERSION)' --out dist

.PHONY: release-check
release-check: ## build a release twice, compare, and run what can be run here: VERSION=1.2.3
	@.ci/release-check '$(or $(VERSION),0.0.0-rc.1)'

# Benchmarks that take minutes have targets of their own.
LONG := ^Benchmark(Tune|Performance|BothWays|Sizes|Memory|ManySignals|Command|Robust)$$|^BenchmarkAgainstReference$$/er/n=500

.PHONY: bench
bench: python ## run the benchmarks, in the format benchstat reads
	@go test -run '^$$' -bench '$(BENCH)' -skip '$(LONG)' -benchmem -count $(COUNT) -timeout 60m ./...

.PHONY: recovery
recovery: ## measure the recovery figures of docs/paper.md again: a minute
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

.PHONY: messy
messy: ## learn from simulated recordings again, with broken sensors and cycles: an hour
	@$(DOCS) measure messy
	@$(DOCS) pages

# Measured sets may not be redistributed, and networks are drawn by other software:
# python/benchmarks/networks.py DIRECTORY.
.PHONY: fields
fields: ## learn from simulated fields again, from networks and sets (NETWORKS=directory, DATA=directory), as far as ONLY="N=100 grid" says: many hours
	@$(DOCS) measure fields --missing --networks '$(NETWORKS)' --data '$(DATA)' $(if $(ONLY),--only '$(ONLY)')
	@$(DOCS) pages

# Other programs are not shipped: docs/performance.md says which, and how they are run.
.PHONY: sizes
sizes: ## learn from fields of up to 10,000 vertices again (DATA=directory of sets), as far as ONLY="N=2500 grid" says: half an hour and more
	@$(DOCS) measure sizes --missing --data '$(DATA)' $(if $(ONLY),--only '$(ONLY)')
	@$(DOCS) pages

# Other programs are not shipped. python/benchmarks/groups.py draws the studies that they compare, in DIRECTORY, and
# says how they are run: nct.R and groups.py nilearn.
.PHONY: groups
groups: ## compare groups of simulated subjects again, beside other programs (DATA=directory of drawn studies): an hour
	@$(DOCS) measure groups --missing --data '$(DATA)'
	@$(DOCS) pages

# The sets of NetSim may not be redistributed.
.PHONY: plans
plans: ## hold plans against what is found once the signals are there (DATA=directory of the sets): ten minutes
	@$(DOCS) measure plan --data '$(DATA)'
	@$(DOCS) pages

.PHONY: forecast
forecast: ## hold forecasts along the edges of graphs against each other again (DATA=directory of the sets): two minutes
	@$(DOCS) measure forecast --data '$(DATA)'
	@$(DOCS) pages

.PHONY: reliability
reliability: python ## try to break the tool in every way again, for docs/reliability.md: several hours
	@$(DOCS) measure reliability
	@$(DOCS) pages

SEED := 1

.PHONY: pairs
pairs: python built ## learn from small tables with every pair of what may come together, of any SEED: half an hour
	@NERVURE_BUILT=$(BUILT) go test ./cmd/internal/pairs -run '^TestTheWholeArray$$' -count 1 -timeout 0 -v -seed '$(SEED)'

.PHONY: tuning
tuning: ## run the grid search behind the recipe maretic2017 again: four minutes
	@$(DOCS) measure tuning

.PHONY: performance
performance: python ## measure speed and memory again, best on an idle machine: twenty minutes
	@$(DOCS) measure performance
	@$(DOCS) pages

SOAK := 1h

.PHONY: soak
soak: ## run the page's server under load and fail if it grows: an hour, or SOAK=10m
	@go test ./cmd/nervure -run '^TestTheServerDoesNotGrow$$' -soak $(SOAK) -timeout 0 -v
