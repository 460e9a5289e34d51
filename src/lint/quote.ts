import { visible } from '../domain/visible.ts'
import { withoutSecrets } from './secret-shapes.ts'

const longest = 60

/** A value of a build file as it may stand in a sentence: on one line, short, no secret, quoted. */
export function quote(value: unknown): string {
  const text = withoutSecrets(plain(value))
  const short = text.length > longest ? `${text.slice(0, longest - 1)}…` : text
  return `"${visible(short).replaceAll('"', String.raw`\"`)}"`
}

/** A value of a build file without quotes; nothing for none. */
export function plain(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
