import { expect, test } from 'vitest'
import { readMailLink, writeMailLink } from '../../src/secrets/mail-link.ts'
import { createSealer } from '../../src/secrets/seal.ts'

const former = Buffer.alloc(32, 1)
const present = Buffer.alloc(32, 2)
const link = { user_id: 1, repository_id: 2 }

test('a link in a mail works with each configured key, and with no other', () => {
  const written = writeMailLink(createSealer(former), link)
  expect(readMailLink(createSealer(former), written)).toEqual(link)
  expect(readMailLink(createSealer(present, former), written)).toEqual(link)
  expect(readMailLink(createSealer(present), written)).toBeUndefined()
  const other = written.replace('1-2-', '1-3-')
  expect(readMailLink(createSealer(former), other)).toBeUndefined()
})
