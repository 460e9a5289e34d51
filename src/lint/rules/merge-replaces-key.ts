import type { Entry } from '../../buildfile/tree/node.ts'
import { isInside, writtenNodes } from '../context/written.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

export const mergeReplacesKey: LintRule = {
  code: 'merge_replaces_key',
  level: 'warn',
  summary: 'A key above a `<<` that merges in another value for it.',
  why:
    'The position of `<<` matters here: it replaces keys above it, and is replaced by keys below it. ' +
    'Elsewhere the keys of a mapping itself always win. Put `<<` first, then both are the same.',
  examples: [
    {
      source:
        '_mac: &mac\n  os: osx\n  script: make\njobs:\n  include:\n    - script: make test\n' +
        '      <<: *mac\n',
      messages: [
        'the value of "script" is lost, because "<<" below it merges in another one: put "<<" above it',
      ],
    },
    {
      source:
        '_mac: &mac\n  os: osx\n  script: make\njobs:\n  include:\n    - <<: *mac\n' +
        '      script: make test\n',
      messages: [],
    },
    {
      source:
        '_mac: &mac\n  script: make\njobs:\n  include:\n    - os: osx\n      script:\n      <<: *mac\n',
      messages: [],
    },
    {
      source:
        '_mac: &mac\n  script: make\njobs:\n  include:\n    - script: make test\n' +
        '      "\\x3c\\x3c": *mac\n',
      messages: [
        'the value of "script" is lost, because "<<" below it merges in another one: put "<<" above it',
      ],
    },
    { source: '_make: &make make test\nscript: *make\n', messages: [] },
    {
      source: '_make: &make make test\nscript: # all of them\n  *make\nafter_script: cat <<<done\n',
      messages: [],
    },
  ],

  *check({ once, text }) {
    // `<<` may be written with escapes.
    if (!/<<|\\/.test(text)) return
    for (const { node, path } of once(writtenNodes)) {
      if (node.kind !== 'map') continue
      for (const entry of node.entries) {
        if (!isInside(entry, node) || !isReplaced(entry, text)) continue
        const message =
          `the value of ${quote(entry.key)} is lost, because "<<" below it merges in another one: put ` +
          '"<<" above it'
        yield { message, path: [...path, entry.key], at: entry.at }
      }
    }
  },
}

/** Whether the value comes from above the key, though no alias follows the key. */
function isReplaced({ at, value, duplicate }: Entry, text: string): boolean {
  if (value.start < 0 || value.start >= at.start || duplicate) return false
  if (isNull(text, at)) return false
  return !/^\s*:\s*(?:#[^\n]*\n\s*)*(?:[&!]\S*\s+)*\*/.test(text.slice(at.end, at.end + 1000))
}

/** Whether no value follows a key, so that nothing is lost. */
function isNull(text: string, { start, end }: Entry['at']): boolean {
  const [all, written] =
    /^\s*:[ \t]*(~|null)?[ \t]*(?:#[^\n]*)?(?:\n|$)/i.exec(text.slice(end)) ?? []
  if (all === undefined) return false
  if (written !== undefined) return true
  const column = start - (text.lastIndexOf('\n', start - 1) + 1)
  const [, blanks = '', mark = ''] =
    /^(?:\s*\n)*([ \t]*)(-?)/.exec(text.slice(end + all.length)) ?? []
  return mark === '-' ? blanks.length < column : blanks.length <= column
}
