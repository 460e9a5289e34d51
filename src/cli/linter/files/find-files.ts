import { type Dirent, readdirSync } from 'node:fs'
import path from 'node:path'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import { UsageError } from '../../errors.ts'
import { buildFileName } from '../input.ts'
import { reasonOf } from '../reason.ts'
import { isFolder } from './folders.ts'
import { readPathPattern } from './path-pattern.ts'
import type { LintedProject } from './project.ts'

type ProjectOf = (folder: string) => LintedProject

/**
 * The files that the arguments name: for a folder, all build files in it. Without arguments, the files
 * that the settings name; if they name none, undefined for the nearest build file.
 */
export function findFiles(args: readonly string[], projectOf: ProjectOf): (string | undefined)[] {
  if (args.length > 0)
    return args.flatMap((each) => (isFolder(each) ? filesIn(each, projectOf) : each))
  const { folder, settings } = projectOf('.')
  if (folder === null || settings.files.length === 0) return [undefined]
  return filesIn(folder, projectOf).map((file) => path.relative(process.cwd(), file))
}

/** The build files of a folder, at any depth, except in packages and in git's own folders. */
function filesIn(start: string, projectOf: ProjectOf): string[] {
  const { folder: root, settings } = projectOf(start)
  const patterns = settings.files.map(readPathPattern)
  const found: string[] = []
  const search = (folder: string) => {
    for (const entry of entriesOf(folder)) {
      const file = path.join(folder, entry.name)
      if (entry.isDirectory() && !['.git', 'node_modules'].includes(entry.name)) search(file)
      else if (!entry.isDirectory() && isWanted(file)) found.push(file)
    }
  }
  const isWanted = (file: string) => {
    if (root === null || patterns.length === 0) return path.basename(file) === buildFileName
    const name = path.relative(root, file).split(path.sep).join('/')
    return patterns.some((isMatch) => isMatch(name))
  }
  search(start)
  if (found.length > 0) return found
  const wanted = settings.files.length > 0 ? settings.files.join(', ') : buildFileName
  throw new UsageError(
    `there is no ${visible(wanted)} in ${visible(start)} or below it: name a folder or a file`,
  )
}

function entriesOf(folder: string): Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  } catch (error) {
    throw new UsageError(`${visible(folder)} cannot be read: ${reasonOf(error)}`, { cause: error })
  }
}
