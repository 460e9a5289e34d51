import { mostSecretBytes, mostValueBytes } from '../../domain/env-var.ts'
import { inColour } from '../../domain/log/log-colours.ts'
import { isMasked } from '../../domain/log/masked.ts'
import { tooLongNote, unmaskedNote } from '../../domain/log/secret-markers.ts'
import { withoutEnd } from '../../domain/time/without-end.ts'
import { createHandedSecrets, type OutputPiece } from './handed-secrets.ts'
import { createMasker, type Masker } from './masker.ts'

// Values that a job hands over beyond this number are not masked; its log reports them.
const mostValues = 1000

/**
 * Covers the secrets of a job that are known before it runs, and the secrets that its program hands
 * over. Without a nonce, the program hands over none.
 */
export function createJobMasker(secrets: readonly string[], nonce: string | null): Masker {
  const texts = maskTexts(secrets)
  const masker = createMasker(texts)
  if (nonce === null) return masker

  const handed = createHandedSecrets(nonce, mostValueBytes)
  const known = new Set(texts.map((text) => text.toString('latin1')))
  const unmasked = new Set<string>()
  const tooLong = new Set<string>()
  let values = 0
  let bytes = 0

  function take(name: string, value: Buffer | null): void {
    values += 1
    bytes += value?.length ?? 0
    if (value === null || bytes > mostSecretBytes || values > mostValues) {
      if (tooLong.size < mostValues) tooLong.add(name)
    } else if (value.length > 0) {
      masker.add(maskTexts([value]).filter(isNew))
      if (!isMasked(value.toString().trim())) unmasked.add(name)
    }
  }

  /** Most values equal the configured text, which is searched for already. */
  function isNew(text: Buffer): boolean {
    const before = known.size
    return known.add(text.toString('latin1')).size > before
  }

  function notes(): Buffer {
    const texts = [
      ...(unmasked.size > 0 ? [unmaskedNote([...unmasked])] : []),
      ...(tooLong.size > 0 ? [tooLongNote([...tooLong])] : []),
    ]
    return Buffer.from(texts.map((text) => `${inColour('yellow', text)}\r\n`).join(''))
  }

  function shownOf(piece: OutputPiece): Buffer {
    if (piece.kind === 'text') return masker.push(piece.bytes)
    if (piece.kind === 'over') {
      masker.unite()
      return masker.push(notes())
    }
    take(piece.name, piece.value)
    return Buffer.alloc(0)
  }

  return {
    push: (chunk) => Buffer.concat(handed.push(chunk).map(shownOf)),
    end: () => Buffer.concat([masker.push(handed.end()), masker.end()]),
    drop() {
      handed.end()
      masker.drop()
    },
  }
}

/** Texts to search for in order to hide these secrets: each value and each of its lines. */
export function maskTexts(secrets: readonly (string | Uint8Array)[]): Buffer[] {
  const values = secrets.map((secret) => Buffer.from(secret).toString('latin1'))
  const texts = values.filter(isMaskedIn).flatMap(textsIn)
  return [...new Set(texts)].filter(isMaskedIn).map((text) => Buffer.from(text, 'latin1'))
}

/** Takes a string with one character per byte, because a value may not be valid text. */
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
