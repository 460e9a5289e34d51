import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import { UsageError } from '../../errors.ts'
import { reasonOf } from '../reason.ts'

/**
 * A folder and the folders above it, up to the top of its repository. Without a repository, only folders
 * of the same owner or the current user that others cannot write to: anyone can put a file in /tmp.
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

/**
 * The top of the repository, owned by the owner of `start` or the current user; undefined if there is none.
 */
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

/** The nearest file of this name, in the folder or in its parents. */
export function findAbove(start: string, name: string): string | undefined {
  const top = repositoryAround(start)
  return foldersUpTo(top, start)
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file) && (top !== undefined || isOurs(file, start)))
}

/** The top folder of the repository; outside a repository, the folder itself. */
export function topOfRepository(start: string): string {
  return repositoryAround(start) ?? start
}

function isTop(folder: string): boolean {
  return existsSync(path.join(folder, '.git'))
}

/** Whether an argument names a folder; false if there is nothing. Throws a `UsageError` if it cannot be seen. */
export function isFolder(argument: string): boolean {
  try {
    return statSync(argument, { throwIfNoEntry: false })?.isDirectory() ?? false
  } catch (error) {
    throw new UsageError(`${visible(argument)} cannot be read: ${reasonOf(error)}`, {
      cause: error,
    })
  }
}
