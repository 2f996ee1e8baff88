function G = nervure(Y, varargin)
%NERVURE Learn the graph behind a set of signals.
%   G = NERVURE(Y) learns a graph from the matrix or table Y. Rows are
%   observations, columns are vertices, NaN is a missing value. Y may also be
%   the path of a file, which is read as "nervure learn" reads it. Needs the
%   program nervure on the path; the environment variable NERVURE_BINARY names
%   another one. Runs in MATLAB R2016b or later, and in Octave 7 or later.
%
%   G = NERVURE(Y, NAME, VALUE, ...) sets options, [] leaves them out:
%      method       name of the method
%      params       its parameters, a struct
%      kernels      kernels such as 'heat:2', a cell array
%      edges        keep only this many edges, the heaviest
%      threshold    keep edges of this weight or more, or 'auto'
%      season       periods of cycles to remove, in observations, or 'auto' or
%                   false
%      difference   learn from differences between consecutive observations:
%                   true, false or 'auto'
%      rows         what the rows are to each other: 'time', 'independent' or
%                   'auto'
%      scores       learn fields from normal scores, for values that are skewed
%                   or ordinal: true, false or 'auto'
%      bad_sensors  what is done about sensor faults: 'report', 'mask' or
%                   'drop'
%      confidence   estimate the confidence of each edge: true, false or 'auto'
%      time_limit   seconds, or a text such as '2m'
%      seed         random seed
%      options      all else that the document of a run says, a struct of
%                   structs: the manual lists its fields (The run document),
%                   and the program checks them. Arrays of one value are cell
%                   arrays
%      names        names of the vertices, a cell array
%      codes        true to return the sparse codes, too
%      binary       the program to run
%
%      G = nervure(Y, 'method', 'glasso', 'params', struct('rho', 0.1, 'absolute', 1));
%      more.prepare.center = false;
%      G = nervure(Y, 'options', more);
%
%   Other names are flags of "nervure run", which do not affect the result,
%   such as 'threads'.
%
%   G has the fields
%      adjacency   weights, sparse; row to column if the graph is directed; negative where
%                  two vertices move against each other
%      laplacian   normalised Laplacian, sparse; [] if the graph is directed
%      names       names of the vertices, a cell array
%      edges       struct array: source, target, weight, confidence, and partial, low, high and
%                  q: the partial correlation given all other vertices, its 90 % interval, and
%                  the false discovery rate at which the edge passes the test of being stronger
%                  than a floor; NaN if not estimated
%      confidence  of each edge, in [0, 1], sparse; [] if it was not estimated
%      verdict     how far to trust the graph: 'exact', 'supported', 'weak', ...
%      warnings    cell array of sentences, which are also given as warnings
%      notes       likewise, what was noticed when the signals were read
%      summary     all that the program says of the run
%      codes       one row per atom, one column per signal; only if asked for

    [names, codes, binary, run, flags] = read_options(varargin);
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
    run.version = 1;
    run.read.files = {signals};
    run.write.graph = file('graph.json');
    run.write.summary = file('summary.json');
    if codes, run.write.codes = file('codes.mat'); end
    write_text(file('job.json'), to_json(run, 'options'));
    stopped = call(binary, dir, [{'run', file('job.json'), '--progress', 'none'}, flags]);
    call(binary, dir, {'convert', file('graph.json'), '--out', file('graph.mat')}); % JSON may lose a last digit

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

% keys_of lists where in the document of a run the value of an option stands.
function keys = keys_of()
    keys = struct();
    % generated: go test ./document -run OtherLanguages -update
    keys.bad_sensors = 'prepare.bad_sensors';
    keys.rows = 'prepare.rows';
    keys.season = 'prepare.season';
    keys.difference = 'prepare.difference';
    keys.scores = 'prepare.scores';
    keys.method = 'method.name';
    keys.params = 'method.params';
    keys.kernels = 'kernels.given';
    keys.edges = 'cut.edges';
    keys.threshold = 'cut.threshold';
    keys.seed = 'seed';
    keys.time_limit = 'time_limit';
    keys.confidence = 'check.confidence';
    % end of what is generated
end

