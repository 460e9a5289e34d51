import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const folder = path.resolve(import.meta.dirname, '../../../shared/corpus')

/** Whether the corpus of real build files lies beside this project; it is not part of it. */
export const hasCorpus = existsSync(path.join(folder, 'configs.jsonl'))

if (!hasCorpus)
  console.log('The corpus of real build files is not here: tests over it are left out.')

export type CorpusFile = 'configs' | 'expected' | 'probes' | 'conditions'

/** The lines of a file of the corpus; none where there is no corpus. */
export function readCorpus<Line>(file: CorpusFile): Line[] {
  if (!hasCorpus) return []
  const text = readFileSync(path.join(folder, `${file}.jsonl`), 'utf8')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
}

/** Tests over the corpus. Without it, a single test in their place reports that. */
export const describeCorpus: (name: string, define: () => void) => void = hasCorpus
  ? describe
  : (name) => test(`${name}: left out`, () => expect(readCorpus('configs')).toEqual([]))
