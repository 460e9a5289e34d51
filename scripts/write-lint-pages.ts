// Writes the pages about what the linter finds into `docs/lint`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { lintPages } from './lint-pages.ts'

const docs = new URL('../docs/', import.meta.url)
rmSync(new URL('lint', docs), { recursive: true, force: true })
mkdirSync(new URL('lint', docs), { recursive: true })
for (const [file, text] of lintPages()) writeFileSync(new URL(file, docs), text)
