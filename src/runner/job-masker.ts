import { mostSecretBytes, mostValueBytes } from '../domain/env-var.ts'
import { inColour } from '../domain/log/log-colours.ts'
import { isMasked } from '../domain/log/masked.ts'
import { tooLongNote, unmaskedNote } from '../domain/log/secret-markers.ts'
import { createHandedSecrets, type Piece } from './handed-secrets.ts'
import { maskTexts } from './mask-texts.ts'
import { createMasker, type Masker } from './masker.ts'

// What a job hands over beyond this is not masked, which its log says.
const mostValues = 1000

/**
 * Covers the secrets of a job that are known before it runs, and those that its program hands over.
 * Without a nonce it hands none over.
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

  /** Most values are what was written, which is searched for already. */
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

  function shownOf(piece: Piece): Buffer {
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
