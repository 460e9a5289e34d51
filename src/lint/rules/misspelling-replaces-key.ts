import type { Entry } from '../../buildfile/tree/node.ts'
import type { LintContext } from '../context/context.ts'
import { isInside, writtenNodes } from '../context/written.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

const corrections: readonly string[] = ['find_key', 'clean_key', 'strip_key', 'underscore_key']

export const misspellingReplacesKey: LintRule = {
  code: 'misspelling_replaces_key',
  level: 'warn',
  summary: 'A key whose value is lost, because another one that is misspelt is read as the same.',
  why:
    'An unknown key is read as the key that was probably meant, and its value replaces the value of ' +
    'that key. Remove one of the two keys, or correct the misspelt one.',
  examples: [
    {
      source: 'scirpt: make\nscript: npm test\n',
      messages: [
        'this value of "script" is lost, because "scirpt" is read as "script" too and its value counts: ' +
          'remove one of them',
      ],
    },
    {
      source:
        'script: make\ndeploy:\n  provider: npm\n  skip_cleanup: true\n  skip-cleanup: false\n',
      messages: [
        'this value of "skip_cleanup" is lost, because "skip-cleanup" is read as "skip_cleanup" too and ' +
          'its value counts: remove one of them',
      ],
    },
    {
      source: 'scirpt: make\nsrcipt: npm test\n',
      messages: [
        'this value of "scirpt" is lost, because "srcipt" is read as "script" too and its value counts: ' +
          'remove one of them',
      ],
    },
    { source: 'scirpt: make\nscript:\n', messages: [] },
    { source: 'scirpt: make\n', messages: [] },
    {
      source:
        '_base: &base\n  script: make\njobs:\n  include:\n    - <<: *base\n      scirpt: make test\n',
      messages: [],
    },
  ],

  *check(context) {
    const meant = meantKeys(context)
    if (meant.size === 0) return
    for (const { node, path } of context.once(writtenNodes)) {
      if (node.kind !== 'map') continue
      const counting = countingEntries(node.entries, meant)
      for (const entry of counting.size === 0 ? [] : node.entries) {
        const key = meant.get(entry.at.start) ?? entry.key
        const other = counting.get(key)
        if (!other || other === entry) continue
        if (entry.value.kind === 'none' || !isInside(entry, node)) continue
        const message =
          `this value of ${quote(entry.key)} is lost, because ${quote(other.key)} is read as ` +
          `${quote(key)} too and its value counts: remove one of them`
        yield { message, path: [...path, entry.key], at: entry.at }
      }
    }
  },
}

/** The keys that misspelt keys are read as, by their offset. */
function meantKeys({ messages }: LintContext): ReadonlyMap<number, string> {
  return new Map(
    messages.flatMap(({ code, at, src, args }) =>
      corrections.includes(code) && at && src === undefined ? [[at.start, String(args?.key)]] : [],
    ),
  )
}

/** The entries that replace others, by the key that they are read as; the last of each counts. */
function countingEntries(
  entries: readonly Entry[],
  meant: ReadonlyMap<number, string>,
): ReadonlyMap<string, Entry> {
  return new Map(
    entries.flatMap((entry) => {
      const key = meant.get(entry.at.start)
      return key === undefined ? [] : [[key, entry]]
    }),
  )
}
