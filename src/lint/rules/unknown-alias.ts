import { writtenNodes } from '../context/written.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

export const unknownAlias: LintRule = {
  code: 'unknown_alias',
  level: 'warn',
  summary: 'An alias whose anchor is nowhere in the file above it.',
  why:
    'An alias such as `*shared` stands for what carries the anchor `&shared`. Without one it stands ' +
    'for nothing, and the key that holds it is as good as absent. Anchors count only below the place ' +
    'where they are given, and not in files that import this one.',
  examples: [
    {
      source: '_shared: &shared make\nscript: *sahred\n',
      messages: ['there is no anchor "&sahred" above, so this is empty: correct the name'],
    },
    { source: '_shared: &shared make\nscript: *shared\n', messages: [] },
    { source: 'script: "*shared"\n', messages: [] },
  ],
  mentions: /\*/,

  *check({ once, text }) {
    for (const { node, path } of once(writtenNodes)) {
      if (node.kind !== 'none') continue
      const name = /^\*(\S+)/.exec(text.slice(node.start, node.end))?.[1]
      if (name === undefined) continue
      const message = `there is no anchor ${quote(`&${name}`)} above, so this is empty: correct the name`
      yield { message, path, at: node }
    }
  },
}
