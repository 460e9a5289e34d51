import { createPrivateKey, randomBytes } from 'node:crypto'
import { wire } from './ssh-wire.ts'

/**
 * A private key as any OpenSSH reads it. Only Ed25519 in PEM is written anew, in OpenSSH's own format
 * (`PROTOCOL.key` in its sources): versions before 9.6 do not read the other one.
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
