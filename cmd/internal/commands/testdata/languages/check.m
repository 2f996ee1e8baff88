% Checks nervure.m. The directory it runs in has signals.mat (signals and names) and
% expected.mat, what the command line makes of them.
warning('error', 'nervure:warning'); % there are none until the end
in = load('signals.mat');
want = load('expected.mat');
same = @(a, b) assert(isequal(full(a), full(b)));

G = nervure(in.signals, 'names', in.names, 'codes', true);
same(G.adjacency, want.W);
same(G.laplacian, want.L);
assert(isequal(G.names(:), in.names(:)));
assert(strcmp(G.verdict, 'exact'));
assert(numel(G.edges) == nnz(want.W) / 2);
assert(size(G.codes, 2) == size(in.signals, 1) && nnz(G.codes) > 0);
assert(isempty(G.warnings) && strcmp(G.summary.method, 'sparse'));
e = G.edges(3);
from = find(strcmp(G.names, e.source));
to = find(strcmp(G.names, e.target));
assert(G.adjacency(from, to) == e.weight && e.weight > 0);
assert(abs(G.confidence(to, from) - e.confidence) < 1e-15);

% Options become the document of a run. Methods may doubt what these options make them find.
warning('off', 'nervure:warning');
more = struct('prepare', struct('scale', false));
g = nervure(in.signals, 'method', 'glasso', 'params', struct('rho', 0.2, 'absolute', 1), 'edges', 7, 'Confidence', 'no', 'options', more);
assert(numel(g.edges) == 7 && strcmp(g.summary.method, 'glasso') && isempty(g.confidence) && isnan(g.edges(1).confidence));
assert(g.summary.run.method.params.rho == 0.2 && strcmp(g.summary.run.prepare.scale, 'no') && g.summary.run.cut.edges == 7);
d = nervure(cumsum(in.signals), 'method', 'ggl', 'difference', true, 'confidence', 'no', 'options', struct('prepare', struct('center', false)));
assert(d.summary.preparation.difference);
more = struct('method', struct('sparsity', 3), 'check', struct('structure', false), 'sample', 150);
k = nervure(in.signals, 'kernels', {'heat:2', 'heat:1'}, 'threshold', 'auto', 'season', [5 7], 'time_limit', 90, 'seed', 3, ...
    'threads', 1, 'confidence', false, 'options', more).summary.run;
assert(isequal(k.kernels.given(:), {'heat:2'; 'heat:1'}) && strcmp(k.cut.rule, 'auto') && isequal(k.prepare.periods(:), [5; 7]));
assert(any(strcmp(k.time_limit, {'90s', '1m30s'})) && k.seed == 3 && k.method.sparsity == 3 && strcmp(k.check.structure, 'no') && k.sample == 150);

a = nervure(in.signals, 'method', 'causal', 'confidence', 'no');
assert(a.summary.directed && isempty(a.laplacian));

for yes = [true, false]
    more = struct('prepare', struct('center', yes, 'scale', yes));
    s = nervure(in.signals, 'method', 'ggl', 'confidence', yes, 'edges', [], 'codes', [], 'options', more);
    assert(s.summary.preparation.centered == yes && s.summary.preparation.scaled == yes && isempty(s.confidence) ~= yes);
end

% What takes auto, yes or no takes true and false as well.
function answer = with_option(Y, flag, value)
    G = nervure(Y, 'method', 'ggl', 'confidence', 'no', flag, value);
    answer = {full(G.adjacency), full(G.confidence), G.verdict, G.warnings};
end
flags = strsplit(getenv('YES_OR_NO'), ' ');
assert(any(strcmp(flags, 'difference')));
for k = 1:numel(flags)
    assert(isequal(with_option(in.signals, flags{k}, true), with_option(in.signals, flags{k}, 'yes')));
    assert(isequal(with_option(in.signals, flags{k}, false), with_option(in.signals, flags{k}, 'no')));
    with_option(in.signals, flags{k}, 'auto');
end
assert(isequal(with_option(in.signals, 'season', false), with_option(in.signals, 'season', 'no')));

% Empty answers.
none = nervure(randn(40, 5), 'method', 'glasso', 'params', struct('rho', 0.999));
assert(isempty(none.edges) && nnz(none.adjacency) == 0 && numel(none.names) == 5);
warning('error', 'nervure:warning');

% Errors have the sentence of the program.
function refused(words, varargin)
    try
        nervure(varargin{:});
    catch fault
        assert(~isempty(strfind(fault.message, words)) && isempty(regexp(fault.message, '--help|signals\.mat', 'once')), fault.message);
        return
    end
    error('not refused: %s', words);
end
refused('nonsense', in.signals, 'method', 'nonsense');
refused('prepare.scale "none": want auto, yes or no', in.signals, 'options', struct('prepare', struct('scale', 'none')));
refused('prepare.centre is not a key of a run', in.signals, 'options', struct('prepare', struct('centre', false)));
refused('nervure: edges: got 2.5, want a whole number', in.signals, 'edges', 2.5);
refused('options must be a struct', in.signals, 'options', 3);
refused('option write.graph is set by nervure.m itself', in.signals, 'options', struct('write', struct('graph', 'x.csv')));
refused('--no-such-option', in.signals, 'no_such_option', 3);
refused('come in pairs', in.signals, 'method');
refused('set by nervure.m itself', in.signals, 'out', 'x.csv');
refused('must be a real matrix', {1, 2});
names = arrayfun(@(k) sprintf('c%d', k), 1:24, 'UniformOutput', false);
refused('two columns are called "c2": rename one', in.signals, 'names', names([1 2 2 4:24]));
refused('column 2 has no name', in.signals, 'names', [names(1), {' '}, names(3:24)]);
refused('there are 2 names for 24 vertices', in.signals, 'names', names(1:2));
refused('option names must be a cell array of texts', in.signals, 'names', 1:24);
refused('nervure: signals: got 1, want at least 2; if vertices are in rows, transpose them with Y''', in.signals(1, :));
infinite = in.signals;
infinite(3, 2) = Inf;
refused('nervure: the value at index (3, 2) (c2) is not finite', infinite, 'names', names);
refused('option codes must be true or false', in.signals, 'codes', 'yes');
refused('option help is set by nervure.m itself', in.signals, 'help', true);
refused('params is a struct', in.signals, 'method', 'knn', 'params', 3);
refused('has no parameter "q"', in.signals, 'method', 'knn', 'params', struct('q', 3));
refused('option edges is a number, a text', in.signals, 'edges', @sin);
refused('option binary must be', in.signals, 'binary', 3);
refused('NERVURE_BINARY', in.signals, 'binary', './there is none');

% Missing values, and warnings.
warning('on', 'nervure:warning');
lastwarn('');
Y = in.signals;
Y(3, 2) = NaN;
Y(:, 5) = 1;
w = nervure(Y, 'confidence', 'no');
assert(w.summary.preparation.missing == 1);
assert(any(sum(w.adjacency) == 0) && all(abs(diag(w.laplacian) - 1) < 1e-15)); % also without edges
assert(~isempty(w.warnings) && ~isempty(lastwarn()));
disp('all checked');
