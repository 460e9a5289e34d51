// Writes the table of settings into the README, between its two marks.
import { readFileSync, writeFileSync } from 'node:fs'
import { settingsTable } from '../src/config/config.ts'

const file = new URL('../README.md', import.meta.url)
const text = readFileSync(file, 'utf8')
const [begin, end] = ['<!-- settings -->', '<!-- /settings -->']
const [before = '', rest = ''] = text.split(begin)
const [, after = ''] = rest.split(end)
writeFileSync(
  file,
  `${before}${begin}\n\n<!-- prettier-ignore -->\n${settingsTable()}\n\n${end}${after}`,
)
