import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lintText } from '../../src/lint/lint-text.ts'
import { unreadableCommand } from '../../src/lint/rules/unreadable-command.ts'
import { refusedByBash } from '../../src/lint/shell/refused-by-bash.ts'
import { corpus, readCorpus } from '../support/corpus.ts'
import { needs } from '../support/needs.ts'

/** Reads each text without running it, and prints what is wrong with it. */
const readAll = String.raw`
  while IFS= read -r -d '' text; do
    mistakes=$(eval $'set -n\n'"$text" 2>&1)
    printf '%s\0' "$mistakes"
  done
`

/** What bash itself reads of some texts. */
function readByBash(texts: readonly string[]): string[] {
  const input = texts.map((text) => `${text}\0`).join('')
  const { stdout } = spawnSync('bash', ['-c', readAll], { input, encoding: 'utf8' })
  const mistakes = stdout.split('\0')
  return texts.filter((_, index) => !/error|unexpected|expected/.test(mistakes[index] ?? ''))
}

/** The texts of which bash reads more than is known here. */
function wronglyRefused(texts: readonly string[]): string[] {
  return readByBash(texts.filter((text) => refusedByBash(text)))
}

const refused: readonly (readonly [text: string, kind: string, found: string])[] = [
  ['if a; then b', 'unclosed', 'if'],
  ['for a in b; do c', 'unclosed', 'for'],
  ['for a in b', 'unclosed', 'for'],
  ['for a in b;', 'unclosed', 'for'],
  ['while a; do b', 'unclosed', 'while'],
  ['case a in', 'unclosed', 'case'],
  ['case a in b) c;;', 'unclosed', 'case'],
  ['{ a;', 'unclosed', '{'],
  ['(a', 'unclosed', '('],
  ['f() { a', 'unclosed', '{'],
  ['a; fi', 'stray', 'fi'],
  ['a && then b', 'missing', '&&'],
  ['a\ndone', 'stray', 'done'],
  ['a; }', 'stray', '}'],
  ['echo a)', 'stray', ')'],
  ['a;; b', 'stray', ';;'],
  ['if a; b; fi', 'unexpected', 'fi'],
  ['if a; then b; else c; else d; fi', 'unexpected', 'else'],
  ['if a; then b; elif c; fi', 'unexpected', 'fi'],
  ['while a; then b; done', 'unexpected', 'then'],
  ['for a in b do c; done', 'unexpected', 'done'],
  ['for a; b; done', 'unexpected', 'b'],
  ["a 'b", 'quote', "'"],
  ['a "b $(c) ${d} `e`', 'quote', '"'],
  ['a `b', 'quote', '`'],
  ['a |', 'missing', '|'],
  ['a ||\n', 'missing', '||'],
  ['a && && b', 'missing', '&&'],
  ['&& a', 'missing', '&&'],
  ['a & ; b', 'missing', ';'],
  ['a\n; b', 'missing', ';'],
  ['if a; then # b\nfi', 'empty', 'fi'],
  ['( )', 'empty', ')'],
  ['if a; then b; fi c', 'follows', 'c'],
  ['if a; then b; fi if c; then d; fi', 'follows', 'if'],
  ['(a) b', 'follows', 'b'],
  ['{ a; } >b c', 'follows', 'c'],
  ['a (b)', 'bracket', '('],
  ['a b(c)', 'bracket', '('],
]

test.each(refused)('bash refuses %j: %s at %j', (text, kind, found) => {
  const result = refusedByBash(text)
  expect(result).toMatchObject({ kind, found })
  expect(text.slice(result?.start).startsWith(found)).toBe(true)
})

test('bash also refuses the same texts, and accepts valid ones', () => {
  const texts = refused.map(([text]) => text)
  expect(readByBash([...texts, 'a', 'if a; then b; fi'])).toEqual(['a', 'if a; then b; fi'])
})

