import { quote } from '../script/bash.ts'

const shortest = 4
// Encoded pieces shorter than this would cover words that have nothing to do with the secret.
const shortestPiece = 6

const common = new Set(['true', 'false', 'null', 'none', 'undefined', 'enabled', 'disabled'])

/**
 * Whether a value is masked at all. Short values, common words and small numbers are not: they
 * would black out half of a log and hide nothing.
 */
export function isMasked(value: string): boolean {
  if (value.length < shortest || common.has(value.toLowerCase())) return false
  return !isSmallNumber(value)
}

function isSmallNumber(value: string): boolean {
  return /^[+-]?\d+(\.\d+)?$/.test(value) && Math.abs(Number(value)) < 1000
}

/**
 * All texts to look for, so that these secrets are not seen: each value, each of its lines, and the
 * value as programs write it when they put it into a URL, JSON, base64 or a shell's command.
 */
export function maskForms(secrets: readonly string[]): string[] {
  const forms = secrets.filter(isMasked).flatMap(formsOf)
  return [...new Set(forms)]
}

function formsOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim())
  return [
    secret,
    // A value read from a file usually carries the file's last line break; printed, it does not.
    ...[secret.trim(), ...lines].filter(isMasked),
    ...[...urlForms(secret), ...jsonForms(secret), ...shellForms(secret), ...base64Forms(secret)],
  ]
}

function urlForms(secret: string): string[] {
  // Through a buffer, since half a surrogate pair makes encodeURIComponent throw.
  const text = Buffer.from(secret).toString()
  const encoded = encodeURIComponent(text)
  const strict = encoded.replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  const ofForm = new URLSearchParams([['', text]]).toString().slice(1)
  const forms = [encoded, strict, strict.replaceAll('%20', '+'), ofForm]
  return [...forms, ...forms.map(withSmallDigits)]
}

function withSmallDigits(encoded: string): string {
  return encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
}

function jsonForms(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1)
  return [escaped, escaped.replaceAll('/', '\\/')]
}

/** As `set -x` shows it, as `printf %q` writes it, in `$'…'` and in double quotes. */
function shellForms(secret: string): string[] {
  const quoted = quote(secret).slice(1, -1)
  const escaped = secret.replace(/^[#~]|[\s'"\\|&;()<>!{}*[\]?^$`,]/g, '\\$&')
  const dollar = secret
    .replace(/[\\']/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\r', '\\r')
  const doubled = secret.replace(/["$`\\]/g, '\\$&')
  return [quoted, escaped, dollar, doubled]
}

/**
 * The value encoded by itself, and those of its signs that are the same wherever it stands inside a
 * longer text, as the token in `x-access-token:TOKEN`.
 */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const whole = bytes.toString('base64').replace(/=+$/, '')
  const pieces = [0, 1, 2].map((before) => innerBase64(bytes, before))
  const forms = [whole, ...pieces].filter((form) => form.length >= shortestPiece)
  return [...forms, ...forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))]
}

function innerBase64(bytes: Buffer, before: number): string {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes])
    .toString('base64')
    .replace(/=+$/, '')
  const first = [0, 2, 3][before]
  const last = (before + bytes.length) % 3 === 0 ? encoded.length : encoded.length - 1
  return encoded.slice(first, last)
}
