//go:build !js

package cluster

import (
	"sync"
	"time"
)

// A sign is what workers say now and then.
type sign struct {
	Name    string `json:"name"`
	Threads int    `json:"threads"` // zero: it leaves
}

const (
	betweenSigns = 2 * time.Second
	silence      = 7 * time.Second // after it a worker does not count
)

// A crew is the workers that were heard of.
type crew struct {
	mu   sync.Mutex
	seen map[string]member
}

type member struct {
	threads int
	last    time.Time
}

func (c *crew) heard(s sign, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil {
		c.seen = map[string]member{}
	}
	c.seen[s.Name] = member{s.Threads, now}
}

// threads is what all workers together do at a time.
func (c *crew) threads(now time.Time) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	sum := 0
	for name, m := range c.seen {
		if now.Sub(m.last) > silence {
			delete(c.seen, name)
			continue
		}
		sum += m.threads
	}
	return sum
}
