package matlab

// Numbers reads a full matrix of real numbers, column by column. The caller has
// made sure that its shape has two numbers and that their product is within its
// bounds.
func (f *File) Numbers(v Variable) ([]float64, error) {
	s, err := f.open(&v)
	if err != nil {
		return nil, err
	}
	t, count, body, err := s.numbers()
	if err != nil {
		return nil, err
	}
	if count != int64(v.Shape[0])*int64(v.Shape[1]) {
		return nil, ErrDamaged
	}
	return t.Read(body, int(count))
}

// An Entry of a sparse matrix. Rows and columns count from zero.
type Entry struct {
	Row, Col int
	Value    float64
}

// Entries reads a sparse matrix of real numbers and at most that many entries:
// column by column, each by rising row. The caller has made sure that its shape has
// two numbers.
func (f *File) Entries(v Variable, most int) ([]Entry, error) {
	s, err := f.open(&v)
	if err != nil {
		return nil, err
	}
	rows, cols := v.Shape[0], v.Shape[1]
	row, err := s.vector(most) // of each entry
	if err != nil {
		return nil, err
	}
	start, err := s.vector(cols + 1) // where the entries of each column start
	if err != nil {
		return nil, err
	}
	value, err := s.vector(most)
	if err != nil {
		return nil, err
	}
	// No comparison with something that is not a number holds.
	if len(start) != cols+1 || start[0] != 0 || !(start[cols] >= 0 && start[cols] <= float64(min(len(row), len(value)))) {
		return nil, ErrDamaged
	}
	entries := make([]Entry, 0, int(start[cols]))
	for j := range cols {
		if !(start[j+1] >= start[j] && start[j+1] <= start[cols]) {
			return nil, ErrDamaged
		}
		for k := int(start[j]); k < int(start[j+1]); k++ {
			i := row[k]
			if !(i >= 0 && i < float64(rows)) || k > int(start[j]) && i <= row[k-1] {
				return nil, ErrDamaged
			}
			entries = append(entries, Entry{int(i), j, value[k]})
		}
	}
	return entries, nil
}

// vector reads an element of numbers, at most that many.
func (s *stream) vector(most int) ([]float64, error) {
	t, count, body, err := s.numbers()
	if err != nil {
		return nil, err
	}
	if count > int64(most) {
		return nil, ErrDamaged
	}
	return t.Read(body, int(count))
}
