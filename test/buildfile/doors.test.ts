import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const source = path.resolve(import.meta.dirname, '../../src')

/**
 * What other rooms may import of `buildfile`: a file is read by `read-build-file.ts`, which alone
 * knows how composing, importing, changing and validating go together.
 */
const doors: readonly string[] = [
  'read-build-file.ts',
  'read-map.ts',
  'prepared-text.ts',
  'branches.ts',
  'regular-expression.ts',
  // Where each key is in the text, for edits that keep all else.
  'compose/compose-text.ts',
  // What reading returns.
  'messages/message.ts',
  'messages/more-alike.ts',
  'messages/unreadable.ts',
  'tree/node.ts',
  'tree/positions.ts',
  // What must be given to it so that it can import.
  'imports/mode.ts',
  'imports/reference.ts',
  'imports/source.ts',
  // What is made of the normal form.
  'conditions/',
  'expand/',
  // What a build file may hold.
  'schema/',
  'value-types/type.ts',
  // What a text under `env` defines.
  'env/definitions.ts',
  // What looks alike.
  'misspellings/distance.ts',
  'misspellings/misspelling.ts',
]

const isDoor = (file: string) => doors.some((door) => file.startsWith(door))

/** What a file outside imports of the inner parts of `buildfile`. */
function innerImports(file: string, text: string): string[] {
  if (file.startsWith('buildfile/')) return []
  const specifiers = [...text.matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, path]) => path)
  return specifiers
    .map((specifier = '') => path.join(path.dirname(file), specifier))
    .filter((target) => target.startsWith('buildfile/'))
    .map((target) => target.slice('buildfile/'.length))
    .filter((target) => !isDoor(target))
}

test('other folders import build files only from the public module', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  const breaches = files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({
      file,
      inner: innerImports(file, readFileSync(path.join(source, file), 'utf8')),
    }))
  expect(breaches.length).toBeGreaterThan(100)
  expect(breaches.filter(({ inner }) => inner.length > 0)).toEqual([])
})

test.each([
  ["import { fold } from '../buildfile/compose/fold.ts'"],
  ["import type { Normalized } from '../buildfile/normal-form/normalize.ts'"],
  ["const { mergeSources } = await import('../buildfile/imports/merge.ts')"],
])('a forbidden import is found: %s', (text) => {
  expect(innerImports('flow/planted.ts', text)).toHaveLength(1)
})
