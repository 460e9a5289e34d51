import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createProgram } from '../../src/cli/program.ts'

const top = path.resolve(import.meta.dirname, '../..')

/** Commands as texts call them; elsewhere `build-service` is the name of the program. */
function calledIn(text: string): string[] {
  return [
    ...text.matchAll(/(?<=[`(]|\$ |with: |npx )build-service (?!works|serves)([a-z][a-z-]*)/g),
  ].map(([, name = '']) => name)
}

const names = createProgram().commands.map((command) => command.name())

function filesBelow(folder: string, name: RegExp): string[] {
  return readdirSync(path.join(top, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file))
    .map((file) => path.join(folder, file))
}

test('each command that a text or a page names is there', () => {
  const files = [
    ...['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md'],
    // The pages of messages repeat texts of `src`.
    ...filesBelow('docs', /^(?!messages\/).*\.md$/),
    ...filesBelow('src', /\.tsx?$/),
  ]
  const called = files.flatMap((file) => calledIn(readFileSync(path.join(top, file), 'utf8')))
  expect(called.length).toBeGreaterThan(50)
  expect(called).toContain('encrypt')
  expect([...new Set(called)].filter((name) => !names.includes(name))).toEqual([])
})

test.each(['`build-service encript -r owner/name`', 'check it first with: build-service lnt'])(
  'a planted one that is not is found: %s',
  (text) => {
    const called = calledIn(text)
    expect(called).toHaveLength(1)
    expect(names).not.toContain(called[0])
  },
)
