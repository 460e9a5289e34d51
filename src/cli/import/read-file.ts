import { isUtf8 } from 'node:buffer'
import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { reasonOf } from '../linter/reason.ts'

export interface ProjectFile {
  /** From the folder of the project, with slashes. */
  name: string
  bytes: Buffer
  text: string
}

/** A file that is not changed, and why. */
export interface LeftFile {
  name: string
  why: string
}

/** Larger scripts are not written by hand. */
const mostBytes = 4 * 1024 * 1024

/** Reads a file of a project; refuses files that a link takes from elsewhere. */
export function readProjectFile(folder: string, name: string): ProjectFile | LeftFile {
  const file = path.join(folder, name)
  try {
    const stats = lstatSync(file)
    if (stats.isSymbolicLink()) return { name, why: 'it is a symbolic link' }
    if (!stats.isFile()) return { name, why: 'it is not a regular file' }
    if (realpathSync(file) !== file) return { name, why: 'a symbolic link leads to it' }
    if (stats.size > mostBytes) {
      return { name, why: `it is larger than the limit of ${mostBytes / 1024 / 1024} MiB` }
    }
    const bytes = readFileSync(file)
    if (isUtf8(bytes)) return { name, bytes, text: bytes.toString('utf8') }
    return { name, why: 'it holds bytes that are not UTF-8; correct them, or change it by hand' }
  } catch (error) {
    return { name, why: reasonOf(error) }
  }
}
