// Runs are past results, kept in the storage of this browser: they outlive a reload,
// and leave the machine for nowhere. There are only so many; the oldest go first.

export const mostRuns = 20, mostBytes = 60e6;
const name = "nervure", heads = "runs", bodies = "files"; // what is listed is apart from what is large

// done resolves when a request of the database has been answered.
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

// ended resolves when a transaction has been written.
const ended = (transaction) => new Promise((resolve, reject) => {
  transaction.oncomplete = () => resolve();
  transaction.onerror = transaction.onabort = () => reject(transaction.error);
});

export class Runs {
  // open resolves to the runs of this browser. Where pages may keep nothing, those of
  // this visit are kept in memory.
  static async open() {
    const runs = new Runs();
    try {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore(heads, { keyPath: "id" });
        request.result.createObjectStore(bodies);
      };
      runs.base = await done(request);
      runs.heads = await done(runs.base.transaction(heads).objectStore(heads).getAll());
      runs.sort();
    } catch {
      runs.base = null;
    }
    return runs;
  }

  base = null;
  heads = []; // the newest first
  memory = new Map(); // files, where there is no base

  get lasting() { return this.base !== null; }

  sort() { this.heads.sort((a, b) => b.time - a.time); }

  // add keeps a run: what is listed of it, and its files as a Map of blobs. It resolves
  // to the run as it is listed, or to null if it is too large.
  async add(head, files) {
    const bytes = [...files.values()].reduce((sum, blob) => sum + blob.size, 0);
    if (bytes > mostBytes) return null;
    const run = { ...head, id: crypto.randomUUID?.() ?? `${head.time}-${Math.random()}`, bytes };
    this.heads.push(run);
    this.sort();
    await this.write((headStore, bodyStore) => {
      headStore.put(run);
      bodyStore.put([...files], run.id);
    });
    if (!this.lasting) this.memory.set(run.id, files);
    let room = mostBytes;
    for (const [k, kept] of [...this.heads].entries()) {
      room -= kept.bytes;
      if (k >= mostRuns || room < 0) await this.forget(kept.id);
    }
    return run;
  }

  // files resolves to the files of a run, or throws if it is gone: another tab may have
  // forgotten it.
  async files(id) {
    const files = this.lasting ? await done(this.base.transaction(bodies).objectStore(bodies).get(id)) : this.memory.get(id);
    if (!files) throw new Error("this run is no longer kept");
    return new Map(files);
  }

  async forget(id) {
    this.heads = this.heads.filter((run) => run.id !== id);
    this.memory.delete(id);
    await this.write((headStore, bodyStore) => {
      headStore.delete(id);
      bodyStore.delete(id);
    });
  }

  async forgetAll() {
    for (const { id } of [...this.heads]) await this.forget(id);
  }

  // write changes the base; where that fails, as on a full disk, memory has to do.
  async write(change) {
    if (!this.lasting) return;
    const transaction = this.base.transaction([heads, bodies], "readwrite");
    change(transaction.objectStore(heads), transaction.objectStore(bodies));
    await ended(transaction);
  }
}
