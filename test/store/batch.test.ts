import { describe, expect, test } from 'vitest'
import { batched } from '../../src/store/sql/batch.ts'

interface Write {
  items: number[]
  finish(results?: string[]): void
  fail(error: Error): void
}

/** A writer whose writes end as the test decides. */
function writer() {
  const writes: Write[] = []
  const write = (items: number[]) =>
    new Promise<string[]>((resolve, reject) => {
      const finish = (results = items.map(String)) => resolve(results)
      writes.push({ items, finish, fail: reject })
    })
  return { writes, write }
}

const writtenBy = (writes: readonly Write[]) => writes.map(({ items }) => items)

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Lets all settled promises be noticed. */
async function settle(): Promise<void> {
  await turn()
  await turn()
}

describe('items that arrive together', () => {
  test('are written together once the next turn is over', async () => {
    const { writes, write } = writer()
    const put = batched(write, { most: 10, atOnce: 1 })
    const first = [put(1), put(2)]
    await turn()
    const all = Promise.all([...first, put(3)])
    expect(writes).toEqual([])

    await turn()
    expect(writtenBy(writes)).toEqual([[1, 2, 3]])
    writes[0]?.finish()
    expect(await all).toEqual(['1', '2', '3'])
  })

  test('during another write wait for its end, and are then written together', async () => {
    const { writes, write } = writer()
    const put = batched(write, { most: 10, atOnce: 1 })
    const first = put(1)
    await settle()
    const others = [put(2), put(3)]
    await settle()
    expect(writtenBy(writes)).toEqual([[1]])

    writes[0]?.finish()
    expect(await first).toBe('1')
    await settle()
    expect(writtenBy(writes)).toEqual([[1], [2, 3]])
    writes[1]?.finish()
    expect(await Promise.all(others)).toEqual(['2', '3'])
  })

  test('are split into writes of at most the maximum size', async () => {
    const { writes, write } = writer()
    const put = batched(write, { most: 2, atOnce: 1 })
    const all = Promise.all([1, 2, 3, 4, 5].map((item) => put(item)))
    for (const place of [0, 1, 2]) {
      await settle()
      writes[place]?.finish()
    }
    expect(await all).toEqual(['1', '2', '3', '4', '5'])
    expect(writtenBy(writes)).toEqual([[1, 2], [3, 4], [5]])
  })

  test('are written by at most the maximum number of concurrent writes', async () => {
    const { writes, write } = writer()
    const put = batched(write, { most: 2, atOnce: 2 })
    const all = Promise.all([1, 2, 3, 4, 5, 6].map((item) => put(item)))
    await settle()
    expect(writtenBy(writes)).toEqual([
      [1, 2],
      [3, 4],
    ])

    writes[1]?.finish()
    await settle()
    expect(writtenBy(writes).slice(2)).toEqual([[5, 6]])
    writes[0]?.finish()
    writes[2]?.finish()
    expect(await all).toEqual(['1', '2', '3', '4', '5', '6'])
  })
})

describe('a write that fails', () => {
  test('fails all of its items and no others', async () => {
    const { writes, write } = writer()
    const put = batched(write, { most: 1, atOnce: 1 })
    const results = Promise.allSettled([put(1), put(2)])

    await settle()
    writes[0]?.finish()
    await settle()
    writes[1]?.fail(new Error('disk full'))

    expect(await results).toEqual([
      { status: 'fulfilled', value: '1' },
      { status: 'rejected', reason: new Error('disk full') },
    ])
  })

  test('does not keep later items from being written', async () => {
    const { writes, write } = writer()
    const put = batched(write, { most: 10, atOnce: 1 })
    const first = put(1)
    await settle()
    writes[0]?.fail(new Error('disk full'))
    await expect(first).rejects.toThrow('disk full')

    const second = put(2)
    await settle()
    writes[1]?.finish()
    expect(await second).toBe('2')
  })

  test('by throwing synchronously is reported as well', async () => {
    const put = batched<number, string>(
      () => {
        throw new Error('closed')
      },
      { most: 10, atOnce: 1 },
    )
    await expect(put(1)).rejects.toThrow('closed')
    await expect(put(2)).rejects.toThrow('closed')
  })

  test('by returning too few results fails the items without a result', async () => {
    const { writes, write } = writer()
    const put = batched(write, { most: 10, atOnce: 1 })
    const results = Promise.allSettled([put(1), put(2), put(3)])
    await settle()
    writes[0]?.finish(['1', '2'])

    const [first, second, third] = await results
    expect([first, second]).toEqual([
      { status: 'fulfilled', value: '1' },
      { status: 'fulfilled', value: '2' },
    ])
    expect(third).toMatchObject({ status: 'rejected' })
  })
})
