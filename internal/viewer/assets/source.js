// A Source is where signals come from: a file of the user's, or a sample inside
// the program.

const reserved = ["graph.json", "summary.json", "report.html", "comparison.json"];

// plainName is a file's name with only what a command line and a disk take as it is.
function plainName(name, prefix) {
  let plain = name.normalize("NFC").replace(/[^\p{L}\p{N}_. -]/gu, "_").replace(/\.{2,}/g, ".").replace(/^[^\p{L}\p{N}_]+|[. ]+$/gu, "");
  if (plain.length > 100) plain = plain.slice(-100).replace(/^[^\p{L}\p{N}_]+/u, "");
  if (plain.length < 2 || reserved.includes(plain)) plain = `my-${plain || "file"}`;
  return prefix + plain;
}

export class Source {
  static ofFile(file, prefix = "") {
    const source = new Source();
    source.file = file;
    source.name = plainName(file.name, prefix);
    source.label = file.name;
    return source;
  }

  static ofSample(sample) {
    const source = new Source();
    source.sample = sample;
    source.name = sample.name;
    source.label = sample.about;
    return source;
  }

  transposed = false;

  // format is the extension without .gz.
  get format() { return this.name.toLowerCase().replace(/\.gz$/, "").split(".").pop(); }

  // bytes is a stream of the content, inflated.
  bytes() {
    const stream = this.file.stream();
    return this.name.toLowerCase().endsWith(".gz") ? stream.pipeThrough(new DecompressionStream("gzip")) : stream;
  }
}
