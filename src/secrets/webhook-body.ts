import { createHmac } from 'node:crypto'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { Sealer } from './seal.ts'
import { sealedIn } from './sealed-records.ts'

interface KeptBody {
  body: Buffer
  sealed: boolean
  packed: boolean
}

/** Below this many bytes compression saves nothing. */
const leastPacked = 1024
/** Up to this many bytes compressing takes less time than handing the body to another thread. */
const mostAtOnce = 64 * 1024

/** The fastest quality: otherwise PostgreSQL would compress the body, which takes six times as long. */
const options: zlib.BrotliOptions = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }

/** The body of a webhook as stored: compressed, and sealed if its repository is private (D32). */
export async function keepBody(
  sealer: Sealer,
  { guid, sealed }: { guid: string; sealed: boolean },
  json: Buffer,
): Promise<KeptBody> {
  const packed = json.length >= leastPacked
  const bytes = packed ? await pack(json) : json
  return { body: sealed ? sealer.seal(sealedIn.delivery(guid), bytes) : bytes, sealed, packed }
}

/**
 * The hash of a body, which identifies a body that is sent again. Without the key the hash reveals
 * nothing, not even whether a body is a given one.
 */
export function hashOfBody(key: string, json: Buffer): string {
  return createHmac('sha256', key).update(json).digest('base64url').slice(0, 22)
}

/** The JSON that was received. Throws if it was sealed with another key, or for another webhook. */
export async function openBody(
  sealer: Sealer,
  { guid, sealed, packed, body }: KeptBody & { guid: string },
): Promise<string> {
  const bytes = sealed ? sealer.open(sealedIn.delivery(guid), body) : body
  return (packed ? await unpack(bytes) : bytes).toString('utf8')
}

const packElsewhere = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)
const unpack = promisify<Buffer, Buffer>(zlib.brotliDecompress)

async function pack(json: Buffer): Promise<Buffer> {
  return json.length <= mostAtOnce
    ? zlib.brotliCompressSync(json, options)
    : await packElsewhere(json, options)
}
