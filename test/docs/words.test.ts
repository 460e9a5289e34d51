// Words and phrases that have a better form, in sources, pages and titles of tests. CONTRIBUTING.md says why.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

/** What is not to be written, what to write in its place, and a sentence with the fault. */
type Row = [fault: RegExp, better: string, example: string]

/** In sources, comments, pages and titles. */
const everywhere: Row[] = [
  [/\bwhoever\b/i, 'anyone who', 'Whoever can push can read it.'],
  [/(?<!`)\bnobody\b(?!['`:]| inside)/i, 'no one', 'It is hidden, so nobody sees it.'],
  [/(?<!no effect )\bany more\b/i, 'no longer', 'The branch does not exist any more.'],
  [/\bat this place\b/i, 'here', 'There is no key at this place.'],
  [
    /\b(?:is|are|was|were) (?:not )?told (?:of|that|not)\b/i,
    'is notified, learns, must not',
    'It is told of forks.',
  ],
  [/\bhas to be a text\b/i, 'must be a string', 'This has to be a text.'],
  [/\bis no (?:JSON|UTF-8|regular file|address)\b/i, 'is not', 'The line is no JSON.'],
  [/\bwhat is sent of\b/i, 'the given fields of', 'changes what is sent of a variable'],
  [/\bto have it built\b/i, 'to build it', 'Push again to have it built.'],
  [/\bmap of keys and values\b/i, 'mapping', 'This is a map of keys and values.'],
  [/\bcame to (?:its|their) end\b/i, 'finished', 'It was ended before it came to its end.'],
  [
    /\bby itself; restart\b/i,
    'automatically',
    'It is not started again by itself; restart the job.',
  ],
  [
    /\bspelt (?:nearly|alike)\b/i,
    'with a similar spelling',
    'There is one that is spelt nearly so.',
  ],
  [/\bas you wished\b/i, '(left out)', 'You were not logged in, as you wished.'],
  [/\blook up my\b/i, 'sync my', 'Look up my repositories again'],
  [/\b(?:has|have) a branch built\b/i, 'schedules builds of', 'has a branch built daily'],
  [/\bhave clients of\b/i, '(the verb)', 'have clients of the API show a message'],
  [/\bwhat is to be built\b/i, 'the repositories to build', 'Install it on what is to be built.'],
  [
    /\bis not for (?:everything|enough|all)\b/i,
    'is restricted',
    'Your token is not for everything.',
  ],
  [/\bhands logins over\b/i, 'redirects', 'It is not one that this service hands logins over to.'],
  [
    /\bis shown inside of others\b/i,
    'appears embedded in others',
    'None: it is shown inside of others.',
  ],
  [
    /\bnothing is put in its place\b/i,
    'it is replaced by nothing',
    'So nothing is put in its place.',
  ],
  [/\bthe longest a (?:job|log) may\b/i, 'the maximum', 'It ran for the longest a job may run.'],
  [/\blet (?:the job|long commands) print\b/i, 'print', 'Let long commands print something.'],
  [/\bcannot be listened on\b/i, 'cannot listen on', '127.0.0.1:3000 cannot be listened on.'],
  [/\blink leads nowhere\b/i, 'is broken', 'This link leads nowhere.'],
  [/\bstands for whoever\b/i, 'represents', 'It stands for whoever is at this machine.'],
]

/** In texts that a user reads: the strings of sources, and pages. */
const shown: Row[] = [
  [/\b(?:a blank|blanks)\b(?! line)/, 'space', 'Put a blank after the colon.'],
  [
    /\b(?:blank|colon|value|quote|put .+) behind\b/,
    'after',
    'Write the value behind the colon behind it.',
  ],
  [/\bbegun in this browser\b/, 'was started in', 'It was begun in this browser.'],
  [/\bcarried out here\b/, 'has an effect', 'Not all of the build file is carried out here.'],
  [
    /\bfor all that yours is for\b/,
    'with the same permissions',
    'It gets a token for all that yours is for.',
  ],
]

function filesIn(folder: string, ending: RegExp): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(folder, file))
    .filter((file) => ending.test(file) && !leftAlone.test(file))
}

/** Migrations stay as they were run, records of decisions as they were made. */
const leftAlone = /migrations\/|docs\/decisions\/|fixtures\/|docs\/words\.test\.ts$/

const pages = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', ...filesIn('docs', /\.md$/)]
const sources = filesIn('src', /\.tsx?$/)
const tests = filesIn('test', /\.test\.tsx?$/)

const titleOf = (line: string) => /^\s*(?:test|describe)(?:\.\w+)*\(\s*(['"`].*)$/.exec(line)?.[1]
const stringsOf = (line: string) =>
  (line.match(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`?/g) ?? [])
    .filter((text) => text.trim().includes(' '))
    .join(' ')

function faultsIn(
  files: readonly string[],
  rows: readonly Row[],
  partOf: (line: string) => string | undefined,
): string[] {
  return files.flatMap((file) =>
    readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, at) => {
        const text = partOf(line)
        const row = text === undefined ? undefined : rows.find(([fault]) => fault.test(text))
        return row ? [`${file}:${at + 1}: write "${row[1]}": ${line.trim()}`] : []
      }),
  )
}

const whole = (line: string) => line

describe('no words that have a better form are', () => {
  test('in sources and their comments', () => {
    expect(faultsIn(sources, everywhere, whole)).toEqual([])
  })

  test('in pages', () => {
    expect(faultsIn(pages, everywhere, whole)).toEqual([])
  })

  test('in titles of tests', () => {
    expect(faultsIn(tests, everywhere, titleOf)).toEqual([])
  })

  test('in texts that users read', () => {
    expect(faultsIn(sources, shown, stringsOf)).toEqual([])
  })
})

test.each([...everywhere, ...shown])('%s is found, for %j', (fault, better, example) => {
  expect(example).toMatch(fault)
  expect(better).not.toMatch(fault)
})
