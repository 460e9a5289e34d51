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

/** Makes a key pair for this name; simultaneous callers with the same name get the same pair. */
export type KeyPairMaker = (name: string) => Promise<NewKeyPair>

/**
 * Makes RSA key pairs outside of the event loop, one at a time: each occupies a thread for a second or
 * more, and the few threads also serve file access and name lookups. Throws where the queue is longer
 * than callers would wait.
 */
export function keyPairMaker(bits: number): KeyPairMaker {
  let last: Promise<unknown> = Promise.resolve()
  const waiting = new Map<string, Promise<NewKeyPair>>()
  return async (name) => {
    const begun = waiting.get(name)
    if (begun) return begun
    if (waiting.size >= mostWaiting) throw tooManyRequests(waiting.size * usualTime)
    const made = last.then(() => makeKeyPair(bits)).finally(() => waiting.delete(name))
    waiting.set(name, made)
    last = made.catch(() => undefined)
    return made
  }
}

/** Approximate milliseconds to make a key pair of the usual size. */
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