test.each([
  'a; b & c | d |& e && f || g\nh',
  "a \"b'c\" 'd\"e' f\\'g $'h\\'i' # j'k",
  'if a; then b; elif c; then d; else e; fi >f 2>&1 && g',
  'while a; do until b; do c; done done <d',
  'for a in b "c d" $(e); do f; done; for a; do b; done; for a do b; done; for a\ndo b; done',
  'case $a in (b|c) d;; *.e) f ;& "g h") ;; *) i; esac | j',
  '{ a; b; } && (c; d) | { e; }',
  'f() { a; }; g () (b); ! h; time -p i; ! { j; }',
  'a=(b "c" # d)\n e) f+=(g) h=i j',
  'echo if then fi { } do done; a=b if',
  'echo $((1 + (2 * a))) ${b:-c} ${#d} ${e[0]} "${f%.*}" ${g:-${h}} `i \\` j`',
  'diff <(a) <(b "c") > >(tee d) <<<e 2>/dev/null >&2 &>f',
  '[[ a == *(b) && ( -f c || $d =~ ^(e|f)$ ) ]] && g',
  'echo a#b "#" \\# $#',
  'echo "a $(b "c $(d)") e"',
  'echo a \\\n  b \\\n  && c',
  'a &&\n  # b\n  c',
  'echo !(a) ?(b)',
  '((a = 1 << 2)); let "b = 1"; for ((i = 0; i < 3; i++)); do c; done',
  'cat <<E\nit\'s "\nE\nb',
  'function f { a; }; select b in c; do d; done; coproc e { f; }',
  '$(case a in b) c;; esac)',
  "echo ${a:-'}'} \"${b:-it's}\" $[1 + 2]",
])('%j is not refused', (text) => {
  expect(refusedByBash(text)).toBeUndefined()
})

test('long, deep or strange texts are left to bash', () => {
  const deep = ['( ', '! ', 'f() ( ', 'if ', '$(', '"$(', '<(', 'x=(', '${a:-', 'while if ']
  const texts = [
    ...deep.map((part) => part.repeat(3000)),
    "a 'b\0",
    "a 'b\r",
    '\u00A0; a',
    `'${'a'.repeat(30_000)}`,
  ]
  for (const text of texts) expect(refusedByBash(text)).toBeUndefined()
})

describe('every refused text is also refused by bash', () => {
  const pieces = [
    ...['if', 'then', 'else', 'fi', 'for', 'in', 'do', 'done', 'while', 'case', 'esac', '{', '}'],
    ...['(', ')', ';', ';;', '&', '&&', '||', '|', '\n', "'", '"', '`', '$(', '${x}', '#', '\\'],
    ...['a', 'b=c', '>', '2>&1', '<<<', '[[', ']]', '!', 'time', 'f()', 'x=(', '$((1))', ' '],
  ]
  test('for pieces in any order', () => {
    const texts = fc.sample(fc.array(fc.constantFrom(...pieces), { maxLength: 14 }), {
      numRuns: 250,
      seed: 1,
    })
    expect(wronglyRefused(texts.flatMap((parts) => [parts.join(' '), parts.join('')]))).toEqual([])
  })

  test('for commands with an additional piece or a missing part', () => {
    const change = fc.record({
      command: fc.constantFrom(...refused.map(([text]) => `if a "b"; then c; fi; ${text}; (d)`)),
      from: fc.nat(60),
      length: fc.nat(4),
      piece: fc.constantFrom('', ...pieces),
    })
    const texts = fc
      .sample(change, { numRuns: 250, seed: 2 })
      .map(({ command, from, length, piece }) => {
        return `${command.slice(0, from)}${piece}${command.slice(from + length)}`
      })
    expect(wronglyRefused(texts)).toEqual([])
  })
})

test('only commands that bash refuses are reported in real files', needs(corpus), () => {
  const found = readCorpus<{ name: string; yaml: string }>('configs').flatMap(({ name, yaml }) =>
    lintText(yaml, { advice: true, rules: [unreadableCommand] })
      .findings.filter(({ code }) => code === unreadableCommand.code)
      .map(({ key }) => `${name} ${key.join('.')}`),
  )
  expect(found).toEqual([
    'AnalyticalGraphicsInc:gltf-pipeline after_success',
    'lovata:oc-shopaholic-plugin after_success',
  ])
})
