import { buildFile } from './build-files.ts'

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

/** A little less than what the doors of the linter take. */
export const mostBytes = 255 * 1024

export interface Kind {
  full: number
  make: (size: number) => string
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

/** 10,000 jobs, of which entries below are held against each. */
const matrix = `node_js: [${numbers(100).join()}]
env:
  jobs: [${numbers(100)
    .map((number) => `A=${number}`)
    .join()}]
jobs:
  exclude:
`

/** Lines between a head, which may grow with the file, and an end, as many as there is room for. */
function filled(
  head: string | ((size: number) => string),
  line: (index: number) => string,
  end = '',
): Kind {
  return {
    full: mostBytes,
    make(size) {
      let text = typeof head === 'string' ? head : head(size)
      for (let index = 0; text.length + line(index).length + end.length <= size; index += 1) {
        text += line(index)
      }
      return text + end
    },
  }
}

/** Files that are twice as long for twice as much; the longest has the full size. */
export const hostileFiles: Record<string, Kind> = {
  'ordinary, 122 KB': { full: 122 * 1024, make: (size) => buildFile(1, size) },
  'ordinary, 1 MB': { full: 1024 * 1024, make: (size) => buildFile(2, size) },
  '10,000 keys in a map': {
    full: 10_000,
    make: (count) => `env:\n  global:\n${lines(count, (index) => `    KEY_${index}: ${index}`)}`,
  },
  '10,000 unknown keys': { full: 10_000, make: (count) => lines(count, (index) => `k${index}: 1`) },
  'almost-right keys': {
    full: 5000,
    make: (count) => lines(count, (index) => `scirptt${index}: 1`),
  },
  'nesting 100 deep': {
    full: 200,
    make: (count) =>
      `jobs:\n  include:\n${lines(count, () => `    - env: ${'['.repeat(100)}1${']'.repeat(100)}`)}`,
  },
  'one scalar of 1 MB': {
    full: 1024 * 1024,
    make: (size) => `script: "${'a b '.repeat(size / 4)}"`,
  },
  'one block of 1 MB': {
    full: 1024 * 1024,
    make: (size) => `script: |\n${'  make\n'.repeat(size / 7)}`,
  },
  'long lists in jobs': {
    full: 2000,
    make: (count) => `jobs:\n  include:\n${lines(count, (index) => `    - script: make ${index}`)}`,
  },
  'unknown providers': filled('deploy:\n', (index) => `- provider: x${index}\n`),
  'deploy as texts': filled('deploy:\n', (index) => `- x${index}\n`),
  'unknown keys': filled('', (index) => `k${index}: 1\n`),
  'lists of jobs in one line': filled('jobs: {include: [', () => '{a: 1},', ']}'),
  'quoted texts in one line': filled('script: [a', () => `, 'a'`, ']'),
  'lists in entries of jobs': filled('jobs:\n  include:\n', () => '  - script: [a, b, c]\n'),
  'short commands': filled('script:\n', () => '- a\n'),
  'excludes of a large matrix': filled(matrix, (index) => `  - {os: linux, dist: x${index}}\n`),
  'excludes by env': filled(matrix, (index) => `  - env: B=${index}\n`),
  '195 nested lists': filled(`env: ${'['.repeat(195)}`, () => 'a,', ']'.repeat(195)),
  'lists of 195 nested lists': filled(
    'script:\n',
    () => `- ${'['.repeat(195)}${']'.repeat(195)}\n`,
  ),
  'a long text by aliases': filled(
    // A third of the file, so that the aliases are twice as many in one of twice the size.
    (size) => `a: &a "${'x'.repeat(size / 3)}"\n`,
    (index) => `b${index}: *a\n`,
  ),
  'misspelt keys by merges': filled(
    '_a: &a {scirpt: x}\njobs:\n  include:\n',
    () => '  - <<: *a\n',
  ),
}

/** Nine levels, each of which holds the one below nine times. */
export function aliasBomb(): string {
  const names = 'abcdefghi'.split('')
  return names
    .map((name, index) => {
      const below = index === 0 ? 'x' : `*${names[index - 1]}`
      return `${name}: &${name} [${Array(9).fill(below).join(', ')}]`
    })
    .join('\n')
}
