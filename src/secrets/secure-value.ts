import {
  constants,
  createPrivateKey,
  createPublicKey,
  privateDecrypt,
  publicEncrypt,
} from 'node:crypto'

/** Decrypts a value of a build file; undefined for a value that this key does not decrypt. */
export interface Decrypt {
  (encrypted: string): string | undefined
  /** Whether a value was skipped because there are too many. */
  skips?: (encrypted: string) => boolean
  /** Where in the configuration of the build an undecrypted value is, if known. */
  where?: (encrypted: string) => string | undefined
}

/** How many different values of a job are decrypted: each takes about five milliseconds of processor time. */
export const mostDecrypted = 100

/** PKCS#1 v1.5 adds two bytes, then at least eight bytes of padding, then one byte. */
const paddingBytes = 11

/** Maximum bytes of a text that this key can encrypt. */
export function mostEncrypted(publicKey: string): number {
  return bytesOf(createPublicKey(publicKey).asymmetricKeyDetails?.modulusLength) - paddingBytes
}

/** Encrypts a text so that only the service can read it, as clients do. */
export function encryptSecure(publicKey: string, text: string): string {
  const padded = { key: publicKey, padding: constants.RSA_PKCS1_PADDING }
  return publicEncrypt(padded, Buffer.from(text)).toString('base64')
}

/**
 * Decrypts values that were encrypted with the public key of this private key. A repeated value is
 * decrypted only once.
 */
export function decrypter(privateKey: string): Decrypt {
  const key = createPrivateKey(privateKey)
  const length = bytesOf(key.asymmetricKeyDetails?.modulusLength)
  const known = new Map<string, string | undefined>()

  function decrypt(encrypted: string): string | undefined {
    const bytes = Buffer.from(encrypted, 'base64')
    if (bytes.length !== length) return
    // Node 20 refuses this padding, and later versions return made-up bytes where it is wrong.
    const block = withoutPadding(privateDecryptRaw(key, bytes))
    return block && readable(block)
  }

  return (encrypted) => {
    if (!known.has(encrypted)) known.set(encrypted, decrypt(encrypted))
    return known.get(encrypted)
  }
}

function privateDecryptRaw(key: ReturnType<typeof createPrivateKey>, bytes: Buffer): Buffer {
  try {
    return privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, bytes)
  } catch {
    // The number is not less than the key's modulus.
    return Buffer.alloc(0)
  }
}

/** Takes the same time wherever a block is wrong; undefined for a wrong block. */
function withoutPadding(block: Buffer): Buffer | undefined {
  let wrong = (block[0] ?? 1) | ((block[1] ?? 0) ^ 2)
  let end = 0
  for (const [at, byte] of block.entries()) {
    const isEnd = at >= 2 && byte === 0 && end === 0
    end = isEnd ? at : end
  }
  wrong |= end < paddingBytes - 1 ? 1 : 0
  return wrong === 0 ? block.subarray(end + 1) : undefined
}

const control = /[^\P{Cc}\t\n\r]/u

/** With a wrong key, one block in 65,000 passes the padding check, but its content is not text. */
function readable(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return control.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

function bytesOf(bits = 0): number {
  return Math.ceil(bits / 8)
}
