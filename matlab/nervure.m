function G = nervure(Y, varargin)
%NERVURE Learn the graph behind a set of signals.
%   G = NERVURE(Y) learns a graph from the matrix or table Y. Rows are
%   observations, columns are vertices, NaN is a missing value. Y may also be
%   the path of a file, which is read as "nervure learn" reads it. Needs the
%   program nervure on the path; the environment variable NERVURE_BINARY names
%   another one. Runs in MATLAB R2016b or later, and in Octave 7 or later.
%
%   G = NERVURE(Y, NAME, VALUE, ...) sets options of "nervure learn", which
%   "nervure learn --help" explains. Names are those of the flags, with
%   underscores for dashes if you like. Numbers and texts are their values,
%   true and false switch them and are also yes and no, a cell array repeats
%   them, and [] leaves them out:
%
%      G = nervure(Y, 'method', 'glasso', 'param', {'rho=0.1', 'absolute=1'});
%
%   Three options are not flags: 'names' is a cell array of the names of the
%   vertices, 'codes' true returns the sparse codes, too, and 'binary' is the
%   program to run.
%
%   G has the fields
%      adjacency   weights, sparse; row to column if the graph is directed
%      laplacian   normalised Laplacian, sparse; [] if the graph is directed
%      names       names of the vertices, a cell array
%      edges       struct array: source, target, weight and confidence
%      confidence  of each edge, in [0, 1], sparse; [] if it was not estimated
%      verdict     how far to trust the graph: 'exact', 'supported', 'weak', ...
%      warnings    cell array of sentences, which are also given as warnings
%      notes       likewise, what was noticed when the signals were read
%      summary     all that the program says of the run
%      codes       one row per atom, one column per signal; only if asked for

    [names, codes, binary, flags] = read_options(varargin);
    if isa(Y, 'string') && isscalar(Y), Y = char(Y); end
    isfile = ischar(Y) && size(Y, 1) == 1;
    if isa(Y, 'table')
        if isempty(names), names = Y.Properties.VariableNames; end
        Y = Y{:, :};
    end
    if ~isfile && (~(isnumeric(Y) || islogical(Y)) || ~ismatrix(Y) || ~isreal(Y))
        error('nervure:input', 'nervure: the signals must be a real matrix, rows are observations');
    end
    if isfile && ~isempty(names)
        error('nervure:input', 'nervure: option names is for a matrix: a file has the names of its vertices');
    end
    check_names(names, size(Y, 2));

    dir = tempname();
    mkdir(dir);
    clean = onCleanup(@() remove(dir));
    file = @(name) fullfile(dir, name);
    signals = Y;
    if ~isfile
        signals = file('signals.mat');
        write_signals(signals, Y, names);
    end
    if codes, flags = [flags, {'--codes', file('codes.mat')}]; end
    stopped = run(binary, dir, [{'learn', signals, '--out', file('graph.json'), ...
        '--summary', file('summary.json'), '--progress', 'none'}, flags]);
    run(binary, dir, {'convert', file('graph.json'), '--out', file('graph.mat')}); % JSON may lose a last digit

    G = read_graph(file('graph.mat'), file('graph.json'));
    G.summary = jsondecode(fileread(file('summary.json')));
    G.verdict = G.summary.verdict;
    G.warnings = cellstr_of(G.summary.warnings);
    G.notes = {};
    if isfield(G.summary, 'notes'), G.notes = cellstr_of(G.summary.notes); end
    if codes && exist(file('codes.mat'), 'file')
        G.codes = first_matrix(load(file('codes.mat')));
    end
    if stopped, G.warnings{end + 1} = 'interrupted: this is the best graph so far'; end
    said = [G.notes(:); G.warnings(:)];
    for k = 1:numel(said)
        warning('nervure:warning', '%s', said{k});
    end
end

% read_options splits names and values into what this file needs and flags.
function [names, codes, binary, flags] = read_options(options)
    names = {};
    codes = false;
    flags = {};
    binary = getenv('NERVURE_BINARY');
    if isempty(binary), binary = 'nervure'; end
    if mod(numel(options), 2) ~= 0
        error('nervure:input', 'nervure: options come in pairs of a name and a value');
    end
    for k = 1:2:numel(options)
        name = options{k};
        value = options{k + 1};
        if isa(name, 'string'), name = char(name); end
        if isa(value, 'string'), value = cellstr(value); end
        if ~ischar(name)
            error('nervure:input', 'nervure: option %d has no name: options come in pairs of a name and a value', (k + 1) / 2);
        end
        name = lower(strrep(name, '_', '-'));
        switch name
            case 'names'
                if ~(isempty(value) || ischar(value) || iscellstr(value)) %#ok<ISCLSTR>
                    error('nervure:input', 'nervure: option names must be a cell array of texts');
                end
                names = {};
                if ~isempty(value), names = cellstr(value); end
            case 'codes'
                if ~isempty(value)
                    if ~((islogical(value) || isnumeric(value)) && isscalar(value))
                        error('nervure:input', 'nervure: option codes must be true or false');
                    end
                    codes = logical(value);
                end
            case 'binary'
                if ~(ischar(value) || iscellstr(value)) %#ok<ISCLSTR>
                    error('nervure:input', 'nervure: option binary must be the path of a program');
                end
                binary = char(value);
            case {'help', 'out', 'summary', 'laplacian', 'progress', 'quiet', 'until-eof', 'format'}
                error('nervure:input', 'nervure: option %s is set by nervure.m itself', name);
            otherwise, flags = [flags, flag(name, value)];
        end
    end
