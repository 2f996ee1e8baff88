// Package durable makes all changes to files that the commands make: files written whole
// or not at all ([WriteFile]), folders likewise ([WriteFolder]), journals that a run goes on
// from ([Journal]), temporaries and their removal ([Temporaries]), and locks ([Claim]). It
// opens the files that they read, too ([Open]), and words what is wrong with either.
//
// Tests put an [Intercept] in between, to see what is left when the k-th of these calls
// fails, or when the process dies there.
package durable
