import { expect, test } from 'vitest'
import { composeText } from '../../../src/buildfile/compose/compose-text.ts'
import { mergeSources } from '../../../src/buildfile/imports/merge.ts'
import { normalize } from '../../../src/buildfile/read-build-file.ts'
import type { MapNode } from '../../../src/buildfile/tree/node.ts'

function rootOf(text: string): MapNode {
  const composed = composeText(text)
  if ('error' in composed) throw new Error(composed.error.message)
  return composed.root
}

test('messages and positions of merged files name the right file', () => {
  const mode = 'deep_merge_append'
  const { root } = mergeSources([
    { root: rootOf('import: a.yml\nfoo: 1\ngit:\n  depth: x'), mode, src: null },
    {
      root: rootOf(
        'ruby: 3\nrvm: 2\nbar: 1\nbar: 2\ngit: {quiet: x}\ndist:\naddons: [code_climate: x]',
      ),
      mode,
      src: 'a.yml',
    },
  ])
  const { messages, positions } = normalize(root, new Set())
  expect(messages.map(({ code, key, line, src }) => [code, key.join('.'), line, src])).toEqual([
    ['duplicate_key', '', undefined, 'a.yml'],
    ['alias_key', '', 0, 'a.yml'],
    ['overwrite', '', undefined, 'a.yml'],
    ['unexpected_seq', 'addons', 6, 'a.yml'],
    ['default', '', undefined, undefined],
    ['default', '', undefined, undefined],
    ['default', '', 5, 'a.yml'],
    ['invalid_type', 'git.depth', 3, undefined],
    ['invalid_type', 'git.quiet', 4, 'a.yml'],
    ['secure', 'addons.code_climate.repo_token', undefined, 'a.yml'],
    ['unknown_key', '', 1, undefined],
    ['unknown_key', '', 2, 'a.yml'],
  ])
  expect([['git', 'depth'], ['git', 'quiet'], ['rvm']].map((path) => positions(path))).toEqual([
    { key: { start: 28, end: 33 }, value: { start: 35, end: 36 } },
    { key: { start: 35, end: 40 }, value: { start: 42, end: 43 }, src: 'a.yml' },
    { key: { start: 0, end: 4 }, value: { start: 6, end: 7 }, src: 'a.yml' },
  ])
})
