package layout

// A walker finds distances along edges from one vertex to all. As lengths are
// small whole numbers, it keeps the vertices to visit in a ring of lists, one for
// each distance that can be waiting.
type walker struct {
	springs *springGraph
	waiting [longest + 1][]int32
}

const unreached = -1

// distances fills to with the distances from a vertex, in units of 1/whole. The
// graph is connected.
func (k *walker) distances(from int, to []int32) {
	for i := range to {
		to[i] = unreached
	}
	to[from] = 0
	k.waiting[0] = append(k.waiting[0][:0], int32(from))
	for at, left := int32(0), 1; left > 0; at++ {
		list := &k.waiting[at%int32(len(k.waiting))]
		for _, v := range *list {
			left--
			if to[v] < at { // a shorter way was found since
				continue
			}
			near, length := k.springs.around(int(v))
			for e, u := range near {
				far := at + length[e]
				if to[u] == unreached || far < to[u] {
					to[u] = far
					next := &k.waiting[far%int32(len(k.waiting))]
					*next = append(*next, u)
					left++
				}
			}
		}
		*list = (*list)[:0]
	}
}
