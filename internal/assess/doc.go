// Package assess says how far a learned graph is to be trusted.
package assess
