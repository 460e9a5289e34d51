import { isUtf8 } from 'node:buffer'
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { adviceOn, otherBuildFile } from '../../domain/request/other-build-files.ts'
import { visible } from '../../domain/visible.ts'
import { UsageError } from '../explain.ts'
import { findAbove } from './files/folders.ts'
import { readRepositoryFile } from './files/read-file.ts'
import { standardInput } from './files/repository-path.ts'

export const buildFileName = '.service.yml'

/** A build file as it was passed in. */
export interface Input {
  /** What it is called in reports. */
  name: string
  /** Where it lies; null for standard input. */
  path: string | null
  bytes: Buffer
  /** What it says; bytes that are no UTF-8 are left out (CF-03). */
  text: string
  /** Nothing was left out. */
  whole: boolean
}

/** Reads a file, standard input (`-`), the build file of a folder, or without a name the nearest. */
export async function readInput(argument: string | undefined): Promise<Input> {
  if (argument === '-') return inputOf(standardInput, null, await readAll(process.stdin))
  const name = argument === undefined ? findBuildFile(process.cwd()) : fileOf(argument)
  return inputOf(name, name, readRepositoryFile(name))
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function inputOf(name: string, path: string | null, bytes: Buffer): Input {
  const text = bytes.toString('utf8')
  const whole = isUtf8(bytes)
  return { name, path, bytes, text: whole ? text : text.replaceAll('\uFFFD', ''), whole }
}

/** The build file of this folder or the nearest one above, but of no other repository. */
function findBuildFile(start: string): string {
  const file = findAbove(start, buildFileName)
  if (file !== undefined) return path.relative(start, file)
  const other = otherBuildFile(readdirSync(start))
  throw new UsageError(
    `there is no ${buildFileName} in ${visible(start)} or above it in its repository: ` +
      (other ? adviceOn(other, buildFileName) : 'go to where there is one, or name the file'),
  )
}

function fileOf(argument: string): string {
  const isFolder = statSync(argument, { throwIfNoEntry: false })?.isDirectory() ?? false
  return isFolder ? path.join(argument, buildFileName) : argument
}
