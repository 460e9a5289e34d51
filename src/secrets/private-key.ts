import { createPublicKey } from 'node:crypto'
import { openSshPublicKey } from './openssh-private-key.ts'
import { fingerprintOf, pemOf, sshPublicKey } from './ssh-public-key.ts'

export interface PrivateKey {
  /** As SSH reads it: with line feeds alone, and one at its end. */
  text: string
  fingerprint: string
  /** In PEM; null for a kind of key that has no such form. */
  public_key: string | null
}

/** Why a text is not a key that jobs can use, as one of V2.1's codes. */
export type UnusableKey = 'not_a_private_key' | 'key_with_a_passphrase'

const armor = /^-----BEGIN ((?:[A-Z]+ )*)PRIVATE KEY-----\n([\s\S]+)\n-----END \1PRIVATE KEY-----$/

/** Node.js skips characters that are not base64, and SSH does not. */
const base64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/

/** Reads a private key for SSH: RSA, ECDSA or Ed25519 in PEM, or any type in OpenSSH's format. */
export function readPrivateKey(given: string): PrivateKey | UnusableKey {
  const text = given.replaceAll('\r\n', '\n').trim()
  const [, kind, content = ''] = armor.exec(text) ?? []
  if (kind === undefined || content.includes('-----')) return 'not_a_private_key'
  const publicKey = kind === 'OPENSSH ' ? openSshIn(content) : pemPublicKey(text, { kind, content })
  if (publicKey === undefined) return 'not_a_private_key'
  if (publicKey === 'encrypted') return 'key_with_a_passphrase'
  return { text: `${text}\n`, fingerprint: fingerprintOf(publicKey), public_key: pemOf(publicKey) }
}

function openSshIn(content: string): ReturnType<typeof openSshPublicKey> {
  return base64.test(content) ? openSshPublicKey(Buffer.from(content, 'base64')) : undefined
}

function pemPublicKey(
  text: string,
  { kind, content }: { kind: string; content: string },
): Buffer | 'encrypted' | undefined {
  if (kind === 'ENCRYPTED ' || /^Proc-Type: 4,ENCRYPTED$/m.test(content)) return 'encrypted'
  try {
    return sshPublicKey(createPublicKey(text))
  } catch {
    return undefined
  }
}
