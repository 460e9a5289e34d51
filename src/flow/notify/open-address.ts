import { isSecure } from '../../domain/config-value.ts'
import type { Decrypt } from '../../secrets/secure-value.ts'

/** The text of an address in a build file, or why it has none. */
export type OpenAddress = { text: string; secret: boolean } | { problem: string }

/** Reads what stands for an address in a build file; decrypted, it can be several. */
export function openAddress(address: unknown, decrypt: Decrypt): OpenAddress[] {
  if (typeof address === 'string') return [{ text: address, secret: false }]
  const encrypted = encryptedAddress(address)
  if (encrypted === undefined) return [{ problem: 'The address is not a text.' }]
  const texts = addressesIn(decrypt(encrypted) ?? '')
  if (texts.length > 0) return texts.map((text) => ({ text, secret: true }))
  return [{ problem: 'The address is encrypted, but not with the key of this repository.' }]
}

/** What is encrypted of an address; undefined for one that is not. */
export function encryptedAddress(address: unknown): string | undefined {
  if (!isSecure(address)) return undefined
  return typeof address.secure === 'string' ? address.secure : undefined
}

/** A text can hold several addresses, with commas between (NT-26). */
export function addressesIn(text: string): string[] {
  return text.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]))
}
