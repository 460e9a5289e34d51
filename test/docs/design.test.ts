import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const pages = path.resolve(import.meta.dirname, '../../src/http/pages')
const guide = readFileSync(path.join(pages, 'README.md'), 'utf8')
const named = new Set(guide.match(/(?<=`)[^`\s]+(?=`)/g))

test('the guide to the pages names every variable of the style sheet', () => {
  const style = readFileSync(path.join(pages, 'style.css'), 'utf8')
  const [root = ''] = style.split('}')
  const variables = root.match(/--[\w-]+(?=:)/g) ?? []
  expect(variables.length).toBeGreaterThan(20)
  expect(variables.filter((variable) => !named.has(variable))).toEqual([])
})

test('the guide to the pages names every shared component, and no other', () => {
  const parts = path.join(pages, 'parts')
  const components = readdirSync(parts).flatMap(
    (file) =>
      readFileSync(path.join(parts, file), 'utf8').match(/(?<=^export function )[A-Z]\w+/gm) ?? [],
  )
  expect(components.length).toBeGreaterThan(30)
  expect(components.filter((component) => !named.has(component))).toEqual([])
  const listed = guide.split('## Components')[1]?.split('## Tests')[0] ?? ''
  const names = listed.match(/(?<=`)[A-Z]\w+(?=`)/g) ?? []
  expect(names.filter((name) => !components.includes(name))).toEqual([])
})