% read_options splits names and values into what this file needs, the document of the run, and
% flags of "nervure run".
function [names, codes, binary, run, flags] = read_options(options)
    names = {};
    codes = false;
    flags = {};
    run = struct();
    more = struct();
    keys = keys_of();
    binary = getenv('NERVURE_BINARY');
    if isempty(binary), binary = 'nervure'; end
    if mod(numel(options), 2) ~= 0
        error('nervure:input', 'nervure: options come in pairs of a name and a value');
    end
    for k = 1:2:numel(options)
        name = options{k};
        value = options{k + 1};
        if isa(name, 'string'), name = char(name); end
        if isa(value, 'string') && isscalar(value), value = char(value); end
        if isa(value, 'string'), value = cellstr(value); end
        if ~ischar(name)
            error('nervure:input', 'nervure: option %d has no name: options come in pairs of a name and a value', (k + 1) / 2);
        end
        name = lower(strrep(name, '-', '_'));
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
            case 'options'
                if ~isempty(value), more = checked_options(value); end
            case {'help', 'out', 'summary', 'progress', 'quiet', 'until_eof'}
                error('nervure:input', 'nervure: option %s is set by nervure.m itself', name);
            otherwise
                if isempty(value), continue; end
                if isfield(keys, name)
                    run = merge(run, value_of(name, keys.(name), value));
                else
                    flags{end + 1} = ['--' strrep(name, '_', '-') '=' flag_text(name, value)]; %#ok<AGROW>
                end
        end
    end
    run = merge(run, more);
end

% checked_options refuses options that are no struct, or have what this file sets.
function more = checked_options(more)
    if ~(isstruct(more) && isscalar(more))
        error('nervure:input', 'nervure: option options must be a struct, such as struct(''prepare'', struct(''center'', false))');
    end
    own = {'read', 'files'; 'write', 'graph'; 'write', 'summary'; 'write', 'codes'};
    for k = 1:size(own, 1)
        if isfield(more, own{k, 1}) && isfield(more.(own{k, 1}), own{k, 2})
            error('nervure:input', 'nervure: option %s.%s is set by nervure.m itself', own{k, :});
        end
    end
end

% value_of is the part of a document that the value of an option is.
function run = value_of(name, key, value)
    to_json(value, name); % refuses what is no value
    isnumber = isnumeric(value) && isscalar(value);
    if strcmp(key, 'method.params')
        value = params_of(value);
    elseif strcmp(key, 'kernels.given')
        value = cellstr(value);
    elseif strcmp(name, 'threshold') && ischar(value)
        key = 'cut.rule';
    elseif strcmp(name, 'season') && (isnumeric(value) || ischar(value) && any(value(1) == '0':'9'))
        key = 'prepare.periods';
        if ischar(value), value = str2double(strsplit(value, ',')); end
        value = num2cell(value);
    elseif strcmp(name, 'time_limit') && isnumber
        value = [number_text(value) 's'];
        if strcmp(value, '0s'), value = []; end
    end
    run = value;
    parts = strsplit(key, '.');
    for k = numel(parts):-1:1
        outer = struct();
        outer.(parts{k}) = run;
        run = outer;
    end
end

% params_of is the parameters of a method, a struct.
function params = params_of(params)
    if ~(isstruct(params) && isscalar(params))
        error('nervure:input', 'nervure: option params is a struct, such as struct(''k'', 3)');
    end
end

% merge is a document with what another one says.
function run = merge(run, other)
    fields = fieldnames(other);
    for k = 1:numel(fields)
        value = other.(fields{k});
        if isstruct(value) && isscalar(value) && isfield(run, fields{k}) && isstruct(run.(fields{k}))
            value = merge(run.(fields{k}), value);
        end
        run.(fields{k}) = value;
    end
end

