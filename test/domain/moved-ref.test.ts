import { expect, test } from 'vitest'
import { hasMoved, type PushOfRef } from '../../src/domain/commit/moved-ref.ts'

const nowhere = '0'.repeat(40)

/** Pushes in the order of their arrival: `a>b`, with `!` if forced, with `~` if late. */
const pushesOf = (text: string): PushOfRef[] =>
  text.split(' ').map((push, at) => {
    const [before = '', after = ''] = push.replace(/[!~]/g, '').split('>')
    return {
      id: at + 1,
      before_sha: before === '0' ? nowhere : before,
      after_sha: after,
      forced: push.includes('!'),
      overtaken_by: push.includes('~') ? 'z' : null,
    }
  })

// The commit is `c`; `since` is the number of pushes until the ref was last at it.
test.for<[pushes: string, since: number, moved: boolean, why: string]>([
  ['0>c', 1, false, 'is where it was made'],
  ['0>c c>d', 1, false, 'goes on'],
  ['0>c c>b!', 1, true, 'moves by force'],
  ['0>c x>y!', 1, true, 'moves by force after a push that is not known'],
  ['0>c 0>d', 1, true, 'is made anew'],
  ['0>c c>c!', 1, false, 'is pushed by force to where it is'],
  ['0>c c>d d>b!', 1, true, 'goes on, and moves then'],
  ['0>c c>b! b>c', 3, false, 'comes back'],
  ['0>c d>e c>d!~', 1, true, 'moves by a push that came late'],
  ['d>e 0>c c>d~', 2, false, 'goes on by a push that came late'],
  ['d>e! 0>c c>d~', 2, true, 'goes on by a push that came late, and moved by one that came before'],
  ['0>c d>b! c>d~ b>c', 4, false, 'comes back after a push that came late'],
  ['g>h! i>c! 0>c c>k c>g~ h>i~', 3, false, 'comes back by pushes that came late, and goes on'],
  ['g>h! 0>c c>k c>g~ h>i~', 2, true, 'moves by pushes that came late, and does not come back'],
  ['c>b! b>c~', 0, true, 'moves by a push that came before the late one that led there'],
  ['0>a a>d b>c~', 3, false, 'went there by a push that came late'],
  ['b>c~ 0>b', 1, false, 'was made before a push that came late led there'],
  ['b>c~ 0>a a>b', 1, false, 'was made, and went on, before a push that came late led there'],
  ['b>c~ a>b!', 1, false, 'moved before a push that came late led there'],
  ['b>c~ c>b!', 1, true, 'goes back by force to where it was before a push that came late'],
  ['b>c~ 0>a', 1, true, 'is made anew after a push that came late led there'],
  ['a>c! 0>a c>b~ a>c!~ b>a!', 1, true, 'is made anew, comes back by a late push and moves again'],
])(
  'after %s, with %i of them known, a branch has moved: %s, because it %s',
  ([text, since, moved]) => {
    expect(hasMoved('refs/heads/main', 'c', since, pushesOf(text))).toBe(moved)
  },
)

test('a tag has moved with each push to another object', () => {
  expect(hasMoved('refs/tags/v1', 'c', 1, pushesOf('0>c c>d'))).toBe(true)
  expect(hasMoved('refs/tags/v1', 'c', 1, pushesOf('0>c c>c'))).toBe(false)
})

test('a cycle of pushes is handled', () => {
  expect(hasMoved('refs/heads/main', 'c', 0, pushesOf('c>d~ d>e~ e>d~ d>c~'))).toBe(false)
})
