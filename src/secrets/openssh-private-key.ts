import { wire, wireReader } from './ssh-wire.ts'

const magic = Buffer.from('openssh-key-v1\0')

interface Form {
  values: number
  shown: readonly number[]
}

/** How many values a private key has, and which of them its public key shows, in that key's order. */
const forms: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['ssh-rsa', { values: 6, shown: [1, 0] }],
  ['ssh-dss', { values: 5, shown: [0, 1, 2, 3] }],
  ['ssh-ed25519', { values: 2, shown: [0] }],
  ...['nistp256', 'nistp384', 'nistp521'].map(
    (curve) => [`ecdsa-sha2-${curve}`, { values: 3, shown: [0, 1] }] as const,
  ),
])

/**
 * The public key of a private one in OpenSSH's own format (`PROTOCOL.key` in its sources), which
 * `node:crypto` does not read; undefined if it is none.
 */
export function openSshPublicKey(bytes: Buffer): Buffer | 'encrypted' | undefined {
  if (!bytes.subarray(0, magic.length).equals(magic)) return undefined
  try {
    return publicKeyIn(bytes.subarray(magic.length))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function publicKeyIn(bytes: Buffer): Buffer | 'encrypted' | undefined {
  const file = wireReader(bytes)
  const cipher = file.value().toString()
  file.value() // how the passphrase is turned into a key
  file.value() // and with what
  if (file.number() !== 1) return undefined
  const publicKey = file.value()
  const privateKey = file.value()
  if (cipher !== 'none') return 'encrypted'
  return isPrivateKeyOf(publicKey, privateKey) ? publicKey : undefined
}

function isPrivateKeyOf(publicKey: Buffer, bytes: Buffer): boolean {
  const key = wireReader(bytes)
  if (key.number() !== key.number()) return false
  const type = key.value().toString()
  const form = forms.get(type)
  if (!form) return false
  const values = Array.from({ length: form.values }, () => key.value())
  key.value() // its comment
  const isPadded = key.rest().every((byte, index) => byte === index + 1)
  return isPadded && publicKey.equals(wire(type, ...form.shown.flatMap((at) => values[at] ?? [])))
}
