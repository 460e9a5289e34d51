import { isMap } from '../../domain/config/config-value.ts'
import { visible } from '../../domain/text/escape-control-characters.ts'
import { makeKeyPair } from '../../flow/secrets/key-pairs.ts'
import { keyPairMaker } from '../../secrets/key-pair.ts'
import { encryptSecure, mostEncrypted } from '../../secrets/secure-value.ts'
import { findRepository } from '../../store/repositories/repositories.ts'
import { findPublicKey } from '../../store/secrets/key-pairs.ts'
import { UsageError } from '../errors.ts'
import { withStore } from '../with-store.ts'

interface EncryptOptions {
  repository: string
  /** Address of a service; by default the service of this machine. */
  server?: string
}

/** Prints a text, encrypted so that only builds of the repository can read it. */
export async function encrypt(
  given: string | undefined,
  { repository, server }: EncryptOptions,
): Promise<void> {
  const text = given ?? (await readText())
  if (text === '') throw new UsageError('there is nothing to encrypt: give NAME=value')
  const key = await (server === undefined
    ? keyOfThisMachine(repository)
    : keyOfServer(server, repository))
  const most = mostEncrypted(key)
  const length = Buffer.byteLength(text)
  if (length > most) {
    throw new UsageError(
      `the value has ${length} bytes, and the key of ${visible(repository)} encrypts ${most} at ` +
        'most: put it into a variable of the repository settings, which can be longer',
    )
  }
  console.log(`secure: "${encryptSecure(key, text)}"`)
  if (process.stdout.isTTY) console.error(hintFor(text))
}

/** Reads the value from standard input: neither a shell's history nor the list of processes contains it. */
async function readText(): Promise<string> {
  if (process.stdin.isTTY) console.error('Type NAME=value, then Enter and Ctrl-D:')
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
    .toString()
    .replace(/\r?\n$/, '')
}

function hintFor(text: string): string {
  return /^[A-Za-z_]\w*=/.test(text)
    ? 'Add it to .service.yml as an entry of env.global, with "- " before it.'
    : 'Use it as the value of a key: `api_key: {secure: …}`. For an entry of env, encrypt NAME=value.'
}

function keyOfThisMachine(slug: string): Promise<string> {
  return withStore(async ({ db, sealer }) => {
    const repository = await findRepository(db, { slug })
    if (!repository) {
      throw new UsageError(
        `the repository ${visible(slug)} is not known here: install the app on it, register it with ` +
          'build-service local add PATH, or name the service that knows it with --server',
      )
    }
    const known = await findPublicKey(db, repository.id)
    const ctx = { db, sealer, newKeyPair: keyPairMaker(4096) }
    return (known ?? (await makeKeyPair(ctx, repository.id))).public_key
  })
}

async function keyOfServer(server: string, slug: string): Promise<string> {
  const path = slug.split('/').map(encodeURIComponent).join('/')
  const address = `${server.replace(/\/+$/, '')}/repos/${path}/key`
  const token = process.env.BUILD_SERVICE_TOKEN
  const response = await called(address, {
    accept: 'application/vnd.service.2.1+json',
    ...(token === undefined ? {} : { authorization: `token ${token}` }),
  })
  if (!response.ok) {
    throw new UsageError(
      `${visible(address)} responds with ${response.status}: ${whyRefused(response.status, token)}`,
    )
  }
  // Another program's answer may be anything.
  const body: unknown = await response.json().catch(() => undefined)
  const key = isMap(body) ? body.key : undefined
  if (typeof key === 'string') return key
  throw new UsageError(`${visible(address)} has no public key: is this the address of the service?`)
}

function whyRefused(status: number, token: string | undefined): string {
  if (status === 429) return 'too many requests: try again in a minute'
  if (status >= 500) return 'the service is unavailable: try again later'
  if (token === undefined) {
    return 'the repository does not exist or is private; if it is private, set BUILD_SERVICE_TOKEN to an access token'
  }
  return status === 401 || status === 403
    ? 'the token in BUILD_SERVICE_TOKEN is invalid or lacks the required scope: create another one'
    : 'the repository does not exist, or the owner of the token in BUILD_SERVICE_TOKEN cannot see it'
}

async function called(address: string, headers: Record<string, string>): Promise<Response> {
  try {
    return await fetch(address, { headers, redirect: 'error' })
  } catch (error) {
    const { cause, message } = error as Error
    const why = cause instanceof Error ? cause.message : message
    throw new UsageError(
      `${visible(address)} cannot be reached: ${visible(why)}; give the address of the service, such as --server https://ci.example.org`,
    )
  }
}
