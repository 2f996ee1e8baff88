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

% Options become flags.
g = nervure(in.signals, 'method', 'glasso', 'param', {'rho=0.2', 'absolute=1'}, 'edges', 7, 'Confidence', 'no', 'scale', 'no');
assert(numel(g.edges) == 7 && strcmp(g.summary.method, 'glasso') && isempty(g.confidence) && isnan(g.edges(1).confidence));
d = nervure(cumsum(in.signals), 'method', 'ggl', 'difference', true, 'center', 'no', 'confidence', 'no');
assert(d.summary.preparation.difference);
warning('off', 'nervure:warning');
a = nervure(in.signals, 'method', 'causal', 'confidence', 'no');
warning('error', 'nervure:warning');
assert(a.summary.directed && isempty(a.laplacian));

% Empty answers.
none = nervure(randn(40, 5), 'method', 'glasso', 'param', 'rho=0.999');
assert(isempty(none.edges) && nnz(none.adjacency) == 0 && numel(none.names) == 5);

% Errors have the sentence of the program.
function refused(words, varargin)
    try
        nervure(varargin{:});
    catch fault
        assert(~isempty(strfind(fault.message, words)) && isempty(strfind(fault.message, '--help')), fault.message);
        return
    end
    error('not refused: %s', words);
end
refused('nonsense', in.signals, 'method', 'nonsense');
refused('--scale "none": want auto, yes or no', in.signals, 'scale', 'none');
refused('--no-such-option', in.signals, 'no_such_option', 3);
refused('come in pairs', in.signals, 'method');
refused('set by nervure.m itself', in.signals, 'out', 'x.csv');
refused('must be a real matrix', {1, 2});
refused('NERVURE_BINARY', in.signals, 'binary', './there is none');

% Missing values, and warnings.
warning('on', 'nervure:warning');
lastwarn('');
Y = in.signals;
Y(3, 2) = NaN;
Y(:, 5) = 1;
w = nervure(Y, 'confidence', 'no');
assert(w.summary.preparation.missing == 1);
assert(~isempty(w.warnings) && ~isempty(lastwarn()));
disp('all checked');
