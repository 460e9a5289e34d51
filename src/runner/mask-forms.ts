import { isMasked } from '../domain/log/masked.ts'
import { quote } from '../script/shell/bash.ts'
import type { MaskForms } from './masker.ts'

// Encoded pieces shorter than this would cover words that have nothing to do with the secret.
const shortestPiece = 6

/**
 * All that is looked for, so that these secrets are not seen: each value and each of its lines, as it is
 * and as programs write it when they put it into a URL, JSON, base64, hex or a shell's command.
 */
export function maskForms(secrets: readonly string[]): MaskForms {
  const texts = unique(secrets.filter(isMasked).flatMap(textsIn)).filter(isMasked)
  return {
    plain: unique(texts.flatMap(plainForms)),
    base64: unique(texts.flatMap(base64Forms)),
    hex: texts.map((text) => Buffer.from(text).toString('hex')),
  }
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}

function textsIn(secret: string): string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim())
  // A value read from a file usually carries the file's last line break; printed, it does not.
  return [secret, secret.trim(), ...lines]
}

function plainForms(text: string): string[] {
  return [text, ...urlForms(text), ...jsonForms(text), ...shellForms(text)]
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
  return [whole, ...pieces].filter((form) => form.length >= shortestPiece)
}

function innerBase64(bytes: Buffer, before: number): string {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes])
    .toString('base64')
    .replace(/=+$/, '')
  const first = [0, 2, 3][before]
  const last = (before + bytes.length) % 3 === 0 ? encoded.length : encoded.length - 1
  return encoded.slice(first, last)
}
