import { type Dirent, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { visible } from '../../../domain/visible.ts'
import { UsageError } from '../../explain.ts'
import { buildFileName } from '../input.ts'
import type { Project } from './project.ts'
import { readPathPattern } from './path-pattern.ts'
import { reasonOf } from '../reason.ts'

type ProjectOf = (folder: string) => Project

/**
 * The files that arguments stand for: folders for all build files in them. Without arguments those
 * that the settings name; where they name none, undefined stands for the nearest build file.
 */
export function findFiles(args: readonly string[], projectOf: ProjectOf): (string | undefined)[] {
  if (args.length > 0)
    return args.flatMap((each) => (isFolder(each) ? filesIn(each, projectOf) : each))
  const { folder, settings } = projectOf('.')
  if (folder === null || settings.files.length === 0) return [undefined]
  return filesIn(folder, projectOf).map((file) => path.relative(process.cwd(), file))
}

function isFolder(argument: string): boolean {
  return statSync(argument, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** The build files of a folder, at any depth, but for those of packages and of git itself. */
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
