import { createPrivateKey, randomBytes } from 'node:crypto'
import { wire, wireReader } from './ssh-wire.ts'

const magic = Buffer.from('openssh-key-v1\0')

interface Form {
  values: number
  shown: readonly number[]
}

/** Number of values in a private key, and indices of the public ones, in the public key's order. */
const forms: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['ssh-rsa', { values: 6, shown: [1, 0] }],
  ['ssh-dss', { values: 5, shown: [0, 1, 2, 3] }],
  ['ssh-ed25519', { values: 2, shown: [0] }],
  ...['nistp256', 'nistp384', 'nistp521'].map(
    (curve) => [`ecdsa-sha2-${curve}`, { values: 3, shown: [0, 1] }] as const,
  ),
])

/**
 * The public key of a private key in OpenSSH's own format (`PROTOCOL.key` in its sources), which
 * `node:crypto` does not read; undefined for anything else.
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
  file.value() // key derivation function
  file.value() // its options
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

/**
 * A private key in a form that every OpenSSH reads. Only Ed25519 in PEM is rewritten, in OpenSSH's own
 * format (`PROTOCOL.key` in its sources): versions before 9.6 do not read it in PEM.
 */
export function openSshForm(text: string): string {
  if (!text.startsWith('-----BEGIN PRIVATE KEY-----')) return text
  const key = createPrivateKey(text)
  if (key.asymmetricKeyType !== 'ed25519') return text
  const { d = '', x = '' } = key.export({ format: 'jwk' })
  const [secret, shown] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]
  const check = randomBytes(4)
  const values = wire('ssh-ed25519', shown, Buffer.concat([secret, shown]), '')
  const content = Buffer.concat([check, check, values])
  const padding = Buffer.from([1, 2, 3, 4, 5, 6, 7]).subarray(0, -content.length & 7)
  const file = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    wire('none', 'none', ''),
    Buffer.from([0, 0, 0, 1]),
    wire(wire('ssh-ed25519', shown), Buffer.concat([content, padding])),
  ])
  const lines = file.toString('base64').replaceAll(/.{70}/g, '$&\n').trimEnd()
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines}\n-----END OPENSSH PRIVATE KEY-----\n`
}
