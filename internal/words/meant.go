package words

import "strings"

// Meant returns the names that somebody may have meant by another one: the same but for case and marks between
// words, one that begins like it, one that it begins like, or one that is a slip of the keyboard away.
func Meant(given string, known []string) []string {
	const fewest = 2 // letters that tell what was meant
	plain := func(name string) string {
		return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
	}
	var near []string
	for _, name := range known {
		a, b := plain(given), plain(name)
		if a == b || len(a) >= fewest && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a) || isSlip(a, b)) {
			near = append(near, name)
		}
	}
	return near
}

// isSlip reports whether two words differ by a letter that is missing, too much or another one, or by two that have
// changed places.
func isSlip(a, b string) bool {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 1 && len(b) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}
