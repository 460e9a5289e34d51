import { expect, test } from 'vitest'
import { bounded } from '../../src/service/contexts.ts'

test('work is refused while the work in progress holds too much, and accepted again afterwards', async () => {
  const ends: (() => void)[] = []
  const work = bounded((item: string) => new Promise<string>((end) => ends.push(() => end(item))), {
    most: 5,
    sizeOf: (item) => item.length,
  })
  const first = work('abc')
  await expect(work('def')).rejects.toMatchObject({ kind: 'unavailable' })
  const second = work('de')
  for (const end of ends.splice(0)) end()
  expect(await Promise.all([first, second])).toEqual(['abc', 'de'])

  // An item larger than the whole budget is accepted alone.
  const large = work('abcdefgh')
  await expect(work('')).rejects.toMatchObject({ kind: 'unavailable' })
  for (const end of ends.splice(0)) end()
  expect(await large).toBe('abcdefgh')
})
