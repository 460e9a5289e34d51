import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { effectsTable } from '../../src/domain/job/keys-without-effect.ts'
import { languagesTable } from '../../src/script/language/language-defaults.ts'

const guide = readFileSync(new URL('../../docs/build-file.md', import.meta.url), 'utf8')

test('the guide to build files lists the languages with default commands', () => {
  expect(guide).toContain(languagesTable())
})

test('the guide to build files lists the keys without effect', () => {
  expect(guide).toContain(effectsTable())
})
