import { branchEntriesOf } from '../context/branch-lists.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

export const patternWithoutSlashes: LintRule = {
  code: 'pattern_without_slashes',
  level: 'warn',
  summary: 'A pattern under `branches` that is not written between slashes.',
  why:
    'An entry of `branches.only` or `branches.except` is the whole name of a branch, unless it is ' +
    'between slashes: then it is a regular expression. A name cannot hold characters such as `*`, ' +
    '`?`, `[` or `^`, so an entry with one of them never fits.',
  examples: [
    {
      source: 'branches:\n  only:\n    - release/*\n',
      messages: [
        '"release/*" fits no branch, because patterns are regular expressions between slashes: write ' +
          '"/^release\\/.*$/"',
      ],
      fixed: 'branches:\n  only:\n    - /^release\\/.*$/\n',
      onRequest: true,
    },
    {
      source: 'branches:\n  only:\n    - ^v\\d+$\n',
      messages: [
        '"^v\\d+$" fits no branch, because patterns are regular expressions between slashes: write ' +
          '"/^v\\d+$/"',
      ],
      fixed: 'branches:\n  only:\n    - /^v\\d+$/\n',
      onRequest: true,
    },
    { source: 'branches:\n  only:\n    - main\n    - /^release\\//\n', messages: [] },
  ],
  needs: ['branches'],

  *check({ config, spanOf }) {
    for (const { text, path } of branchEntriesOf(config)) {
      // Characters that git does not allow in branch names.
      if (!/[*?[^\\]/.test(text) || text.includes('/^') || text.startsWith('/')) continue
      const pattern = meant(text)
      const message =
        `${quote(text)} fits no branch, because patterns are regular expressions between slashes: ` +
        `write "${pattern}"`
      const at = spanOf(path)
      yield {
        message,
        path,
        ...(at && {
          fix: { title: `write ${pattern}`, edits: [{ ...at, text: pattern }], safe: false },
        }),
      }
    }
  },
}

/** The regular expression for a text that lacks only the slashes, or that is a file name pattern. */
function meant(text: string): string {
  const isExpression = /^\^|\$$|\\|\.\*|\.\+/.test(text)
  if (isExpression) return `/${text.replaceAll(/(?<!\\)\//g, String.raw`\/`)}/`
  const pattern = text
    .replaceAll(/[.+(){}|/]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return `/^${pattern}$/`
}
