// Writes the pages about the findings of the linter, and about all texts of the program, into `docs`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { lintPages } from './lint-pages.ts'
import { messagePages } from './message-pages.ts'

const docs = new URL('../docs/', import.meta.url)
for (const folder of ['lint', 'messages']) {
  rmSync(new URL(folder, docs), { recursive: true, force: true })
  mkdirSync(new URL(folder, docs), { recursive: true })
}
for (const [file, text] of [...lintPages(), ...messagePages()]) {
  writeFileSync(new URL(file, docs), text)
}
