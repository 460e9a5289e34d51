import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

/**
 * Replaces the content of a file in a single step, or not at all: only while it still holds the content
 * that was read. Mode, owner and links to the file stay.
 */
export function replaceFile(file: string, before: Buffer, after: string): void {
  const target = realpathSync(file)
  const stats = statSync(target)
  if (!stats.isFile()) throw new Error('it is not a regular file')
  accessSync(target, constants.W_OK)

  const folder = mkdtempSync(path.join(path.dirname(target), `${path.basename(target)}-`))
  try {
    const made = path.join(folder, 'fixed')
    write(made, after, stats)
    if (!readFileSync(target).equals(before)) {
      throw new Error('it changed in the meantime; review it and try again')
    }
    renameSync(made, target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Only members of a group can give a file to it; for others, the file keeps the group of new files. */
function keepGroup(file: string, gid: number): void {
  try {
    chownSync(file, -1, gid)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}

function write(file: string, content: string, { uid, gid, mode }: Stats): void {
  const handle = openSync(file, 'wx', 0o600)
  try {
    writeFileSync(handle, content)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  const made = statSync(file)
  if (made.uid !== uid) chownSync(file, uid, gid)
  else if (made.gid !== gid) keepGroup(file, gid)
  // After the change of owner, which clears bits of the mode.
  chmodSync(file, mode)
}
