import { realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from '../../executor.ts'
import { reachable } from './run-directory.ts'

/** Files and folders of the service to hide from jobs. Absolute paths without links, none inside another. */
export interface Hidden {
  folders: string[]
  files: string[]
  /** Paths that did not exist at the start, such as a folder that is not mounted yet. */
  missing: string[]
  /** Device and inode found at each path. */
  ids: Map<string, string>
}

/** Leaves out missing paths, and paths that the users of jobs cannot reach anyway. */
export async function findHidden(wanted: readonly string[]): Promise<Hidden> {
  const hidden: Hidden = { folders: [], files: [], missing: [], ids: new Map() }
  const found = await Promise.all(wanted.map(resolved))
  const names = found.filter((name) => name !== undefined)
  hidden.missing = wanted.filter((_name, index) => found[index] === undefined)
  const all = await Promise.all([...new Set(names)].map(examined))
  const reached = await reachable(all.map(({ folder }) => folder))
  // A folder comes before what it contains.
  for (const { name, folder, id } of all.toSorted((a, b) => a.name.length - b.name.length)) {
    if (hidden.folders.some((outer) => contains(outer, name)) || !reached.has(folder)) continue
    if (folder === name) hidden.folders.push(name)
    else hidden.files.push(name)
    hidden.ids.set(name, id)
  }
  return hidden
}

async function examined(name: string) {
  const found = await stat(name)
  return { name, folder: found.isDirectory() ? name : path.dirname(name), id: idOf(found) }
}

/**
 * Throws unless each path still leads to the file or folder found at start, if any. Covers are mounted by path:
 * after a folder was renamed, they would be mounted over a decoy.
 */
export async function checkUnmoved(
  { ids, missing }: Hidden,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    const wasMissing = missing.includes(name)
    if (wasMissing && (await resolved(name)) === undefined) continue
    const found =
      (await resolved(name)) === name ? await stat(name).catch(() => undefined) : undefined
    if (found && idOf(found) === ids.get(name)) continue
    const what = found ? 'was replaced' : 'was moved or deleted'
    const remedy = `${wasMissing ? '' : 'put the original back, or '}restart the service`
    throw new StartError(
      'machine',
      `${name} ${wasMissing ? 'appeared' : what} after the service started, so it cannot be hidden from jobs: ${remedy}`,
    )
  }
}

/** All folders above hidden files and folders, except `/`, from the top down. */
export function foldersAbove({ folders, files }: Hidden): string[] {
  const found = new Set<string>()
  for (const name of [...folders, ...files]) {
    for (let at = path.dirname(name); at !== path.dirname(at); at = path.dirname(at)) found.add(at)
  }
  return [...found].toSorted((a, b) => a.length - b.length)
}

function idOf({ dev, ino }: { dev: number; ino: number }): string {
  return `${dev}:${ino}`
}

export function contains(folder: string, name: string): boolean {
  return name.startsWith(`${folder}/`)
}

async function resolved(name: string): Promise<string | undefined> {
  return realpath(name).catch(() => undefined)
}
