import { existsSync } from 'node:fs'
import path from 'node:path'

/** A folder and those above it, up to the top of its repository; without one up to the root. */
function* foldersOfRepository(start: string): Generator<string> {
  for (let folder = start; ; folder = path.dirname(folder)) {
    yield folder
    if (isTop(folder) || folder === path.dirname(folder)) return
  }
}

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
  return Array.from(foldersOfRepository(start)).find(isTop) ?? start
}

function isTop(folder: string): boolean {
  return existsSync(path.join(folder, '.git'))
}
