import { expect, test } from 'vitest'
import { listIn } from '../../src/http/core/list-in.ts'

test.each([
  ['a', ['a']],
  ['a,b', ['a', 'b']],
  [' a , b ', ['a', 'b']],
  [
    ['a', 'b,c'],
    ['a', 'b', 'c'],
  ],
  ['', []],
  [',,', []],
  [undefined, []],
  [{ x: 'a' }, []],
  [[{ x: 'a' }, 'b'], ['b']],
])('the list in %j is %j', (given, list) => {
  expect(listIn(given)).toEqual(list)
})
