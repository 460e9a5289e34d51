import { isUtf8 } from 'node:buffer'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { adviceOn, otherBuildFile } from '../../domain/request/other-build-files.ts'
import { visible } from '../../domain/text/escape-control-characters.ts'
import { UsageError } from '../errors.ts'
import { findAbove, isFolder } from './files/folders.ts'
import { readRepositoryFile } from './files/read-file.ts'
import { standardInput } from './files/repository-path.ts'

export const buildFileName = '.service.yml'

/** A build file given to the linter. */
export interface CheckedInput {
  /** Name of the file in reports. */
  name: string
  /** Path of the file; null for standard input. */
  path: string | null
  bytes: Buffer
  /** The decoded text; bytes that are not UTF-8 are left out (CF-03). */
  text: string
  /** Whether no bytes were left out. */
  whole: boolean
}

/** Reads a file, standard input (`-`) or the build file of a folder; by default the nearest build file. */
export async function readInput(argument: string | undefined): Promise<CheckedInput> {
  if (argument === '-') return inputOf(standardInput, null, await readAll(process.stdin))
  const name = argument === undefined ? findBuildFile(process.cwd()) : fileOf(argument)
  return inputOf(name, name, readRepositoryFile(name))
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function inputOf(name: string, path: string | null, bytes: Buffer): CheckedInput {
  const text = bytes.toString('utf8')
  const whole = isUtf8(bytes)
  return { name, path, bytes, text: whole ? text : text.replaceAll('\uFFFD', ''), whole }
}

/** The build file of this folder or the nearest folder above, within the same repository. */
function findBuildFile(start: string): string {
  const file = findAbove(start, buildFileName)
  if (file !== undefined) return path.relative(start, file)
  const other = otherBuildFile(readdirSync(start))
  throw new UsageError(
    `there is no ${buildFileName} in ${visible(start)} or above it in its repository: ` +
      (other
        ? adviceOn(other, buildFileName)
        : 'change to a folder that has one, or name the file'),
  )
}

function fileOf(argument: string): string {
  return isFolder(argument) ? path.join(argument, buildFileName) : argument
}
