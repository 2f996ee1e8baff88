// duration is a number of seconds as people read it.
export function duration(seconds) {
  if (seconds < 0.001) return "< 1 ms";
  if (seconds < 0.1) return `${Math.round(1000 * seconds)} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return `${Math.round(seconds / 60)} min`;
}
