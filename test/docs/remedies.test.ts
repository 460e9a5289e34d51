import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const source = path.resolve(import.meta.dirname, '../../src')

/** Advice that needs a door which is not built yet: secure values that are decrypted. */
const undoable = /\bencrypt (?:it|the value|a new one)\b/

/** The lines with a text for people that gives such advice; comments are for us. */
function offersIn(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line) && undoable.test(line))
    .map((line) => line.trim())
}

test('no text offers a remedy that cannot be carried out yet', () => {
  const rooms = ['domain', 'flow', 'http', 'lint', 'cli']
  const files = rooms.flatMap((room) =>
    readdirSync(path.join(source, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => path.join(source, room, file)),
  )
  expect(files.length).toBeGreaterThan(300)
  expect(files.flatMap((file) => offersIn(readFileSync(file, 'utf8')))).toEqual([])
})

test.each([
  '`this looks like ${what} in plain text: encrypt a new one, and revoke this one`',
  "advice: 'If it is a secret, encrypt it.',",
])('a planted one is found: %s', (line) => {
  expect(offersIn(line)).toHaveLength(1)
})
