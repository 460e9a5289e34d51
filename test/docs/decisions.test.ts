import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const folder = path.resolve(import.meta.dirname, '../../docs/decisions')
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8')
const names = readdirSync(folder).filter((name) => name !== 'README.md')
const titles = names.toSorted().map((name) => ({ name, title: read(name).split('\n', 1)[0] }))

test('the decisions are numbered without gaps', () => {
  const numbers = titles.map(({ name }) => Number(/^(\d{3})-[a-z\d-]+\.md$/.exec(name)?.[1]))
  expect(numbers).toEqual(titles.map((_, index) => index + 1))
})

test('the table lists all of them, with their titles', () => {
  const rows = read('README.md').matchAll(/^\| \[(\d{3})\]\((.+?)\) +\| (.+?) +\|/gm)
  const listed = [...rows].map(([, number, name, title]) => {
    return { name, title: `# ${number} · ${title}` }
  })
  expect(listed).toEqual(titles)
})

describe.each(names)('%s', (name) => {
  test('says why, what, what else, what follows, and when to look again', () => {
    const headings = [...read(name).matchAll(/^\*\*(.+?)\*\*/gm)].map(([, heading]) => heading)
    expect(headings.map((heading) => heading?.replace(/\.$/, ''))).toEqual([
      'Context',
      'Decision',
      'Also considered',
      'Consequences',
      'Look again',
    ])
  })
})
