import { isMasked } from '../domain/log/masked.ts'
import { withoutEnd } from '../domain/without-end.ts'

/** What is looked for, so that these secrets are not seen: each value and each of its lines. */
export function maskTexts(secrets: readonly (string | Uint8Array)[]): Buffer[] {
  const values = secrets.map((secret) => Buffer.from(secret).toString('latin1'))
  const texts = values.filter(isMaskedIn).flatMap(textsIn)
  return [...new Set(texts)].filter(isMaskedIn).map((text) => Buffer.from(text, 'latin1'))
}

/** Of bytes, one of which is a character here, since a value may be no text at all. */
function isMaskedIn(bytes: string): boolean {
  return isMasked(Buffer.from(bytes, 'latin1').toString())
}

function textsIn(secret: string): string[] {
  const lines = secret.split(/\r?\n/).map(trimmed)
  // A value read from a file usually carries the file's last line break; printed, it does not.
  return [secret, trimmed(secret), ...lines]
}

function trimmed(text: string): string {
  return withoutEnd(text.replace(/^[ \t\r\n]+/, ''), ' \t\r\n')
}
