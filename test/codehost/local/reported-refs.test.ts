import { expect, test } from 'vitest'
import { changesSince } from '../../../src/codehost/local/refs/reported-refs.ts'

const told = (sha: string | null, changes = 0) => ({ sha, changes })

test.each([
  ['nothing if nothing changed', { a: told('1') }, { a: '1' }, []],
  ['a new ref', {}, { a: '1' }, [{ ref: 'a', before: null, after: '1', changes: 0 }]],
  [
    'a ref that moved',
    { a: told('1', 3) },
    { a: '2' },
    [{ ref: 'a', before: '1', after: '2', changes: 3 }],
  ],
  ['a deleted ref', { a: told('1', 1) }, {}, [{ ref: 'a', before: '1', after: null, changes: 1 }]],
  ['no ref that is already reported as deleted', { a: told(null, 2) }, {}, []],
  [
    'a restored ref',
    { a: told(null, 2) },
    { a: '1' },
    [{ ref: 'a', before: null, after: '1', changes: 2 }],
  ],
  [
    'existing refs in order, before deleted ones',
    { a: told('1'), d: told('1') },
    { c: '1', b: '1', d: '2' },
    [
      { ref: 'c', before: null, after: '1', changes: 0 },
      { ref: 'b', before: null, after: '1', changes: 0 },
      { ref: 'd', before: '1', after: '2', changes: 0 },
      { ref: 'a', before: '1', after: null, changes: 0 },
    ],
  ],
] as const)('reports %s', (_, known, present, changes) => {
  const refs = new Map<string, string>(Object.entries(present))
  expect(changesSince(new Map(Object.entries(known)), refs)).toEqual(changes)
})
