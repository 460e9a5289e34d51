import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The one style sheet. The build copies it beside the compiled code. */
export const style = readFileSync(new URL('./style.css', import.meta.url), 'utf8')

/** Tells one style sheet from the next, so that browsers may keep it for ever. */
export const styleHash = createHash('sha256').update(style).digest('hex').slice(0, 12)
