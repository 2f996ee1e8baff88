// Package report writes one page about a learned graph: a single HTML file that
// needs no other and asks no host for anything.
package report
