import type { Rule } from './rule.ts'

export const ignoredDocument: Rule = {
  code: 'ignored_document',
  level: 'warn',
  summary: 'More than one YAML document in the file.',
  why:
    'A line of three dashes or dots ends a document. Only the first one of a build file is read; what ' +
    'follows is not even checked.',
  examples: [
    {
      source: 'language: ruby\n---\nscript: make\n',
      messages: [
        'all from here on is ignored, since only the first document of the file is read: join them, ' +
          'or remove the line above',
      ],
    },
    { source: '---\nlanguage: ruby\nscript: make\n', messages: [] },
    { source: 'language: ruby\n---\n# nothing here\n', messages: [] },
  ],

  *check({ root, text }) {
    const end = /^(?:---|\.\.\.)(?=\s|$)/gm
    end.lastIndex = Math.max(root.end, 0)
    if (!end.exec(text)) return
    const rest = /^(?![ \t\r]*(?:#|$)|(?:---|\.\.\.)[ \t\r]*(?:#|$))[^\n]+/gm
    rest.lastIndex = end.lastIndex
    const found = rest.exec(text)
    if (!found) return
    const message =
      'all from here on is ignored, since only the first document of the file is read: join them, or ' +
      'remove the line above'
    const start = found.index
    yield { message, path: [], at: { start, end: start + found[0].length } }
  },
}
