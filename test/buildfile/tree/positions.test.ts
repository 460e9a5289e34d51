import { expect, test } from 'vitest'
import { readBuildFile } from '../../../src/buildfile/read-build-file.ts'
import type { Span } from '../../../src/buildfile/tree/node.ts'
import type { NormalPath } from '../../../src/buildfile/tree/positions.ts'

const file = `

  # A file that is indented, with a few lines before it.
  language: "Ruby"
  rvm: [3.2, &x 3.3]
  'before-script': make
  _script: &script
    - echo 1
    - |
      echo 2
      echo 3
  script: *script
  matrix:
    include:
      - env: A=1 B=2
        name: a
      - name: a
        deploy: npm
        foo: bar
  env:
    global:
      - secure: abc
  notifications:
    slack: plain
    on_success: never
  cache: bundler
  sudo: false
  sudo: true
`

const { messages, positions, prepared } = readBuildFile(file)
const textAt = ({ start, end }: Span) => prepared.text.slice(start, end)

test('messages point to the key or value in the original file', () => {
  const pointed = messages.map(({ code, at }) => `${code}: ${at ? textAt(at) : 'the file'}`)
  expect(pointed).toEqual([
    'duplicate_key: sudo',
    "underscore_key: 'before-script'",
    'alias_key: matrix',
    'downcase: "Ruby"',
    'default: the file',
    'default: the file',
    'invalid_secure: secure: abc',
    'secure: plain',
    'unknown_key: foo',
    'duplicate: a',
    'deprecated_key: sudo',
  ])
})

test.each<[NormalPath, string | undefined, string]>([
  [['language'], 'language', '"Ruby"'],
  [['rvm', 1], undefined, '3.3'],
  [['before_script'], "'before-script'", 'make'],
  [['before_script', 0], undefined, 'make'],
  [['script', 0], undefined, 'echo 1'],
  [['jobs'], 'matrix', textFrom('include:', 'foo: bar')],
  [['jobs', 'include', 1], undefined, textFrom('name: a\n      deploy', 'foo: bar')],
  [['jobs', 'include', 0, 'name'], 'name', 'a'],
  [['jobs', 'include', 0, 'env', 0, 'B'], 'A=1 B=2', 'A=1 B=2'],
  [['jobs', 'include', 1, 'deploy', 0, 'provider'], undefined, 'npm'],
  [['env', 'global', 0, 'secure'], undefined, 'abc'],
  [['notifications', 'slack', 0, 'rooms', 0], undefined, 'plain'],
  [['notifications', 'slack', 0, 'on_success'], 'on_success', 'never'],
  [['cache', 'bundler'], undefined, 'bundler'],
  [['sudo'], 'sudo', 'true'],
])('%j has a position in the file', (path, key, value) => {
  const position = positions(path)
  expect({
    key: position?.key && textAt(position.key),
    value: position && textAt(position.value),
  }).toEqual({ key, value })
})

test.each<[NormalPath]>([
  [['os']],
  [['dist']],
  [['rvm', 2]],
  [['rvm', 'x']],
  [['matrix']],
  [['jobs', 0]],
  [['language', 'x']],
  [['notifications', 'on_success']],
])('%j has no position in the file', (path) => {
  expect(positions(path)).toBeUndefined()
})

function textFrom(first: string, last: string): string {
  const { text } = prepared
  const from = text.indexOf(first)
  return text.slice(from, text.indexOf(last, from) + last.length)
}

test('lines and columns count from 1 in the original file', () => {
  const { value } = positions(['script', 0]) ?? {}
  const { line, column } = prepared.written(value?.start ?? 0)
  expect({ line, column }).toEqual({ line: 8, column: 7 })
})
