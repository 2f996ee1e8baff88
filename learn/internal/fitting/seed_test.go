package fitting

import "flag"

var seed = flag.Uint64("seed", 900_000, "seed of everything drawn in these tests; any must pass")
