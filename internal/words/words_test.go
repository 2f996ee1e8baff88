package words

import "testing"

func TestPlural(t *testing.T) {
	for want, got := range map[string]string{
		"1 edge": Plural(1, "edge"), "0 edges": Plural(0, "edge"), "2 vertices": Plural(2, "vertex"), "1 vertex": Plural(1, "vertex"),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestThousands(t *testing.T) {
	for want, got := range map[string]string{"0": Thousands(0), "150": Thousands(150), "1,000": Thousands(1000), "200,000": Thousands(200_000), "1,000,000": Thousands(1_000_000)} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestPercent(t *testing.T) {
	for want, got := range map[string]string{"12%": Percent(.1249), "100%": Percent(1), "9.6%": Percent(.0962), "0.012%": Percent(.000123), "0%": Percent(0)} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestList(t *testing.T) {
	for want, got := range map[string]string{"": List(nil, "or"), "a": List([]string{"a"}, "or"), "a or b": List([]string{"a", "b"}, "or"), "a, b and c": List([]string{"a", "b", "c"}, "and")} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
