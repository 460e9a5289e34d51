import { createPublicKey, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { tooManyRequests } from '../domain/errors.ts'
import { fingerprintOf, sshPublicKey } from './ssh-public-key.ts'

/** A key pair of a repository, in PEM. */
export interface NewKeyPair {
  public_key: string
  private_key: string
  fingerprint: string
}

const generate = promisify(generateKeyPair)

/**
 * Makes RSA key pairs outside of the event loop. One after the other: each keeps a thread busy for a
 * second or more, and there are only a few, which files and names are looked up with as well. Throws
 * where so many wait that callers would not.
 */
export function keyPairMaker(bits: number): () => Promise<NewKeyPair> {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return async () => {
    if (waiting >= mostWaiting) throw tooManyRequests(waiting * usualTime)
    waiting += 1
    const made = last.then(() => makeKeyPair(bits)).finally(() => (waiting -= 1))
    last = made.catch(() => undefined)
    return made
  }
}

/** Milliseconds that a key pair of usual size takes, more or less. */
const usualTime = 1500

/** Key pairs that are made in about half a minute. */
const mostWaiting = 20

async function makeKeyPair(modulusLength: number): Promise<NewKeyPair> {
  const { publicKey, privateKey } = await generate('rsa', {
    modulusLength,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const shown = sshPublicKey(createPublicKey(publicKey))
  if (!shown) throw new Error('an RSA key has no form in SSH')
  return { public_key: publicKey, private_key: privateKey, fingerprint: fingerprintOf(shown) }
}
