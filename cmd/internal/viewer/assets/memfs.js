// MemFS: files in memory, as Go's standard library asks a host for them
// (syscall/fs_js.go): the part of Node's fs that takes callbacks.
//
// Standard input stays silent until it is ended; lines of standard error go to a
// listener. All else is files in one tree of directories.
"use strict";

(() => {
  const constants = { O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };
  const directory = 0o40755, regular = 0o100644, pipe = 0o10600;

  function fault(code) {
    const error = new Error(code);
    error.code = code;
    return error;
  }

  // A node is a file or a directory.
  let inodes = 1;
  const newFile = () => ({ ino: inodes++, mode: regular, bytes: new Uint8Array(0), size: 0, time: Date.now() });
  const newDirectory = () => ({ ino: inodes++, mode: directory, children: new Map(), size: 0, time: Date.now() });

  function stat(node) {
    return {
      dev: 1, ino: node.ino, mode: node.mode, nlink: 1, uid: 0, gid: 0, rdev: 0,
      size: node.size, blksize: 4096, blocks: Math.ceil(node.size / 512),
      atimeMs: node.time, mtimeMs: node.time, ctimeMs: node.time,
      isDirectory: () => node.mode === directory,
    };
  }

  // grow makes room for that many bytes, doubling so that appending stays cheap.
  function grow(node, size) {
    if (size > node.bytes.length) {
      const larger = new Uint8Array(Math.max(size, 2 * node.bytes.length, 4096));
      larger.set(node.bytes.subarray(0, node.size));
      node.bytes = larger;
    }
    if (size > node.size) node.size = size;
  }

  class MemFS {
    constructor(onLine) {
      this.constants = constants;
      this.root = newDirectory();
      this.open_ = new Map(); // file descriptor → {node, position, flags}
      this.next = 3;
      this.lines = new LineBreaker(onLine);
      this.readers = []; // who waits for standard input
      this.ended = false;
      for (const name of ["tmp", "here"]) this.root.children.set(name, newDirectory());
      const calls = [
        "open", "close", "fstat", "stat", "lstat", "mkdir", "rmdir", "unlink", "rename", "readdir",
        "ftruncate", "truncate", "fsync", "chmod", "fchmod", "chown", "fchown", "lchown", "utimes", "link", "symlink", "readlink",
      ];
      for (const name of calls) {
        this[name] = (...args) => {
          const callback = args.pop();
          let result;
          try {
            result = this[`do_${name}`] ? this[`do_${name}`](...args) : undefined;
          } catch (error) {
            callback(error.code ? error : fault("EIO"));
            return;
          }
          callback(null, result);
        };
      }
    }

    // put, get and names are for the page: files of the working directory.
    put(name, bytes) {
      const node = newFile();
      node.bytes = bytes;
      node.size = bytes.length;
      this.root.children.get("here").children.set(name, node);
    }

    get(name) {
      const node = this.root.children.get("here").children.get(name);
      return node && node.bytes.slice(0, node.size);
    }

    names() { return [...this.root.children.get("here").children.keys()]; }

    // endInput lets whoever reads standard input find its end.
    endInput() {
      this.ended = true;
      for (const callback of this.readers.splice(0)) callback(null, 0);
    }

    // find returns the directory of a path, the last name in it, and the node there.
    find(path) {
      const names = [];
      for (const name of (path.startsWith("/") ? path : `/here/${path}`).split("/")) {
        if (name === "..") names.pop();
        else if (name && name !== ".") names.push(name);
      }
      let node = this.root, parent = null, last = "";
      for (const name of names) {
        if (!node) throw fault("ENOENT");
        if (!node.children) throw fault("ENOTDIR");
        [parent, last, node] = [node, name, node.children.get(name)];
      }
      return { parent, name: last, node };
    }

    existing(path) {
      const found = this.find(path);
      if (!found.node) throw fault("ENOENT");
      return found;
    }

    descriptor(fd) {
      const file = this.open_.get(fd);
      if (!file) throw fault("EBADF");
      return file;
    }

    do_open(path, flags) {
      const found = this.find(path);
      let node = found.node;
      if (node && flags & constants.O_CREAT && flags & constants.O_EXCL) throw fault("EEXIST");
      if (!node && !(flags & constants.O_CREAT)) throw fault("ENOENT");
      if (!node) {
        node = newFile();
        found.parent.children.set(found.name, node);
      }
      if (node.children && flags & (constants.O_WRONLY | constants.O_RDWR)) throw fault("EISDIR");
      if (!node.children && flags & constants.O_DIRECTORY) throw fault("ENOTDIR");
      if (flags & constants.O_TRUNC) node.size = 0;
      this.open_.set(this.next, { node, position: 0, flags });
      return this.next++;
    }

    do_close(fd) {
      this.descriptor(fd);
      this.open_.delete(fd);
    }

    do_fstat(fd) {
      if (fd <= 2) return stat({ ino: 0, mode: pipe, size: 0, time: 0 });
      return stat(this.descriptor(fd).node);
    }

    do_stat(path) { return stat(this.existing(path).node); }
    do_lstat(path) { return this.do_stat(path); }

    do_mkdir(path) {
      const { parent, name, node } = this.find(path);
      if (node || !parent) throw fault("EEXIST");
      parent.children.set(name, newDirectory());
    }

    do_rmdir(path) {
      const { parent, name, node } = this.existing(path);
      if (!node.children) throw fault("ENOTDIR");
      if (node.children.size) throw fault("ENOTEMPTY");
      parent.children.delete(name);
    }

    do_unlink(path) {
      const { parent, name, node } = this.existing(path);
      if (node.children) throw fault("EISDIR");
      parent.children.delete(name);
    }

    do_rename(from, to) {
      const old = this.existing(from), target = this.find(to);
      if (target.node?.children) throw fault("EISDIR");
      old.parent.children.delete(old.name);
      target.parent.children.set(target.name, old.node);
    }

    do_readdir(path) {
      const { node } = this.existing(path);
      if (!node.children) throw fault("ENOTDIR");
      return [...node.children.keys()];
    }

    do_ftruncate(fd, size) { this.resize(this.descriptor(fd).node, size); }
    do_truncate(path, size) { this.resize(this.existing(path).node, size); }

    resize(node, size) {
      if (size < node.size) {
        node.bytes.fill(0, size, node.size);
        node.size = size;
      } else {
        grow(node, size);
      }
    }

    do_link() { throw fault("ENOSYS"); }
    do_symlink() { throw fault("ENOSYS"); }
    do_readlink() { throw fault("EINVAL"); } // nothing is a link

    read(fd, buffer, offset, length, position, callback) {
      if (fd === 0) {
        if (this.ended) callback(null, 0);
        else this.readers.push(callback);
        return;
      }
      const file = this.open_.get(fd);
      if (!file || file.node.children) {
        callback(fault(file ? "EISDIR" : "EBADF"));
        return;
      }
      const from = position ?? file.position;
      const n = Math.max(0, Math.min(length, file.node.size - from));
      buffer.set(file.node.bytes.subarray(from, from + n), offset);
      if (position === null) file.position += n;
      callback(null, n);
    }

    write(fd, buffer, offset, length, position, callback) {
      if (fd <= 2) {
        if (fd === 2) this.lines.take(buffer.subarray(offset, offset + length));
        // Go waits for the answer: this is when the worker gets to hear "stop".
        setTimeout(() => callback(null, length));
        return;
      }
      const file = this.open_.get(fd);
      if (!file) {
        callback(fault("EBADF"));
        return;
      }
      const at = position ?? (file.flags & constants.O_APPEND ? file.node.size : file.position);
      grow(file.node, at + length);
      file.node.bytes.set(buffer.subarray(offset, offset + length), at);
      file.node.time = Date.now();
      if (position === null) file.position = at + length;
      callback(null, length);
    }

    // writeSync is how Go's runtime itself speaks, when all else has failed.
    writeSync(fd, buffer) {
      this.lines.take(buffer);
      return buffer.length;
    }
  }

  // A LineBreaker makes whole lines of pieces of text.
  class LineBreaker {
    constructor(onLine) {
      this.onLine = onLine;
      this.decoder = new TextDecoder();
      this.rest = "";
    }

    take(bytes) {
      const lines = (this.rest + this.decoder.decode(bytes, { stream: true })).split("\n");
      this.rest = lines.pop();
      for (const line of lines) this.onLine(line);
    }
  }

  globalThis.MemFS = MemFS;
})();
