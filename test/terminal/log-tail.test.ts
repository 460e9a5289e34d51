import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linesFrom, tailOf } from '../../src/terminal/log-tail.ts'

const many = { lines: 1000, characters: 1000 }

function tail(
  text: string,
  limits: Partial<typeof many> = {},
): [first: number, ...lines: string[]] {
  const { from, first } = tailOf(text, { ...many, ...limits })
  return [first, ...linesFrom(text, from)]
}

test.each([
  ['', {}, [1]],
  ['a', {}, [1, 'a']],
  ['a\n', {}, [1, 'a']],
  ['a\n\n', {}, [1, 'a', '']],
  ['a\nb\nc', { lines: 2 }, [2, 'b', 'c']],
  ['a\nb\nc\n', { lines: 2 }, [2, 'b', 'c']],
  ['\n\n\n', { lines: 1 }, [3, '']],
  ['\na', { lines: 1 }, [2, 'a']],
  ['a\nb', { lines: 2 }, [1, 'a', 'b']],
  ['aaaa\nbb\ncc', { characters: 5 }, [2, 'bb', 'cc']],
  ['aaaa\nbb\ncc', { characters: 4 }, [3, 'cc']],
  ['aaaa\nbb\ncc', { characters: 1 }, [3, 'c']],
  ['aaaaaaaa', { characters: 3 }, [1, 'aaa']],
  ['aaaaaaaa\n', { characters: 3 }, [1, 'aa']],
] as const)('the tail of %j with %j is %j', (text, limits, expected) => {
  expect(tail(text, limits)).toEqual(expected)
})

test('the lines of a tail are the last lines of the text, with their numbers', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[ab]{0,4}$/)),
      fc.integer({ min: 1, max: 9 }),
      (all, lines) => {
        const text = all.map((line) => `${line}\n`).join('')
        const first = Math.max(1, all.length - lines + 1)
        expect(tail(text, { lines })).toEqual([first, ...all.slice(first - 1)])
      },
    ),
  )
})
