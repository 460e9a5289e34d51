import { createHmac, timingSafeEqual } from 'node:crypto'

/** The signature of a webhook's exact bytes, as code hosts send it. */
export function sign(secret: string, body: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

/** Whether a text has the form of a signature. */
export function isSignature(text: string): boolean {
  return /^sha256=[0-9a-f]{64}$/.test(text)
}

/** Compares in constant time. */
export function isSignedBy(secret: string, body: Buffer, signature: string): boolean {
  const wanted = Buffer.from(sign(secret, body))
  const got = Buffer.from(signature)
  return got.length === wanted.length && timingSafeEqual(got, wanted)
}