end

% check_names refuses names that vertices cannot have.
function check_names(names, n)
    if isempty(names), return; end
    if numel(names) ~= n
        error('nervure:input', 'nervure: there are %d names for %d vertices', numel(names), n);
    end
    blank = find(cellfun(@(name) isempty(strtrim(name)), names(:)), 1);
    if ~isempty(blank)
        error('nervure:input', 'nervure: column %d has no name: name every column, or none', blank);
    end
    [~, first] = unique(names(:));
    again = setdiff(1:n, first);
    if ~isempty(again)
        error('nervure:input', 'nervure: two columns are called "%s": rename one', names{again(1)});
    end
end

% flag is an option as arguments of the program.
function args = flag(name, value)
    args = {};
    if ischar(value), value = {value}; end
    if isnumeric(value) || islogical(value), value = num2cell(value); end
    if ~iscell(value), value = {value}; end
    for k = 1:numel(value)
        v = value{k};
        if islogical(v) && isscalar(v)
            words = {'false', 'true'};
            text = words{v + 1}; % also for flags that take yes and no
        elseif isnumeric(v) && isscalar(v)
            text = sprintf('%.17g', v);
        elseif ischar(v) || isa(v, 'string')
            text = char(v);
        else
            error('nervure:input', ['nervure: option %s is a number, a text, true or false, or a cell array of these, ' ...
                'such as {''rho=0.1'', ''absolute=1''} for param'], name);
        end
        args{end + 1} = ['--' name '=' text]; %#ok<AGROW>
    end
end

function write_signals(path, signals, names)
    signals = double(full(signals)); %#ok<NASGU>
    if isempty(names)
        save('-v7', path, 'signals');
    else
        names = names(:); %#ok<NASGU>
        save('-v7', path, 'signals', 'names');
    end
end

% run runs the program. What it refuses is an error with its sentence.
function stopped = run(binary, dir, args)
    words = cellfun(@quoted, [{binary}, args], 'UniformOutput', false);
    log = fullfile(dir, 'messages.txt');
    command = [strjoin(words, ' '), ' 2> ', quoted(log)];
    if ispc, command = ['"' command '"']; end % cmd.exe takes the outer pair off
    [status, printed] = system(command);
    stopped = status == 130;
    if status == 0 || (stopped && exist(fullfile(dir, 'graph.json'), 'file')), return; end
    said = '';
    if exist(log, 'file'), said = strtrim(fileread(log)); end
    at = regexp(said, '(^|\n)nervure: ', 'end');
    if ~isempty(at)
        said = regexprep(said, '\nrun ''nervure [^\n]*--help''[^\n]*$', ''); % flags are written otherwise here
        error('nervure:failed', 'nervure: %s', sentence(said(at(end) + 1:end), dir));
    elseif any(status == [126 127 9009]) || isempty(said)
        error('nervure:missing', ['nervure: cannot run %s: install nervure, or name the program with the option ' ...
            'binary or the environment variable NERVURE_BINARY'], binary);
    end
    error('nervure:failed', 'nervure: the program ended with status %d: %s%s', status, said, printed);
end

% sentence is what the program says, in the words of MATLAB: no temporary files.
function said = sentence(said, dir)
    said = strrep(said, [fullfile(dir, 'signals.mat') ': '], '');
    said = strrep(said, [dir filesep], '');
    if exist(fullfile(dir, 'signals.mat'), 'file')
        said = strrep(said, 'add --transpose', 'transpose them with Y''');
    else % a file of the user
        said = strrep(said, 'add --transpose', 'add ''transpose'', true');
    end
end

% quoted is a text as one word for the shell.
function word = quoted(text)
    if ispc
        word = ['"' strrep(text, '"', '""') '"'];
    else
        word = ['''' strrep(text, '''', '''\''''') ''''];
    end
end

function G = read_graph(matrices, document)
    m = load(matrices);
    G.adjacency = m.W;
    G.laplacian = [];
    if isfield(m, 'L'), G.laplacian = m.L; end
    G.names = m.names(:);
    graph = jsondecode(fileread(document));
    n = numel(G.names);
    G.edges = struct('source', {}, 'target', {}, 'weight', {}, 'confidence', {});
    G.confidence = [];
    if isempty(graph.edges), return; end
    [~, from] = ismember({graph.edges.source}, G.names);
    [~, to] = ismember({graph.edges.target}, G.names);
    weights = full(G.adjacency(sub2ind([n, n], from(:), to(:))));
    G.edges = struct('source', G.names(from(:)), 'target', G.names(to(:)), 'weight', num2cell(weights), 'confidence', NaN);
    if isfield(graph.edges, 'confidence')
        values = [graph.edges.confidence];
        [G.edges.confidence] = graph.edges.confidence;
        G.confidence = sparse(from, to, values, n, n);
        if ~graph.directed, G.confidence = max(G.confidence, G.confidence.'); end
    end
end

% cellstr_of is what jsondecode makes of an array of texts, as a cell array.
function texts = cellstr_of(value)
    texts = {};
    if ~isempty(value), texts = cellstr(value); end
end

function M = first_matrix(variables)
    fields = fieldnames(variables);
    M = variables.(fields{1});
end

function remove(dir)
    if exist('OCTAVE_VERSION', 'builtin'), confirm_recursive_rmdir(false, 'local'); end
    rmdir(dir, 's');
end
