// A Source is where signals come from: a file of the user's, or a sample inside
// the program.

const reserved = ["graph.json", "summary.json", "report.html", "comparison.json"];

// plainName is a file's name with only what a command line and a disk take as it
// is; the server takes no other.
function plainName(name) {
  const trim = (text) => text.replace(/^[^\p{L}\p{M}\p{N}_([{@#]+|[^\p{L}\p{M}\p{N}_)\]}-]+$/gu, "");
  let plain = trim(name.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}_. (){}[\]@#%&+,;=!'~-]/gu, "_").replace(/\.{2,}/g, "."));
  if (plain.length > 100) plain = trim(plain.slice(-100));
  return plain.length < 2 || reserved.includes(plain.toLowerCase()) ? `my-${plain || "file"}` : plain;
}

export class Source {
  static ofFile(file) {
    const source = new Source();
    source.file = file;
    source.name = plainName(file.name);
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
