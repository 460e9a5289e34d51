// Build files with mistakes drawn at random: whatever is in a file, its findings lie inside it, and its fixes end.
//
// The files of a seed are the same each time:
//   MUTATED_FILES=2000 MUTATED_FILES_SEED=7 npx vitest run test/lint/mutated-files.test.ts
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expandMatrix } from '../../src/buildfile/expand/expand-matrix.ts'
import type { Config } from '../../src/buildfile/expand/values.ts'
import { applyFixes } from '../../src/lint/apply-fixes.ts'
import type { Finding } from '../../src/lint/finding.ts'
import { formatJson } from '../../src/lint/formats/json.ts'
import { lintText } from '../../src/lint/lint-text.ts'
import { sample } from '../buildfile/sample.ts'
import { hasCorpus, readCorpus } from '../support/corpus.ts'

const { MUTATED_FILES, MUTATED_FILES_SEED } = process.env
const numRuns = Number(MUTATED_FILES ?? 60)
const seed = Number(MUTATED_FILES_SEED ?? 1)

const real = hasCorpus ? readCorpus<{ yaml: string }>('configs') : []
const files = [...sample, ...real].map(({ yaml }) => yaml).filter(({ length }) => length < 6000)

/** Values of every type, in odd spellings. */
const values = [
  ...['', '~', 'no', '0x1F', '1e3', '.nan', '2001-01-01', '12345678901234567890', "''", 'lnux'],
  ...['[]', '{}', '[[a, b], c]', '[[[a]]]', '{a: b}', '[~, a]', '[true, 1, x, {a: 1}]', '*a'],
  ...['{secure: }', '[{secure: abc}]', '&a x', '!!binary aGk=', '!x y', '"\\u0007\\e[31m"', '<<'],
  ...['|\n  a\n  b', '>-\n  a\n\n  b', 'x # y', 'a: b: c', '/^v(\\d+/', '{if: "branch = main"}'],
  ...['__proto__', 'constructor', '"%{branch}"', '{? a : b}', 'linux osx', 'always'],
]

const keys = [
  ...['env', 'os', 'language', 'deploy', 'addons', 'cache', 'jobs', 'stages', 'notifications'],
  ...['branches', 'git', 'services', 'node_js', 'import', 'if', 'version', 'sudo', 'matrix'],
]

const signs = '{}[]*&!|>\'"%@#:-?,~`\t\r\n\0\u0007\u00A0\u2028\uFEFF=<'

type Change = (lines: string[], at: number) => unknown

/** Changes one of the lines. */
const onLine =
  (change: (line: string) => string): Change =>
  (lines, at) =>
    lines.splice(at, 1, change(lines[at] ?? ''))

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc
    .constantFrom(...values)
    .map((value) => onLine((line) => line.replace(/^(\s*(?:- )?[\w.-]+:).*$/, `$1 ${value}`))),
  fc.nat(12).map((at) => onLine((line) => line.slice(0, at) + line.slice(at + 1))),
  fc
    .tuple(fc.nat(60), fc.nat(signs.length - 1))
    .map(([at, sign]) => onLine((line) => line.slice(0, at) + signs.charAt(sign) + line.slice(at))),
  fc.constantFrom('  ', ' ', '- ').map((before) => onLine((line) => before + line)),
  fc.constant(onLine((line) => line.toUpperCase())),
  fc.constant(((lines, at) => lines.splice(at, 1)) satisfies Change),
  fc.constant(((lines, at) => lines.splice(at, lines.length)) satisfies Change),
  fc.tuple(fc.constantFrom(...keys), fc.constantFrom(...values)).map(
    ([key, value]): Change =>
      (lines) =>
        lines.push(`${key}: ${value}`),
  ),
)

const mutatedFiles = fc
  .tuple(
    fc.constantFrom(...files),
    fc.array(fc.tuple(changes, fc.nat(200)), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('\n', '\n', '\r\n', '\r'),
  )
  .map(([file, made, end]) => {
    const lines = file.split('\n')
    for (const [change, at] of made) change(lines, at % Math.max(lines.length, 1))
    return lines.join(end)
  })

function isInside(lines: readonly string[], { line, column, end_line, end_column }: Finding) {
  if (line === null || column === null) return line === column
  const [first, last] = [lines[line - 1], lines[(end_line ?? 0) - 1]]
  return (
    first !== undefined &&
    last !== undefined &&
    column >= 1 &&
    column <= first.length + 1 &&
    (end_column ?? 0) <= last.length + 1 &&
    (end_line === line ? (end_column ?? 0) >= column : (end_line ?? 0) > line)
  )
}

/** Keys that fixes remove, or replace by others that say the same. */
const replaced = /^sudo$|cleanup$|upload_docs$|promote$|stop_previous_version$/

/** A value without these keys; the order of keys, and `_` before one that has no effect, make no difference. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .filter(([key]) => !replaced.test(key))
    .map(([key, inner]) => [key.replace(/^_/, ''), comparable(inner)] as const)
  return entries.toSorted(([one], [other]) => (one < other ? -1 : 1))
}

const jobsOf = (config: Config) =>
  [...new Set(expandMatrix(config).rows.map((row) => JSON.stringify(comparable(row))))].toSorted()

const timeout = 30_000 + numRuns * 1000

test(
  'random mistakes lead to findings within the file, whose safe fixes end and keep the jobs',
  { timeout },
  () => {
    fc.assert(
      fc.property(mutatedFiles, (text) => {
        const { findings, config } = lintText(text, { advice: true })
        const lines = text.split(/\r\n|\r|\n/)
        expect(findings.filter((finding) => !isInside(lines, finding))).toEqual([])
        expect(JSON.parse(formatJson([{ file: 'a.yml', text, findings }]))).toHaveProperty(
          'findings',
        )
        const fixed = applyFixes(text, { advice: true })
        expect(fixed.linted.findings.filter(({ fix }) => fix?.safe)).toEqual([])
        expect(jobsOf(fixed.linted.config)).toEqual(jobsOf(config))
      }),
      { seed, numRuns },
    )
  },
)
