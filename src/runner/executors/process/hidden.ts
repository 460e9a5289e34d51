import { realpath, stat } from 'node:fs/promises'
import path from 'node:path'

/** What of the service a job must not see. Absolute paths without links, none inside another. */
export interface Hidden {
  folders: string[]
  files: string[]
}

/** Leaves out what is not there, and what users that jobs run as cannot get to anyway. */
export async function findHidden(
  wanted: readonly string[],
  canBeReached: (folder: string) => Promise<boolean>,
): Promise<Hidden> {
  const hidden: Hidden = { folders: [], files: [] }
  const names = (await Promise.all(wanted.map(resolved))).filter((name) => name !== undefined)
  // A folder comes before what it contains.
  for (const name of new Set(names.toSorted((a, b) => a.length - b.length))) {
    if (hidden.folders.some((folder) => contains(folder, name))) continue
    const isFolder = (await stat(name)).isDirectory()
    if (!(await canBeReached(isFolder ? name : path.dirname(name)))) continue
    if (isFolder) hidden.folders.push(name)
    else hidden.files.push(name)
  }
  return hidden
}

export function contains(folder: string, name: string): boolean {
  return name.startsWith(`${folder}/`)
}

async function resolved(name: string): Promise<string | undefined> {
  return realpath(name).catch(() => undefined)
}
