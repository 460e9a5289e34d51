import { createHash, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { wire, wireInteger, wireReader } from './ssh-wire.ts'

/** SSH's names for the curves that it supports. */
const curves: ReadonlyMap<string | undefined, string> = new Map([
  ['prime256v1', 'nistp256'],
  ['secp384r1', 'nistp384'],
  ['secp521r1', 'nistp521'],
])

/** A public key in SSH's format (RFC 4253, 6.6); undefined for kinds of keys that SSH does not have. */
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

/** Converts a public key from SSH's format to PEM; null for keys that `node:crypto` lacks or refuses. */
export function pemOf(publicKey: Buffer): string | null {
  const key = jwkOf(publicKey)
  if (!key) return null
  try {
    const pem = createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    return String(pem)
  } catch {
    return null
  }
}

function jwkOf(publicKey: Buffer): JsonWebKey | undefined {
  const values = wireReader(publicKey)
  const type = values.value().toString()
  const next = () => values.value().toString('base64url')
  if (type === 'ssh-rsa') {
    // A leading zero of an integer is harmless in a JWK.
    const e = next()
    return { kty: 'RSA', e, n: next() }
  }
  if (type === 'ssh-ed25519') return { kty: 'OKP', crv: 'Ed25519', x: next() }
  const crv = jwkCurves.get(type)
  if (crv === undefined) return undefined
  values.value() // the curve again
  const point = values.value().subarray(1)
  const half = point.length / 2
  const member = (from: number) => point.subarray(from, from + half).toString('base64url')
  return { kty: 'EC', crv, x: member(0), y: member(half) }
}

const jwkCurves: ReadonlyMap<string, string> = new Map([
  ['ecdsa-sha2-nistp256', 'P-256'],
  ['ecdsa-sha2-nistp384', 'P-384'],
  ['ecdsa-sha2-nistp521', 'P-521'],
])
