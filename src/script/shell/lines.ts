import { isSecure } from '../../domain/config/config-value.ts'
import type { ScriptStep } from '../steps.ts'
import { Uncompilable } from '../uncompilable.ts'

/**
 * The steps of a phase: the user's lines, or the language's defaults if the value is empty. `skip` or
 * `ignore` as the whole value means no steps.
 */
export function stepsOf(
  name: string,
  value: unknown,
  byDefault: readonly ScriptStep[],
): readonly ScriptStep[] {
  if (Array.isArray(value) && value.length === 0) return []
  const lines = [value].flat(nesting).flatMap((entry) => lineOf(name, entry) ?? [])
  if (lines.length === 0) return byDefault
  if (lines.length === 1 && isSkip(lines[0])) return name === 'script' ? [{ pass: true }] : []
  return lines.map((run) => ({ run }))
}

/** More levels than a build file can have. */
const nesting = 100

function lineOf(name: string, entry: unknown): string | undefined {
  if (entry === null || entry === undefined || entry === '') return undefined
  if (typeof entry === 'string') return entry
  if (typeof entry === 'number' || typeof entry === 'boolean') return String(entry)
  if (isSecure(entry)) {
    throw new Uncompilable(
      `An entry of ${name} is encrypted, and no key that this job has decrypts it: it was encrypted ` +
        'for another repository or key, or the job builds a pull request from a fork.',
    )
  }
  throw new Uncompilable(
    `An entry of ${name} is a map and not a command. Often a colon followed by a space makes it ` +
      'one: put the whole command in quotes.',
  )
}

function isSkip(line: string | undefined): boolean {
  return line === 'skip' || line === 'ignore'
}
