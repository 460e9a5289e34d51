import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { namesTable } from '../../src/domain/config/observed-names.ts'

const guide = readFileSync(new URL('../../docs/migrating.md', import.meta.url), 'utf8')

test('the guide to migrating lists the names that change', () => {
  expect(guide).toContain(namesTable())
})
