import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { lintPages } from '../../scripts/lint-pages.ts'

test('the pages in docs/lint are up to date with `npm run docs`', () => {
  const docs = path.resolve(import.meta.dirname, '../../docs')
  const written = readdirSync(path.join(docs, 'lint')).map((file) => {
    const name = `lint/${file}`
    return [name, readFileSync(path.join(docs, name), 'utf8')] as const
  })
  expect(Object.fromEntries(written)).toEqual(Object.fromEntries(lintPages()))
})
