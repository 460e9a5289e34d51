import { expect, test } from 'vitest'
import { openTurns, type Turn } from '../../src/reader/turns.ts'

const push = (key: string): Turn => ({ of: 'pushes', key })
const call = (key: string): Turn => ({ of: 'calls', key })

test('repositories and callers take turns, so that one with much work does not delay the others', async () => {
  const takeTurn = openTurns({ of_all: 1 })
  const done: string[] = []
  const read = (turn: Turn, name: string) => takeTurn(turn, async () => void done.push(name))
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map((name) => read(push('a'), name)),
    ...['b1', 'b2'].map((name) => read(push('b'), name)),
    ...['x1', 'x2', 'x3'].map((name) => read(call('x'), name)),
    read(call('y'), 'y1'),
  ])
  expect(done).toEqual(['a1', 'a2', 'x1', 'b1', 'y1', 'a3', 'x2', 'b2', 'x3', 'a4'])
})

test('failed work makes room for the next', async () => {
  const takeTurn = openTurns({ of_all: 1 })
  const [failed, behind] = await Promise.allSettled([
    takeTurn(push('a'), () => Promise.reject(new Error('no'))),
    takeTurn(push('a'), async () => 'done'),
  ])
  expect([failed.status, behind]).toEqual(['rejected', { status: 'fulfilled', value: 'done' }])
})

test('one repository does not take all threads, however long its work takes', async () => {
  const takeTurn = openTurns({ of_all: 3, of_one: 2 })
  const done: string[] = []
  let release = () => {}
  const slow = new Promise<void>((resolve) => (release = resolve))
  const stuck = ['a1', 'a2', 'a3'].map((name) =>
    takeTurn(push('a'), async () => {
      await slow
      done.push(name)
    }),
  )
  for (const name of ['b1', 'b2']) await takeTurn(push('b'), async () => void done.push(name))
  expect(done).toEqual(['b1', 'b2'])
  release()
  await Promise.all(stuck)
  expect(done).toEqual(['b1', 'b2', 'a1', 'a2', 'a3'])
})
