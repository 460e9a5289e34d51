import { closeSync, constants, openSync, readSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import { mostBytes } from '../../../lint/limits.ts'
import { UsageError } from '../../errors.ts'
import { reasonOf } from '../reason.ts'
import { topOfRepository } from './folders.ts'

/**
 * Reads a file of a repository, which anyone may have written: only a regular file of limited size that
 * no link takes from outside, because its lines are shown. Throws a `UsageError`.
 */
export function readRepositoryFile(file: string): Buffer {
  try {
    const stats = statSync(file)
    if (stats.isDirectory()) throw new Error('it is a folder')
    if (!stats.isFile()) throw new Error('it is not a regular file; for standard input use "-"')
    return readAtMost(insideRepository(file))
  } catch (error) {
    throw new UsageError(`${visible(file)} cannot be read: ${reasonOf(error)}`, { cause: error })
  }
}

/** The real path of a file, with all links resolved. */
function insideRepository(file: string): string {
  const real = realpathSync(file)
  const top = realpathSync(topOfRepository(path.dirname(path.resolve(file))))
  const way = path.relative(top, real)
  if (way.split(path.sep)[0] === '..' || path.isAbsolute(way)) {
    throw new Error(
      'it is a link that points outside the repository; replace it with the file itself',
    )
  }
  return real
}

/** Reads without blocking: the file may have become something else since it was checked. */
function readAtMost(file: string): Buffer {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    // The part that is not read is cut off below.
    const bytes = Buffer.allocUnsafe(mostBytes + 1)
    let length = 0
    for (let read = 1; read > 0 && length < bytes.length; length += read) {
      read = readSync(handle, bytes, length, bytes.length - length, null)
    }
    if (length <= mostBytes) return bytes.subarray(0, length)
    throw new Error(`it is larger than the limit of ${mostBytes / 1024} KiB`)
  } finally {
    closeSync(handle)
  }
}
