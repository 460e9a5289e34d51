import { createHmac, sign as signBytes, timingSafeEqual } from 'node:crypto'

/** The signature of a webhook's exact bytes, as code hosts send it. */
export function sign(secret: string, body: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

/** Whether a text has the form of a signature. */
export function isSignature(text: string): boolean {
  return /^sha256=[0-9a-f]{64}$/.test(text)
}

export function isSignedBy(secret: string, body: Buffer, signature: string): boolean {
  return isSameSecret(sign(secret, body), signature)
}

/** Compares in constant time. */
export function isSameSecret(wanted: string, got: string): boolean {
  const [one, other] = [Buffer.from(wanted), Buffer.from(got)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** The signature of a text that anyone who has the public key can check, in base64. */
export function signText(privateKey: string, text: string, hash: 'sha1' | 'sha256'): string {
  return signBytes(`RSA-${hash.toUpperCase()}`, Buffer.from(text), privateKey).toString('base64')
}
