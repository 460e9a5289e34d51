import { createHash, type KeyObject } from 'node:crypto'
import { wire, wireInteger } from './ssh-wire.ts'

/** What SSH calls the curves that it has. */
const curves: ReadonlyMap<string | undefined, string> = new Map([
  ['prime256v1', 'nistp256'],
  ['secp384r1', 'nistp384'],
  ['secp521r1', 'nistp521'],
])

/** A public key as SSH writes it (RFC 4253, 6.6); undefined for kinds of keys that it does not have. */
export function sshPublicKey(key: KeyObject): Buffer | undefined {
  const member = (name: 'e' | 'n' | 'x' | 'y') =>
    Buffer.from(key.export({ format: 'jwk' })[name] ?? '', 'base64url')
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return wire('ssh-rsa', wireInteger(member('e')), wireInteger(member('n')))
    case 'ed25519':
      return wire('ssh-ed25519', member('x'))
    case 'ec': {
      const curve = curves.get(key.asymmetricKeyDetails?.namedCurve)
      if (curve === undefined) return undefined
      const point = Buffer.concat([Buffer.from([4]), member('x'), member('y')])
      return wire(`ecdsa-sha2-${curve}`, curve, point)
    }
    default:
      return undefined
  }
}

/** As `ssh-keygen -E md5` shows it, without the name of the digest. */
export function fingerprintOf(publicKey: Buffer): string {
  const digest = createHash('md5').update(publicKey).digest('hex')
  return (digest.match(/../g) ?? []).join(':')
}
