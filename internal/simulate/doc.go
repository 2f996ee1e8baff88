// Package simulate draws recordings as they come, with a known graph behind them: sensors
// with cycles, gaps and faults, brain scans, graphs that change, power grids and causal
// processes. Package synth draws the graphs and the fields.
package simulate