% to_json is a value as JSON: structs are objects, cell arrays and vectors are arrays, and []
% is the default. jsonencode may lose digits. Fields of params cannot have a dash in their name.
function text = to_json(value, key)
    if isa(value, 'string') && isscalar(value), value = char(value); end
    if isa(value, 'string'), value = cellstr(value); end
    if isstruct(value) && isscalar(value)
        fields = fieldnames(value);
        items = cell(1, numel(fields));
        for k = 1:numel(fields)
            name = fields{k};
            if ~isempty(regexp(key, 'params$', 'once')), name = strrep(name, '_', '-'); end
            items{k} = [quoted_json(name) ': ' to_json(value.(fields{k}), [key '.' fields{k}])];
        end
        text = ['{' strjoin(items, ', ') '}'];
    elseif iscell(value)
        items = cellfun(@(v) to_json(v, key), value(:).', 'UniformOutput', false);
        text = ['[' strjoin(items, ', ') ']'];
    elseif ischar(value) && size(value, 1) == 1
        text = quoted_json(value);
    elseif isnumeric(value) && isempty(value) || ischar(value) && isempty(value)
        text = 'null';
    elseif islogical(value) && isscalar(value)
        words = {'false', 'true'};
        text = words{value + 1};
    elseif isnumeric(value) && isreal(value) && isscalar(value) && isfinite(value)
        text = number_text(value);
    elseif (isnumeric(value) || islogical(value)) && isvector(value) && ~isscalar(value)
        text = to_json(num2cell(value), key);
    else
        error('nervure:input', 'nervure: option %s is a number, a text, true or false, a cell array of these, or a struct', key);
    end
end

% number_text is a number with as many digits as it needs.
function text = number_text(value)
    text = sprintf('%.15g', value);
    if str2double(text) ~= value, text = sprintf('%.17g', value); end
end

function text = quoted_json(text)
    text = strrep(strrep(text, '\', '\\'), '"', '\"');
    for code = unique(double(text(text < 32)))
        text = strrep(text, char(code), sprintf('\\u%04x', code));
    end
    text = ['"' text '"'];
end

function write_text(path, text)
    if exist('OCTAVE_VERSION', 'builtin') % whose texts are UTF-8
        f = fopen(path, 'w');
    else
        f = fopen(path, 'w', 'n', 'UTF-8');
    end
    fprintf(f, '%s', text);
    fclose(f);
end

% flag_text is the value of a flag.
function text = flag_text(name, value)
    if ischar(value)
        text = value;
    elseif (isnumeric(value) || islogical(value)) && isscalar(value)
        text = to_json(value, name);
    else
        error('nervure:input', 'nervure: option %s is a number, a text, true or false', name);
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

function write_signals(path, signals, names)
    signals = double(full(signals)); %#ok<NASGU>
    if isempty(names)
        save('-v7', path, 'signals');
    else
        names = names(:); %#ok<NASGU>
        save('-v7', path, 'signals', 'names');
    end
end

% call runs the program. What it refuses is an error with its sentence; its own fault is a warning if there is a result.
function stopped = call(binary, dir, args)
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
        said = sentence(said(at(end) + 1:end), dir);
        if status == 70 && exist(fullfile(dir, 'summary.json'), 'file') % a fault of the program cost a part alone
            warning('nervure:fault', '%s', said);
            return;
        end
        error('nervure:failed', 'nervure: %s', said);
    elseif any(status == [126 127 9009]) || isempty(said)
        error('nervure:missing', ['nervure: cannot run %s: install nervure, or name the program with the option ' ...
            'binary or the environment variable NERVURE_BINARY'], binary);
    end
    error('nervure:failed', 'nervure: the program ended with status %d: %s%s', status, said, printed);
end

% sentence is what the program says, in the words of MATLAB: no temporary files.
function said = sentence(said, dir)
    said = strrep(said, [fullfile(dir, 'job.json') ': '], '');
    said = strrep(said, [fullfile(dir, 'signals.mat') ': '], '');
    said = strrep(said, [dir filesep], '');
    if exist(fullfile(dir, 'signals.mat'), 'file')
        said = strrep(said, 'add --transpose', 'transpose them with Y''');
    else % a file of the user
        said = strrep(said, 'add --transpose', 'add ''options'', struct(''read'', struct(''transpose'', true))');
    end
    said = regexprep(said, 'method\.params ([\w-]+)', 'params.$1');
    keys = keys_of();
    names = fieldnames(keys);
    for k = 1:numel(names)
        said = regexprep(said, ['(?<![\w.])' regexptranslate('escape', keys.(names{k})) '(?![\w.]*\w)'], names{k});
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
    numbers = {'confidence', 'partial', 'low', 'high', 'q'};
    none = [numbers; repmat({{}}, 1, numel(numbers))];
    G.edges = struct('source', {}, 'target', {}, 'weight', {}, none{:});
    G.confidence = [];
    if isempty(graph.edges), return; end
    [~, from] = ismember({graph.edges.source}, G.names);
    [~, to] = ismember({graph.edges.target}, G.names);
    weights = full(G.adjacency(sub2ind([n, n], from(:), to(:))));
    G.edges = struct('source', G.names(from(:)), 'target', G.names(to(:)), 'weight', num2cell(weights));
    for k = 1:numel(numbers)
        [G.edges.(numbers{k})] = deal(NaN);
        if isfield(graph.edges, numbers{k}), [G.edges.(numbers{k})] = graph.edges.(numbers{k}); end
    end
    if isfield(graph.edges, 'confidence')
        G.confidence = sparse(from, to, [G.edges.confidence], n, n);
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
