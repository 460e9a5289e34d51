// `docs/messages.md` and its pages list every text that the program can say.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { messagePages, messages, subjectOf } from '../../scripts/message-pages.ts'
import { commentsIn, textsIn, titlesIn } from '../../scripts/texts-in-sources.ts'
import { repository } from '../support/markdown.ts'

const docs = path.join(repository, 'docs')

test('the pages are those that `npm run docs` writes', () => {
  const names = [
    'messages.md',
    ...readdirSync(path.join(docs, 'messages')).map((each) => `messages/${each}`),
  ]
  const written = names.map((name) => [name, readFileSync(path.join(docs, name), 'utf8')] as const)
  expect(Object.fromEntries(written)).toEqual(Object.fromEntries(messagePages()))
})

test('every text is on a page', () => {
  const all = messages()
  expect(all.length).toBeGreaterThan(2000)
  expect(all.filter(({ file }) => subjectOf(file) === undefined)).toEqual([])
  expect(all.every(({ file }) => existsSync(path.join(repository, file)))).toBe(true)
})

describe('of a source', () => {
  const textsOf = (source: string) => textsIn('a.tsx', source).map(({ name, text }) => [name, text])

  test.each([
    ['const late = `job ${job.number} was late`', 'late', 'job {number} was late'],
    ["throw new Error('no such job')", '', 'no such job'],
    ["function say() { return 'a job ' + 'of two parts' }", 'say', 'a job of two parts'],
    [
      'const listed = `one of ${names.join(", ")} is missing`',
      'listed',
      'one of {names} is missing',
    ],
    ['const counted = `there are ${count(jobs)} jobs`', 'counted', 'there are {jobs} jobs'],
    [
      'export const Page = () => <p>Your <b>new</b> {name} is saved.</p>',
      'Page',
      'Your new {name} is saved.',
    ],
    [
      'const Field = () => <Input label="Name of the branch" class="wide field" />',
      'Field',
      'Name of the branch',
    ],
    ["log.warn({ id }, 'a job was lost')", '', 'a job was lost'],
    [
      "const rows = { approval: ['No approval is missing'] } as const",
      'rows',
      'No approval is missing',
    ],
    ["const help = wide ? 'all the jobs' : ''", 'help', 'all the jobs'],
  ])('%s has a text', (source, name, text) => {
    expect(textsOf(source)).toEqual([[name, text]])
  })

  test('a text within a value of another is a text as well', () => {
    expect(textsOf("const text = `The job ended${late ? ', but too late' : ''}.`")).toEqual([
      ['text', 'The job ended….'],
      ['text', ', but too late'],
    ])
  })

  test.each([
    'const rows = sql`select a from b where c`',
    "import { a } from './a b c.ts'",
    "type State = 'not yet run' | 'in the queue'",
    "if (text === 'the same text') stop()",
    "const is = text.includes('part of a text')",
    "const program = '[[ -e a ]] && exit 3 || run it now'",
    'const Box = () => <div class="box in a box" />',
    "const one = 'word'",
  ])('%s has no text for people', (source) => {
    expect(textsOf(source)).toEqual([])
  })

  test('lines of a comment are one comment', () => {
    const source = '/** Returns\n * a job. */\nconst a = 1\n// One\n// comment.\n\n// Another.\n'
    expect(commentsIn('a.ts', source).map(({ line, text }) => [line, text])).toEqual([
      [1, 'Returns\na job.'],
      [4, 'One\ncomment.'],
      [7, 'Another.'],
    ])
  })

  test('titles are those of tests and groups', () => {
    const source =
      "describe('a job', () => {\n  test.each([1])('runs %s times', () => {})\n  test.skipIf(no)(`ends ${how}`, run)\n})"
    expect(titlesIn('a.test.ts', source).map(({ text }) => text)).toEqual([
      'a job',
      'runs %s times',
      'ends {how}',
    ])
  })
})
