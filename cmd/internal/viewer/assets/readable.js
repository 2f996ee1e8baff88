// checkReadable throws a sentence if a file is not to be had any more: browsers let
// go of one that changes on disk after it was chosen, and cannot read a directory.
export async function checkReadable(name, blob) {
  try {
    await blob.slice(0, 1).arrayBuffer();
  } catch {
    throw new Error(`${name} cannot be read: it has changed since you chose it, or it is not a file; choose it again`);
  }
}
