import { realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from '../../executor.ts'

/** What of the service a job must not see. Absolute paths without links, none inside another. */
export interface Hidden {
  folders: string[]
  files: string[]
  /** By path, device and inode of what was found there. */
  ids: Map<string, string>
}

/** Leaves out what is not there, and what users that jobs run as cannot get to anyway. */
export async function findHidden(
  wanted: readonly string[],
  canBeReached: (folder: string) => Promise<boolean>,
): Promise<Hidden> {
  const hidden: Hidden = { folders: [], files: [], ids: new Map() }
  const names = (await Promise.all(wanted.map(resolved))).filter((name) => name !== undefined)
  // A folder comes before what it contains.
  for (const name of new Set(names.toSorted((a, b) => a.length - b.length))) {
    if (hidden.folders.some((folder) => contains(folder, name))) continue
    const found = await stat(name)
    const isFolder = found.isDirectory()
    if (!(await canBeReached(isFolder ? name : path.dirname(name)))) continue
    if (isFolder) hidden.folders.push(name)
    else hidden.files.push(name)
    hidden.ids.set(name, idOf(found))
  }
  return hidden
}

/**
 * Throws unless each path still leads to what was found there at start. Covers are laid by path, so
 * after a folder was renamed they would lie over a decoy.
 */
export async function checkUnmoved({ ids }: Hidden, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const found =
      (await resolved(name)) === name ? await stat(name).catch(() => undefined) : undefined
    if (found && idOf(found) === ids.get(name)) continue
    const what = found ? 'is not the one that was there' : 'is not there any more as it was'
    throw new StartError(
      'machine',
      `${name} ${what} when the service started, so it cannot be hidden from jobs: ` +
        'put the original back, or restart the service',
    )
  }
}

/** All folders above what is hidden, except `/`, from the top down. */
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
