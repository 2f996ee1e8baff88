// Package cluster does tasks on other machines. A coordinator ([Open]) queues tasks on
// NATS JetStream, on a server of its own or on a cluster of servers, and workers ([Work])
// take them. What comes back has the same bytes as from [task.Local], whoever did it, in
// whatever order, and whoever died meanwhile:
//
//   - A worker that dies is noticed by its silence, and another one takes the task. A task
//     that ends five workers is given up, with a result that says so.
//   - A coordinator that dies finds the results when it is started again, and queues only
//     what is missing.
//   - A server that dies is replaced by another one of its cluster. A coordinator's own
//     server goes on from its store.
//
// A task has one result: a second one is refused. Workers of another build, or whose
// processor rounds in another way, are refused.
//
// Servers listen on this machine alone unless told otherwise, and then a token and TLS are
// required. Whoever holds the token can queue tasks, of the kinds that workers offer, and
// write results.
//
// The package is not part of the WebAssembly build: a browser has no such connections.
package cluster
