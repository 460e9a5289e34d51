import { existsSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * A folder and those above it, up to the top of its repository, as far as they are of those who own the
 * folder or run this. Elsewhere, as in the folder for temporary files, anybody can put a file.
 */
function foldersOfRepository(start: string): string[] {
  const owners = [statSync(start, { throwIfNoEntry: false })?.uid, process.getuid?.()]
  const folders = [start]
  for (let folder = start; !isTop(folder);) {
    folder = path.dirname(folder)
    const found = statSync(folder, { throwIfNoEntry: false })
    const isOpen = found === undefined || (found.mode & writableByAll) !== 0
    if (folder === folders.at(-1) || isOpen || !owners.includes(found.uid)) break
    folders.push(folder)
  }
  return folders
}

const writableByAll = 0o002

/** The nearest of these folders that holds a file of this name, as the path of that file. */
export function findAbove(start: string, name: string): string | undefined {
  for (const folder of foldersOfRepository(start)) {
    const file = path.join(folder, name)
    if (existsSync(file)) return file
  }
  return undefined
}

/** The top folder of the repository; without one the folder itself. */
export function topOfRepository(start: string): string {
  return foldersOfRepository(start).find(isTop) ?? start
}

function isTop(folder: string): boolean {
  return existsSync(path.join(folder, '.git'))
}
