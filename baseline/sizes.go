package baseline

// The sizes at which methods do something else, or nothing any more. All are numbers of vertices.

// How many vertices there is room and time for.
const (
	// mostVertices is what the pairs of all vertices leave room for.
	mostVertices = 5000
	// mostPairsCompared is the most vertices of which methods that go through all pairs again and again are compared.
	// Of 2500 and 1000 signals none of them was done within 90 seconds, its folds included.
	mostPairsCompared = 2000
	// mostDiffusionVertices is what hundreds of products of such matrices leave time for.
	mostDiffusionVertices = 2000
	// mostForRadius is the size of a companion matrix up to which its powers are taken.
	mostForRadius = 1500
	// mostFieldVertices is the number above which only order one is tried of a field, and mostBetween that up to
	// which orders between are.
	mostFieldVertices, mostBetween = 1000, 200
	// mostLocalVertices is the most of a field.
	mostLocalVertices = 200_000
)

// Methods that need only the largest values of each vertex go further: package nearest finds them by blocks.
const (
	// blocksFrom is from how many on they do not look at all pairs at once, and mostByBlocks the most that they take.
	blocksFrom, mostByBlocks = 2000, 200_000
	// keptPerVertex is how many pairs of each vertex they keep at least, for cuts that keep more than their own.
	keptPerVertex = 32
	// mostKept is the most pairs that there is room for.
	mostKept = 1 << 26
	// medianOver is how many the median of distances is taken over.
	medianOver = 2000
)

// What is done for fewer, or in another way, where there are many.
const (
	// manyVertices is the number above which fewFolds parts of the signals are held out to cut a graph: there is much
	// evidence in each.
	manyVertices, fewFolds = 200, 3
	// hopelessFrom is from how many on a fold's path need not go on where it is hopeless. In small graphs with few
	// signals the gain goes up and down, and paths take no time.
	hopelessFrom = 250
	// verticesPerEdge is how many there are to each edge that is changed at once in a search for edges.
	verticesPerEdge = 10
	// localFrom is from how many on fields of order one are learned vertex by vertex. Below, all pairs at once take
	// seconds, and the cut by held-out signals knows what is negligible.
	localFrom = 500
	// sharedVertices is from how many on it is worth sending signals elsewhere.
	sharedVertices = 5000
	// modeVertices is how many tell whether all share something.
	modeVertices = 1000
	// soonVertices is up to how many a field is learned although the run has ended, and nothing says for how long: it
	// takes a second at most. soonTimed is how many then tell how many independent signals there are.
	soonVertices, soonTimed = 2500, 100
)
