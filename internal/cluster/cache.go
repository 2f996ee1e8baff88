//go:build !js

package cluster

import (
	"sync"

	"github.com/nervure/nervure/internal/task"
)

// cacheSize is how many bytes of data a worker keeps for the tasks to come.
const cacheSize = 256 << 20

// A cache keeps the data that were used last. Its data are shared and not to be changed.
type cache struct {
	mu     sync.Mutex
	limit  int
	size   int
	held   map[task.Hash]*held
	recent []task.Hash // the last one last
}

type held struct {
	once sync.Once
	data []byte
	err  error
}

func newCache(limit int) *cache { return &cache{limit: limit, held: map[task.Hash]*held{}} }

// get returns the data of a hash, which are fetched once for all who ask at a time.
func (c *cache) get(hash task.Hash, fetch func() ([]byte, error)) ([]byte, error) {
	c.mu.Lock()
	h, ok := c.held[hash]
	if !ok {
		h = &held{}
		c.held[hash] = h
	}
	c.mu.Unlock()
	h.once.Do(func() { h.data, h.err = fetch() })
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case h.err != nil && c.held[hash] == h: // the next one tries again
		delete(c.held, hash)
	case h.err == nil && c.held[hash] == h:
		c.use(hash, len(h.data))
	}
	return h.data, h.err
}

// use makes a hash the last one that was used, and drops others if they are too many.
func (c *cache) use(hash task.Hash, size int) {
	at := -1
	for k, other := range c.recent {
		if other == hash {
			at = k
		}
	}
	if at >= 0 {
		c.recent = append(c.recent[:at], c.recent[at+1:]...)
	} else {
		c.size += size
	}
	c.recent = append(c.recent, hash)
	for c.size > c.limit && len(c.recent) > 1 {
		old := c.recent[0]
		c.recent = c.recent[1:]
		c.size -= len(c.held[old].data)
		delete(c.held, old)
	}
}
