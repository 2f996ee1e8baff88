// A job in the browser: the program itself, compiled to WebAssembly, with files in
// memory. One worker runs one command line.
//
//   in:  {module, args, files: [[name, bytes]], wanted: [name]}, {stop: true}
//   out: {line}, {code, files: [[name, bytes]]}
"use strict";

importScripts("memfs.js");

const files = new MemFS((line) => postMessage({ line }));
globalThis.fs = files;
globalThis.process = {
  pid: 1, ppid: 0,
  getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [],
  umask: () => 0o022, cwd: () => "/here", chdir() {},
};
globalThis.path = { resolve: (path) => (path.startsWith("/") ? path : `/here/${path}`) };

importScripts("wasm_exec.js");

onmessage = async ({ data }) => {
  if (data.stop) {
    files.endInput();
    return;
  }
  for (const [name, bytes] of data.files) files.put(name, bytes);
  const go = new Go();
  go.argv = ["nervure", ...data.args];
  go.env = { NO_COLOR: "1", TMPDIR: "/tmp", HOME: "/here" };
  let code = 1;
  go.exit = (value) => { code = value; };
  try {
    await go.run(await WebAssembly.instantiate(data.module, go.importObject));
  } catch (error) {
    postMessage({ line: `nervure: the program ended unexpectedly: ${error.message}` });
  }
  const reports = files.names().filter((name) => name.startsWith("nervure-fault-"));
  const results = [...data.wanted, ...reports].map((name) => [name, files.get(name)]).filter(([, bytes]) => bytes);
  postMessage({ code, files: results }, results.map(([, bytes]) => bytes.buffer));
};
