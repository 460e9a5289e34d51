import type { LintRule } from './rule.ts'

export const ignoredDocument: LintRule = {
  code: 'ignored_document',
  level: 'warn',
  summary: 'A part of the file that is not read: a further document, or keys further to the left.',
  why:
    'A line of three dashes or dots ends a document, and so does a line that starts further to the ' +
    'left than the first key. Only the first document of a build file is read; the rest is not ' +
    'even checked.',
  examples: [
    {
      source: 'language: ruby\n---\nscript: make\n',
      messages: [
        'everything from here on is ignored, because only the first document of the file is read: join them, ' +
          'or remove the line above',
      ],
    },
    {
      source: '# tests\n  language: ruby\nscript: make\n',
      messages: [
        'everything from here on is ignored, because the document ends above this line: let all keys ' +
          'that are not nested start in the same column',
      ],
    },
    {
      source: 'language: ruby\n--- {script: make}\n',
      messages: [
        'everything from here on is ignored, because only the first document of the file is read: join them, ' +
          'or remove the mark that this line starts with',
      ],
    },
    { source: '---\nlanguage: ruby\nscript: make\n', messages: [] },
    { source: 'language: ruby\n---\n# nothing here\n', messages: [] },
  ],

  *check({ root, text }) {
    const rest = /^(?![ \t\r]*(?:#|$)|(?:---|\.\.\.)[ \t\r]*(?:#|$))[^\n]+/gm
    const end = Math.max(root.end, 0)
    rest.lastIndex = end
    const found = rest.exec(text)
    if (!found) return
    const { index: start, 0: line } = found
    const message = ignoredSince(text.slice(end, start), line)
    yield { message, path: [], at: { start, end: start + line.length } }
  },
}

const mark = /^(?:---|\.\.\.)(?=\s|$)/m

function ignoredSince(above: string, line: string): string {
  const isMarked = mark.test(line)
  if (!isMarked && !mark.test(above)) {
    return (
      'everything from here on is ignored, because the document ends above this line: let all keys that ' +
      'are not nested start in the same column'
    )
  }
  return (
    'everything from here on is ignored, because only the first document of the file is read: join them, or ' +
    `remove ${isMarked ? 'the mark that this line starts with' : 'the line above'}`
  )
}
