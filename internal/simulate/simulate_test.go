package simulate

import "flag"

var seed = flag.Uint64("seed", 1, "seed of everything drawn in these tests; any must pass")
