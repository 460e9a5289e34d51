import type { Finding } from '../finding.ts'
import { hideNamed } from './secret-lines.ts'
import { replaceSecrets } from '../secret-shapes.ts'

/** The codes that say that a secret stands at their position, or may stand there. */
const aboutSecrets = new Set(['plain_secret', 'secure', 'invalid_secure', 'unreadable_secure'])

/**
 * The lines of a file as they can be shown in a log: each character of a secret is a star, so that
 * columns stay. Secrets are what has the form of one, what follows the name of one, and what findings
 * say is one.
 */
export function hideSecrets(lines: readonly string[], findings: readonly Finding[]): string[] {
  const shown = hideNamed(lines, stars).map((line) => replaceSecrets(line, stars))
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

/** Only the name of what holds the secret is left. */
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
