import { isSecure } from '../../domain/config/config-value.ts'
import type { Decrypt } from '../../secrets/secure-value.ts'

/** The text of an address in a build file, or why it has none. */
export type OpenAddress = { text: string; secret: boolean } | { problem: string }

/** Reads the value of an address in a build file; an encrypted value can contain several addresses. */
export function openAddress(address: unknown, decrypt: Decrypt): OpenAddress[] {
  if (typeof address === 'string') return [{ text: address, secret: false }]
  const encrypted = encryptedAddress(address)
  if (encrypted === undefined) return [{ problem: 'The address is not a text.' }]
  const texts = addressesIn(decrypt(encrypted) ?? '')
  if (texts.length > 0) return texts.map((text) => ({ text, secret: true }))
  return [{ problem: 'The address is encrypted, but not with the key of this repository.' }]
}

/** The encrypted text of an address; undefined if the address is not encrypted. */
export function encryptedAddress(address: unknown): string | undefined {
  if (!isSecure(address)) return undefined
  return typeof address.secure === 'string' ? address.secure : undefined
}

/** A text can hold several addresses, separated by commas (NT-26). */
export function addressesIn(text: string): string[] {
  return text.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]))
}
