// Writes the tables that are made from the code into the documents, each between its two marks.
import { readFileSync, writeFileSync } from 'node:fs'
import { settingsTable } from '../src/config/config.ts'
import { namesTable } from '../src/domain/config/observed-names.ts'
import { effectsTable } from '../src/domain/job/keys-without-effect.ts'
import { languagesTable } from '../src/script/language/language-defaults.ts'

write('docs/settings.md', 'settings', settingsTable())
write('docs/build-file.md', 'languages', languagesTable())
write('docs/build-file.md', 'effects', effectsTable())
write('docs/migrating.md', 'names', namesTable())

function write(document: string, name: string, table: string): void {
  const file = new URL(`../${document}`, import.meta.url)
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [before = '', rest = ''] = readFileSync(file, 'utf8').split(begin)
  const [, after = ''] = rest.split(end)
  writeFileSync(file, `${before}${begin}\n\n<!-- prettier-ignore -->\n${table}\n\n${end}${after}`)
}
