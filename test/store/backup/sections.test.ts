import { expect, test } from 'vitest'
import { Cut, sectionsOf } from '../../../src/store/backup/sections.ts'

async function* inPieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function textOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk.toString('latin1')
  return text
}

/** Rows that would look like the end of a section if COPY did not double backslashes. */
const rows = '1\\\\.\n\\\\.\n.\n\\N\t\\\\\n\n\\n\\\\.\n'

test.each([1, 2, 3, 4, 5, 7, 100])(
  'sections end at their last line, for pieces of %i characters',
  async (n) => {
    const text = `head\n${rows}\\.\n\\.\n\n\\.\nfoot\nrest`
    const sections = sectionsOf(inPieces(text, n))
    expect(await sections.line()).toBe('head')
    expect(await textOf(sections.rows())).toBe(rows)
    expect(await textOf(sections.rows())).toBe('')
    expect(await textOf(sections.rows())).toBe('\n')
    expect(await sections.line()).toBe('foot')
    const { digest } = sectionsOf(inPieces('', 1))
    expect(sections.digest()).not.toBe(digest())
    expect(await sections.isOver()).toBe(false)
    expect(await sections.line()).toBeUndefined()
  },
)

test.each(['', '1\n', '1\n\\.', '\\', '1\n\\.x'])(
  'a section without its last line is reported as cut: %j',
  async (text) => {
    await expect(textOf(sectionsOf(inPieces(text, 2)).rows())).rejects.toThrow(Cut)
  },
)
