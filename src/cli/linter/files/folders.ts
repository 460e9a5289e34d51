import { existsSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * A folder and those above it, up to the top of its repository. Without one as far as they are of those
 * who own the folder or run this: elsewhere, as in the folder for temporary files, anybody can put a file.
 */
function foldersUpTo(top: string | undefined, start: string): string[] {
  const folders = [start]
  for (let folder = start; folder !== top;) {
    folder = path.dirname(folder)
    if (folder === folders.at(-1) || (top === undefined && !isClosed(folder, start))) break
    folders.push(folder)
  }
  return folders
}

/** The top of the repository, which must be of those who own the folder or run this; undefined without one. */
export function repositoryAround(start: string): string | undefined {
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (isTop(folder)) return isOurs(path.join(folder, '.git'), start) ? folder : undefined
    if (folder === path.dirname(folder)) return undefined
  }
}

function isClosed(folder: string, start: string): boolean {
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? writableByAll
  return (mode & writableByAll) === 0 && isOurs(folder, start)
}

function isOurs(name: string, start: string): boolean {
  return [ownerOf(start), process.getuid?.()].includes(ownerOf(name))
}

const ownerOf = (name: string) => statSync(name, { throwIfNoEntry: false })?.uid

const writableByAll = 0o002

/** The nearest of these folders that holds a file of this name, as the path of that file. */
export function findAbove(start: string, name: string): string | undefined {
  const top = repositoryAround(start)
  return foldersUpTo(top, start)
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file) && (top !== undefined || isOurs(file, start)))
}

/** The top folder of the repository; without one the folder itself. */
export function topOfRepository(start: string): string {
  return repositoryAround(start) ?? start
}

function isTop(folder: string): boolean {
  return existsSync(path.join(folder, '.git'))
}
