import { replaceTokens } from '../../domain/text/token-shapes.ts'
import type { Finding } from '../finding.ts'
import { hideNamed } from './secret-lines.ts'

/** Codes of findings whose position holds a secret, or may hold one. */
const aboutSecrets = new Set(['plain_secret', 'secure', 'invalid_secure', 'unreadable_secure'])

/**
 * The lines of a file for display in a log: each character of a secret is a star, so that columns stay.
 * Secrets are texts with the form of a secret, texts after the name of a secret, and texts that findings
 * report as secrets.
 */
export function hideSecrets(lines: readonly string[], findings: readonly Finding[]): string[] {
  const shown = hideNamed(lines, stars).map((line) => replaceTokens(line, stars))
  for (const finding of findings) {
    if (finding.line === null || !aboutSecrets.has(finding.code)) continue
    for (let number = finding.line; number <= (finding.end_line ?? finding.line); number += 1) {
      const line = shown[number - 1]
      if (line === undefined) break
      const from = number === finding.line ? (finding.column ?? 1) - 1 : 0
      const to = number === finding.end_line ? (finding.end_column ?? 1) - 1 : line.length
      shown[number - 1] =
        line.slice(0, from) + hidden(line.slice(from, to), finding) + line.slice(to)
    }
  }
  return shown
}

/** Hides a text except the name of the key that holds the secret. */
function hidden(text: string, { key }: Finding): string {
  const names = [key.at(-1) ?? '', 'secure'].flatMap((name) => [`${name}=`, `${name}:`])
  const name = names.find((each) => each.length > 1 && text.includes(each)) ?? ''
  const start = text.indexOf(name)
  const end = start + name.length
  return stars(text.slice(0, start)) + name + stars(text.slice(end))
}

function stars(text: string): string {
  return text.replaceAll(/\S/g, '*')
}
