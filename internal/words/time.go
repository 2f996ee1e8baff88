package words

import "time"

// Time writes a time as tables have it: with as many parts as it needs, in UTC and
// without a zone.
func Time(t time.Time) string {
	t = t.UTC()
	switch {
	case t.Nanosecond() != 0:
		return t.Format("2006-01-02 15:04:05.999999999")
	case t.Second() != 0:
		return t.Format("2006-01-02 15:04:05")
	}
	return t.Format("2006-01-02 15:04")
}
